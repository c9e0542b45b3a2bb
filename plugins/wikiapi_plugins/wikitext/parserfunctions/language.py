"""Parser functions about languages, and about texts and numbers in the page's language.

``{{#language:code}}``, ``#dir`` and ``#bcp47`` return the name, direction and standard code of a
language, by default the page's. ``plural``, ``gender`` and ``grammar`` choose a form of a text;
``formatnum`` and ``bidi`` format one. ``int`` returns an interface message.
"""

from __future__ import annotations

import math
import re

from wikiapi.languages import (
    INFINITIES,
    NOT_A_NUMBER,
    NUMERIC,
    decline,
    direction,
    format_exactly,
    format_number,
    format_without_groups,
    html_code,
    internal_code,
    is_language_code,
    parse_formatted,
    plural_form,
)
from wikiapi.store.queries import users
from wikiapi.title import USER
from wikiapi.wikitext import (
    MARKER,
    Expansion,
    FunctionCall,
    ParserFunction,
    StripState,
    Variable,
    isolated,
    outside_markers,
)
from wikiapi_plugins.shared.facts import facts

_BCP47 = "language_option_bcp47"
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
    is_bcp47 = call.site.magic_words.matches(_BCP47, call.arg(1))
    return direction(internal_code(code) if is_bcp47 else code)


def _bcp47(call: FunctionCall) -> str:
    return html_code(call.first or call.state.page_language)


_FORMAL = ("-formal", "-x-formal")


def grammar(call: FunctionCall) -> str:
    """Return a word in a grammatical case of the page's language."""
    return decline(StripState.kill(call.arg(1)), call.first, call.state.page_language)


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

    A form that begins with ``12=`` is only for that number. The number is the one with which the
    argument begins, else 0; so it is for one that is too large.
    """
    language = call.state.page_language
    number = _LEADING_NUMBER.match(parse_formatted(call.first, language))
    is_finite = number is not None and math.isfinite(float(number[0]))
    return plural_form(number[0] if number and is_finite else "0", call.args[1:], language)


_LEADING_NUMBER = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?"
)


_CATEGORY = "nonnumeric-formatnum"
_WORDS = frozenset({NOT_A_NUMBER, *INFINITIES})
_OPTIONS = (_RAW, _WITHOUT_GROUPS, _EXACT) = ("rawsuffix", "nocommafysuffix", "lossless")


def formatnum(call: FunctionCall) -> str:
    """Return a number formatted for the page's language.

    Options: ``R`` converts a formatted number back, ``NOSEP`` leaves out the group separators, and
    ``LOSSLESS`` prevents rounding.
    """
    language, words = call.state.page_language, call.site.magic_words
    options = {words.which(_OPTIONS, option) for option in (call.arg(1), call.arg(2))}
    if _RAW in options:
        return outside_markers(lambda text: _parsed(text, call), call.first)
    write = format_number
    if _WITHOUT_GROUPS in options:
        write = format_without_groups
    elif _EXACT in options:
        write = format_exactly
    texts = MARKER.split(call.first)[::2] if call.first else []
    if texts and not texts[-1]:
        texts.pop()
    if any(text not in _WORDS and not NUMERIC.fullmatch(text) for text in texts):
        call.state.notices.add_tracking_category(_CATEGORY)
    return outside_markers(
        lambda text: _not_a_number(call) if text == NOT_A_NUMBER else write(text, language),
        call.first,
    )


def _parsed(text: str, call: FunctionCall) -> str:
    if text == _not_a_number(call):
        return NOT_A_NUMBER
    return parse_formatted(text, call.state.page_language)


def _not_a_number(call: FunctionCall) -> str:
    template = call.state.messages.template("formatnum-nan", call.state.page_language)
    return template.text if template else NOT_A_NUMBER


_PARAMETER = re.compile(r"\$([1-9])")


def int_(call: FunctionCall) -> str | Expansion | None:
    """Return an interface message with its parameters filled in, to be expanded as wikitext."""
    if not call.first:
        return None
    name, language = call.first.replace(" ", "_"), call.state.options.language or call.site.language
    key = name[:1].lower() + name[1:]
    page = call.site.messages.page_of(key, language)
    if page and call.frame.is_active(page):
        return call.state.expander.loop_error(page)
    template = call.state.messages.template(key, language)
    if template is None:
        return f"\u29fc{key}\u29fd"
    args, text = call.args, template.text
    filled = _PARAMETER.sub(lambda m: args[int(m[1])] if int(m[1]) < len(args) else m[0], text)
    return Expansion(filled, preprocess=True, source=page.key if page else None)


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
