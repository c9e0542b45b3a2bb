"""Parser functions about languages, and about texts and numbers in the page's language.

``{{#language:code}}``, ``#dir`` and ``#bcp47`` return the name, direction and standard code of a
language, by default the page's. ``plural``, ``gender`` and ``grammar`` choose a form of a text;
``formatnum`` and ``bidi`` format one. ``int`` returns an interface message.
"""

from __future__ import annotations

import math
import re

from wikiapi.i18n import direction, html_code
from wikiapi.i18n.catalog import plural_index
from wikiapi.i18n.languages import internal_code, is_language_code
from wikiapi.i18n.numbers import (
    format_exactly,
    format_number,
    format_without_groups,
    parse_formatted,
)
from wikiapi.store.queries import users
from wikiapi.title import MEDIAWIKI, USER, Title
from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, Variable
from wikiapi.wikitext.expand.strip import MARKER, StripState, outside_markers
from wikiapi.wikitext.html.direction import isolated
from wikiapi_plugins.facts import facts

_BCP47 = "bcp47"
_BAD_CODE = "bad-language-code-category"


def language_name(code: str) -> str:
    """Return the name of a language in that language, or its code if the name is not known."""
    names = facts("languages")
    code = code.lower()
    return names.get(code) or names.get(internal_code(code)) or html_code(code)


def _language(call: FunctionCall) -> str:
    return language_name(call.first or call.state.page_language)


def _direction(call: FunctionCall) -> str:
    code = call.first.lower() or call.state.page_language
    if not is_language_code(code):
        call.state.notices.add_tracking_category(_BAD_CODE)
        code = call.state.page_language
    return direction(internal_code(code) if call.arg(1) == _BCP47 else code)


def _bcp47(call: FunctionCall) -> str:
    return html_code(call.first or call.state.page_language)


_FORMAL = ("-formal", "-x-formal")


def grammar(call: FunctionCall) -> str:
    """Return the unchanged word, since no grammatical forms can be configured."""
    return StripState.kill(call.arg(1))


def formal(call: FunctionCall) -> str:
    """Return the second form if the page's language is a formal variety, else the first."""
    index = 1 if call.state.page_language.endswith(_FORMAL) else 0
    return call.arg(index, call.first)


def bidi(call: FunctionCall) -> str:
    """Return the text isolated, so that it does not affect the direction of text around it."""
    return isolated(call.first)


_POSITIONS = {"male": 0, "female": 1}


def gender(call: FunctionCall) -> str:
    """Return the form for the gender of a user. If unknown, that is the third or else the first."""
    forms = call.args[1:]
    if len(forms) < 2:
        return forms[0] if forms else ""
    neutral = 2 if len(forms) > 2 else 0
    return forms[min(_POSITIONS.get(_gender(call), neutral), len(forms) - 1)]


def _gender(call: FunctionCall) -> str:
    title = call.site.titles.try_parse(call.first, USER)
    if title is None or title.ns != USER:
        return ""
    user = users.by_names(call.site.db, [title.text]).get(title.text)
    if user is None:
        return ""
    return users.properties(call.site.db, [user.user_id], "gender").get(user.user_id) or ""


def plural(call: FunctionCall) -> str:
    """Return the form by the plural rules of the page's language.

    A form that begins with ``12=`` is only for that number.
    """
    language = call.state.page_language
    number = parse_formatted(call.first, language)
    forms: list[str] = []
    for form in call.args[1:]:
        exact, mark, text = form.partition("=")
        if mark and exact.isascii() and exact.isdigit():
            if exact == number:
                return text
        else:
            forms.append(form)
    if not forms:
        return ""
    return forms[min(_index(number, language), len(forms) - 1)]


def _index(number: str, language: str) -> int:
    """Return the index of a number's plural form. Invalid or too large numbers count as 0."""
    try:
        finite = math.isfinite(float(number))
    except ValueError:
        finite = False
    return plural_index(number if finite else "0", language)


_CATEGORY = "nonnumeric-formatnum"
_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?[ \t\n\r\v\f]*"
)
_WORDS = frozenset({"NAN", "INF", "-INF"})


def formatnum(call: FunctionCall) -> str:
    """Return a number formatted for the page's language.

    Options: ``R`` converts a formatted number back, ``NOSEP`` leaves out the group separators, and
    ``LOSSLESS`` prevents rounding.
    """
    language, options = call.state.page_language, (call.arg(1), call.arg(2))
    if "R" in options:
        return outside_markers(lambda text: parse_formatted(text, language), call.first)
    words = {option.upper() for option in options}
    write = format_number
    if "NOSEP" in words:
        write = format_without_groups
    elif "LOSSLESS" in words:
        write = format_exactly
    _track(call)
    return outside_markers(lambda text: write(text, language), call.first)


def _track(call: FunctionCall) -> None:
    """Add a tracking category if the argument is not just a number."""
    texts = MARKER.split(call.first)[::2] if call.first else []
    if texts and not texts[-1]:
        texts.pop()
    if any(text not in _WORDS and not _NUMERIC.fullmatch(text) for text in texts):
        call.state.notices.add_tracking_category(_CATEGORY)


_PARAMETER = re.compile(r"\$([1-9])")


def int_(call: FunctionCall) -> str | Expansion | None:
    """Return an interface message with its parameters filled in, to be expanded as wikitext."""
    if not call.first:
        return None
    key = _key(call.first)
    page = _page(call, key)
    if page and call.frame.is_active(page):
        return call.state.expander.loop_error(page)
    stored = call.state.loader.get(page) if page else None
    text = (
        stored.text
        if stored
        else call.state.parser.messages.template(key, _interface_language(call))
    )
    if text is None:
        return f"\u29fc{key}\u29fd"
    args = call.args
    filled = _PARAMETER.sub(lambda m: args[int(m[1])] if int(m[1]) < len(args) else m[0], text)
    return Expansion(filled, preprocess=True, source=page.key if page else None)


def _key(name: str) -> str:
    name = name.replace(" ", "_")
    return name[:1].lower() + name[1:]


def _interface_language(call: FunctionCall) -> str:
    return call.state.options.language or call.site.language


def _page(call: FunctionCall, key: str) -> Title | None:
    """Return the page in the MediaWiki namespace that may replace the message."""
    language = _interface_language(call)
    name = key if language == call.site.language else f"{key}/{language}"
    title = call.site.titles.try_parse(name, MEDIAWIKI)
    return title if title and title.ns == MEDIAWIKI else None


VARIABLES = (
    Variable("#language", lambda state: language_name(state.page_language), case_sensitive=False),
    Variable("#dir", lambda state: direction(state.page_language)),
    Variable("#bcp47", lambda state: html_code(state.page_language)),
)

DECLARATIONS = (
    ParserFunction("#language", _language),
    ParserFunction("#dir", _direction, case_sensitive=True),
    ParserFunction("#bcp47", _bcp47, case_sensitive=True),
    ParserFunction("grammar", grammar),
    ParserFunction("#FORMAL", formal, case_sensitive=True),
    ParserFunction("bidi", bidi),
    ParserFunction("gender", gender),
    ParserFunction("plural", plural),
    ParserFunction("formatnum", formatnum),
    ParserFunction("int", int_),
)
