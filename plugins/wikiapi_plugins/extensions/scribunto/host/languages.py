"""The functions of ``mw.language``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wikiapi.i18n import direction, html_code
from wikiapi.i18n.catalog import plural_index
from wikiapi.i18n.dates import locale_of
from wikiapi.i18n.languages import cldr_locale
from wikiapi.i18n.numbers import (
    MINUS,
    format_number,
    format_without_groups,
    localize_digits,
    notation_of,
    parse_formatted,
)
from wikiapi.memoize import memoize
from wikiapi.wikitext import FunctionCall
from wikiapi.wikitext.preprocess.nodes import Part
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.facts import facts
from wikiapi_plugins.wikitext.parserfunctions.language import gender as gender_function

_BUILT_IN_CODE = re.compile(r"[a-z0-9-]{2,}\Z", re.ASCII)
_NOT_IN_CODES = re.compile(r"[:/\\.\0<>&'\"]")
_INTEGER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z", re.ASCII)
_ROOT = "en"
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\Z", re.ASCII)
_ERROR = re.compile(
    r'\A(?:[^<]++|<(?!(?:strong|span) class="error">))*+<\w++ class="error">(.*?)</', re.DOTALL
)


@memoize(2048)
def _name_in(code: str, language: str) -> str:
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale_of(language))) or ""


def _is_fixed_date(code: str, _pattern: str, moment: str, _local: bool) -> bool:
    """Return whether a date is formatted in the same way at any time and on any page.

    Where a language is not known, that of the page takes its place.
    """
    return bool(_DATE.match(moment)) and cldr_locale(code) is not None


class LanguageLibrary(Library):
    """Languages, and what is written differently in them."""

    def is_valid_code(self, code: str) -> bool:
        """Return whether a text can be the code of a language, known or not."""
        return bool(code) and not _NOT_IN_CODES.search(code) and not code.startswith("-")

    def is_valid_built_in_code(self, code: str) -> bool:
        """Return whether a text has the form of the codes that MediaWiki itself uses."""
        return bool(_BUILT_IN_CODE.match(code))

    def is_supported(self, code: str) -> bool:
        """Return whether the interface can be shown in a language."""
        return self.is_known(code) and code not in facts("languageswithoutinterface")

    def is_known(self, code: str) -> bool:
        """Return whether a language has a name."""
        return code in facts("languages")

    def fallbacks(self, code: str, *_strictness: int) -> list[list[str]]:
        """Return the fallback languages of a language, best first."""
        chain = list(facts("languagefallbacks").get(code, ()))
        if code != _ROOT and _ROOT not in chain:
            chain.append(_ROOT)
        return [chain]

    def name(self, code: str, *languages: str) -> str:
        """Return the name of a language, in itself or another one; empty if it is unknown."""
        own = facts("languages").get(code, "")
        if not languages or languages[0] == code or not own:
            return str(own)
        return _name_in(code, languages[0]) or str(own)

    def names(self, language: str | bool, __: str | bool) -> Mapping[str, str]:
        """Return the names of all languages by code, in themselves or in one language."""
        known: Mapping[str, str] = facts("languages")
        if not isinstance(language, str):
            return dict(known)
        return {code: _name_in(code, language) or own for code, own in known.items()}

    def bcp47(self, code: str) -> str:
        """Return a language code as BCP 47 spells it."""
        return html_code(code)

    def is_rtl(self, code: str) -> bool:
        """Return whether a language is written from right to left."""
        return direction(code) == "rtl"

    def case_fold(self, __: str, text: str) -> str:
        """Return the text without differences of case."""
        return text.upper()

    def format_num(self, code: str, number: str, without_groups: bool) -> str:
        """Return a number as it is written in a language."""
        write = format_without_groups if without_groups else format_number
        return write(number, code)

    def notation(self, code: str) -> Mapping[str, str | int] | bool:
        """Return how a language writes numbers; false if it has digits of its own."""
        if localize_digits("0", code) != "0":
            return False
        return {**notation_of(code)._asdict(), "minus": MINUS}

    def parse_num(self, code: str, text: str) -> float | int | None:
        """Return the number that is written like this in a language; ``None`` for no number."""
        plain = parse_formatted(text, code)
        if not _INTEGER.match(plain):
            return None
        number = float(plain)
        return int(number) if number.is_integer() else number

    def grammar(self, __: str, word: str, ___: str) -> str:
        """Return the word unchanged: inflections are configured by each wiki, and none is."""
        return word

    def plural(self, code: str, number: str, *forms: str) -> str:
        """Return the form for a number."""
        if not forms:
            return ""
        return forms[min(plural_index(number, code), len(forms) - 1)]

    def gender(self, _: str, user: str, *forms: str) -> str:
        """Return the form for the gender of a user."""
        state = self.state
        parts = [Part(None, (form,) if form else ()) for form in forms]
        return gender_function(
            FunctionCall("gender", user, parts, state.expander.root_frame(), state)
        )

    def format_date(self, code: str, pattern: str, moment: str, local: bool) -> str:
        """Return a date as ``{{#time:}}`` formats it."""
        state = self.state
        function = state.registries.function("#timel" if local else "#time")
        if function is None:
            raise Refusal("formatDate needs the parser function #time")
        parts = [Part(None, (text,) if text else ()) for text in (moment, code)]
        call = FunctionCall("#time", pattern, parts, state.expander.root_frame(), state)
        nodes = state.usage.nodes
        result = function.function(call)
        # Nothing was preprocessed, and with a cached result this is not called: count the same.
        state.usage.nodes = nodes
        text = result if isinstance(result, str) else result.text if result else ""
        if problem := _ERROR.search(text):
            raise Refusal(f"bad argument #2 to 'formatDate' ({problem[1]})")
        return text

    def duration(self, code: str, unit: str, count: str) -> str:
        """Return a number of units of time in words."""
        state = self.state
        key = f"duration-{unit}"
        if state.parser.messages.template(key, code) is None:
            return f"{count} {unit}"
        return state.messages.text(key, count)

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
        HostFunction("language.formatNum", format_num, cacheable=True),
        HostFunction("language.notation", notation, cacheable=True),
        HostFunction("language.parseFormattedNumber", parse_num, cacheable=True),
        HostFunction("language.convertGrammar", grammar, cacheable=True),
        HostFunction("language.plural", plural, cacheable=True),
        HostFunction("language.gender", gender),
        HostFunction("language.formatDate", format_date, cacheable=_is_fixed_date),
        HostFunction("language.duration", duration),
    )
