"""The functions of ``mw.language``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wikiapi.languages import (
    MINUS,
    cldr_locale,
    decline,
    direction,
    format_number,
    format_without_groups,
    html_code,
    language,
    locale_of,
    lower_first,
    notation_of,
    parse_formatted,
    plural_form,
    upper_first,
)
from wikiapi.memoize import memoize
from wikiapi.wikitext import FunctionCall, WikitextRegistries, nodes
from wikiapi_plugins.extensions.scribunto.errors import HostError
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.shared.facts import facts
from wikiapi_plugins.wikitext.parserfunctions.language import gender as gender_function

_BUILT_IN_CODE = re.compile(r"[a-z0-9-]{2,}\Z", re.ASCII)
_NOT_IN_CODES = re.compile(r"[:/\\.\0<>&'\"]")
_INTEGER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z", re.ASCII)
_LAST_FALLBACK = "en"
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\Z", re.ASCII)
_ERROR = re.compile(
    r'\A(?:[^<]++|<(?!(?:strong|span) class="error">))*+<\w++ class="error">(.*?)</', re.DOTALL
)


@memoize(2048)
def _name_in_language(code: str, language: str) -> str:
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale_of(language))) or ""


def _is_fixed_date(code: str, _pattern: str, moment: str, _local: bool) -> bool:
    """Return whether the formatted date is the same at any time and on any page.

    In place of an unknown language, that of the page is used.
    """
    return bool(_DATE.match(moment)) and cldr_locale(code) is not None


class LanguageLibrary(Library):
    """Languages, and formats that depend on the language."""

    def is_valid_code(self, code: str) -> bool:
        """Return whether a text may be a language code, known or not."""
        return bool(code) and not _NOT_IN_CODES.search(code) and not code.startswith("-")

    def is_valid_built_in_code(self, code: str) -> bool:
        """Return whether a text has the form of the codes of MediaWiki's own languages."""
        return bool(_BUILT_IN_CODE.match(code))

    def is_supported(self, code: str) -> bool:
        """Return whether the interface is available in a language."""
        return self.is_known(code) and code not in facts("languageswithoutinterface")

    def is_known(self, code: str) -> bool:
        """Return whether the name of a language is known."""
        return code in facts("languages")

    def fallbacks(self, code: str, *_strictness: int) -> list[list[str]]:
        """Return the fallback languages of a language, best first."""
        return [list(language(code).chain[1:])]

    def name(self, code: str, *languages: str) -> str:
        """Return the name of a language, in that or another language; empty if it is unknown."""
        own = facts("languages").get(code, "")
        if not languages or languages[0] == code or not own:
            return str(own)
        return _name_in_language(code, languages[0]) or str(own)

    def names(self, language: str | bool, _include: str | bool) -> Mapping[str, str]:
        """Return the names of all languages by code, in their own or the given language."""
        codes: Mapping[str, str] = facts("languages")
        if not isinstance(language, str):
            return dict(codes)
        return {code: _name_in_language(code, language) or own for code, own in codes.items()}

    def bcp47(self, code: str) -> str:
        """Return a language code in the form of BCP 47."""
        return html_code(code)

    def is_rtl(self, code: str) -> bool:
        """Return whether a language is written from right to left."""
        return direction(code) == "rtl"

    def case_fold(self, _code: str, text: str) -> str:
        """Return a form of the text for comparisons that ignore case."""
        return text.upper()

    def lower_first(self, code: str, text: str) -> str:
        """Return the text with its first letter in lower case."""
        return lower_first(text, code)

    def upper_first(self, code: str, text: str) -> str:
        """Return the text with its first letter as a capital."""
        return upper_first(text, code)

    def format_num(self, code: str, number: str, without_groups: bool) -> str:
        """Return a number formatted for a language."""
        format_ = format_without_groups if without_groups else format_number
        return format_(number, code)

    def notation(self, code: str) -> Mapping[str, str | int] | bool:
        """Return how a language groups digits, its separators and its minus sign.

        ``False`` if the language does not use ASCII digits, or does not group them.
        """
        own = notation_of(code)
        if format_number("0", code) != "0" or not own.group_size:
            return False
        return {**own._asdict(), "minus": MINUS}

    def parse_num(self, code: str, text: str) -> float | int | None:
        """Return a number from its notation in a language, or ``None`` if it is not a number."""
        plain = parse_formatted(text, code)
        if not _INTEGER.match(plain):
            return None
        number = float(plain)
        return int(number) if number.is_integer() else number

    def grammar(self, code: str, word: str, case: str) -> str:
        """Return a word in a grammatical case."""
        return decline(word, case, code)

    def plural(self, code: str, number: str, *forms: str) -> str:
        """Return the plural form for a number."""
        return plural_form(number, forms, code)

    def gender(self, _code: str, user: str, *forms: str) -> str:
        """Return the form for the gender of a user."""
        state = self.state
        parts = [nodes.Part(None, (form,) if form else ()) for form in forms]
        return gender_function(
            FunctionCall("gender", user, parts, state.expander.root_frame(), state)
        )

    def format_date(self, code: str, pattern: str, moment: str, local: bool) -> str:
        """Return a date as ``{{#time:}}`` formats it."""
        state = self.state
        registries = state.site.derived(WikitextRegistries)
        function = registries.function("#timel" if local else "#time")
        if function is None:
            raise HostError("formatDate needs the parser function #time")
        parts = [nodes.Part(None, (text,) if text else ()) for text in (moment, code)]
        call = FunctionCall("#time", pattern, parts, state.expander.root_frame(), state)
        node_count = state.usage.nodes
        result = function.function(call)
        # The count must not depend on whether the result was cached by the worker.
        state.usage.nodes = node_count
        text = result if isinstance(result, str) else result.text if result else ""
        if problem := _ERROR.search(text):
            raise HostError(f"bad argument #2 to 'formatDate' ({problem[1]})")
        return text

    def duration(self, code: str, unit: str, count: str) -> str:
        """Return a number of units of time, such as days, in words."""
        state = self.state
        key = f"duration-{unit}"
        if state.messages.template(key, code) is None:
            return f"{count} {unit}"
        return state.messages.text_in(code, key, count)

    functions = (
        HostFunction("language.isValidCode", is_valid_code, cacheable=True),
        HostFunction("language.isValidBuiltInCode", is_valid_built_in_code, cacheable=True),
        HostFunction("language.isSupportedLanguage", is_supported, cacheable=True),
        HostFunction("language.isKnownLanguageTag", is_known, cacheable=True),
        HostFunction("language.getFallbacksFor", fallbacks, cacheable=True),
        HostFunction("language.fetchLanguageName", name, cacheable=True),
        HostFunction("language.fetchLanguageNames", names, cacheable=True),
        HostFunction("language.toBcp47Code", bcp47, cacheable=True),
        HostFunction("language.isRTL", is_rtl, cacheable=True),
        HostFunction("language.caseFold", case_fold, cacheable=True),
        HostFunction("language.lcfirst", lower_first, cacheable=True),
        HostFunction("language.ucfirst", upper_first, cacheable=True),
        HostFunction("language.formatNum", format_num, cacheable=True),
        HostFunction("language.notation", notation, cacheable=True),
        HostFunction("language.parseFormattedNumber", parse_num, cacheable=True),
        HostFunction("language.convertGrammar", grammar, cacheable=True),
        HostFunction("language.plural", plural, cacheable=True),
        HostFunction("language.gender", gender),
        HostFunction("language.formatDate", format_date, cacheable=_is_fixed_date),
        HostFunction("language.duration", duration),
    )
