"""What ``mw.language`` asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.i18n import direction, html_code
from wikiapi.i18n.catalog import plural_index
from wikiapi.i18n.dates import locale_of
from wikiapi.i18n.languages import cldr_locale
from wikiapi.memoize import memoize
from wikiapi.wikitext import FunctionCall
from wikiapi.wikitext.numbers import format_number, format_without_groups, parse_formatted
from wikiapi.wikitext.preprocess.nodes import Part
from wikiapi_plugins.extensions.scribunto.errors import Refusal
from wikiapi_plugins.extensions.scribunto.host.basics import Operations
from wikiapi_plugins.facts import facts
from wikiapi_plugins.wikitext.parserfunctions.language import gender as gender_function

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

_BUILT_IN_CODE = re.compile(r"[a-z0-9-]{2,}\Z", re.ASCII)
_NOT_IN_CODES = re.compile(r"[:/\\.\0<>&'\"]")
_INTEGER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z", re.ASCII)
_ROOT = "en"
_ERROR = re.compile(
    r'\A(?:[^<]++|<(?!(?:strong|span) class="error">))*+<\w++ class="error">(.*?)</', re.DOTALL
)


def is_valid_code(_: Session, code: str) -> bool:
    """Whether a text can be the code of a language, known or not."""
    return bool(code) and not _NOT_IN_CODES.search(code) and not code.startswith("-")


def is_valid_built_in_code(_: Session, code: str) -> bool:
    """Whether a text has the form of the codes that MediaWiki itself uses."""
    return bool(_BUILT_IN_CODE.match(code))


def is_supported(_: Session, code: str) -> bool:
    """Whether there are texts of the interface in a language."""
    return code in facts("languages")


def is_known(_: Session, code: str) -> bool:
    """Whether a language has a name."""
    return code in facts("languages")


def fallbacks(_: Session, code: str, *_strictness: int) -> list[list[str]]:
    """The languages whose texts stand in for a language's own, best first."""
    chain = list(facts("languagefallbacks").get(code, ()))
    if code != _ROOT and _ROOT not in chain:
        chain.append(_ROOT)
    return [chain]


def name(_: Session, code: str, *languages: str) -> str:
    """What a language is called, in itself or in another language; empty for an unknown one."""
    own = facts("languages").get(code, "")
    if not languages or languages[0] == code or not own:
        return str(own)
    return _name_in(code, languages[0]) or str(own)


def names(_: Session, language: str | bool, __: str | bool) -> Mapping[str, str]:
    """The names of all languages by code, in themselves or in one language."""
    known: Mapping[str, str] = facts("languages")
    if not isinstance(language, str):
        return dict(known)
    return {code: _name_in(code, language) or own for code, own in known.items()}


@memoize(2048)
def _name_in(code: str, language: str) -> str:
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale_of(language))) or ""


def bcp47(_: Session, code: str) -> str:
    """The usual spelling of a code."""
    return html_code(code)


def is_rtl(_: Session, code: str) -> bool:
    """Whether a language is written from right to left."""
    return direction(code) == "rtl"


def case_fold(_: Session, __: str, text: str) -> str:
    """A text in which letters differ only by what they are, not by case."""
    return text.upper()


def format_num(_: Session, code: str, number: str, without_groups: bool) -> str:
    """A number as a language writes it."""
    write = format_without_groups if without_groups else format_number
    return write(number, code)


def parse_num(_: Session, code: str, text: str) -> float | int | None:
    """The number that a language writes so; ``None`` for no number."""
    plain = parse_formatted(text, code)
    if not _INTEGER.match(plain):
        return None
    number = float(plain)
    return int(number) if number.is_integer() else number


def grammar(_: Session, __: str, word: str, ___: str) -> str:
    """The word as it is: its forms are for each wiki to configure, and none is."""
    return word


def plural(_: Session, code: str, number: str, *forms: str) -> str:
    """The form that goes with a number."""
    if not forms:
        return ""
    return forms[min(plural_index(number, code), len(forms) - 1)]


def gender(session: Session, _: str, user: str, *forms: str) -> str:
    """The form that goes with a user."""
    state = session.state
    parts = [Part(None, (form,) if form else ()) for form in forms]
    return gender_function(FunctionCall("gender", user, parts, state.root_frame(), state))


def format_date(session: Session, code: str, pattern: str, moment: str, local: bool) -> str:
    """A moment written by a pattern: what ``{{#time:}}`` does."""
    state = session.state
    function = state.registries.function("#timel" if local else "#time")
    if function is None:
        raise Refusal("formatDate needs the parser function #time")
    parts = [Part(None, (text,) if text else ()) for text in (moment, code)]
    call = FunctionCall("#time", pattern, parts, state.root_frame(), state)
    nodes = state.usage.nodes
    result = function.function(call)
    # Nothing was preprocessed, and who knows the answer does not ask: a page counts the same.
    state.usage.nodes = nodes
    text = result if isinstance(result, str) else result.text if result else ""
    if problem := _ERROR.search(text):
        raise Refusal(f"bad argument #2 to 'formatDate' ({problem[1]})")
    return text


def duration(session: Session, code: str, unit: str, count: str) -> str:
    """So many of a unit of time, in words."""
    state = session.state
    key = f"duration-{unit}"
    if state.parser.messages.template(key, code) is None:
        return f"{count} {unit}"
    return state.message(key, count)


OPERATIONS: Operations = MappingProxyType(
    {
        "language.isValidCode": is_valid_code,
        "language.isValidBuiltInCode": is_valid_built_in_code,
        "language.isSupportedLanguage": is_supported,
        "language.isKnownLanguageTag": is_known,
        "language.getFallbacksFor": fallbacks,
        "language.fetchLanguageName": name,
        "language.fetchLanguageNames": names,
        "language.toBcp47Code": bcp47,
        "language.isRTL": is_rtl,
        "language.caseFold": case_fold,
        "language.formatNum": format_num,
        "language.parseFormattedNumber": parse_num,
        "language.convertGrammar": grammar,
        "language.plural": plural,
        "language.gender": gender,
        "language.formatDate": format_date,
        "language.duration": duration,
    }
)
