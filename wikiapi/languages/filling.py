"""Filling texts: parameters in place of ``$1``, and the form that goes with a number.

``{{PLURAL:$1|one|other}}`` and ``{{GENDER:$1|he|she|they}}`` are all of wikitext that is read here.
A text with more of it, as :func:`needs_parser` says, is for the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from wikiapi.languages.localized import localized_texts
from wikiapi.languages.message import Duration, ListOf, MessageParam, Num, Plain, Raw
from wikiapi.languages.numbers import format_number
from wikiapi.languages.plural import plural_form

_PARAMETER = re.compile(r"\$([1-9])")
_PLURAL = re.compile(r"\{\{PLURAL:([^|{}]*)\|([^{}]*)\}\}", re.IGNORECASE)
_SIMPLE_PLURAL = re.compile(r"\{\{PLURAL:\$[1-9]\|[^{}=\[\]]*\}\}", re.IGNORECASE)
_SIMPLE_GENDER = re.compile(r"\{\{GENDER:\$([1-9])\|([^{}\[\]]*)\}\}", re.IGNORECASE)
_POSITIONS = {"male": 0, "female": 1, "": 2}
"""The form of a text by gender."""


Words = Callable[[str], str | None]
"""Returns a text of a language by its key, such as ``comma-separator``; None if there is none."""

_UNITS = (
    ("duration-years", 31_556_952),
    ("duration-weeks", 604_800),
    ("duration-days", 86_400),
    ("duration-hours", 3_600),
    ("duration-minutes", 60),
    ("duration-seconds", 1),
)
"""Units of durations, with their seconds. A year is one of the Gregorian calendar on average."""


def needs_parser(template: str) -> bool:
    """Return whether a text has templates or functions other than simple choices of forms."""
    if "{{" not in template:
        return False
    return "{{" in _SIMPLE_GENDER.sub("", _SIMPLE_PLURAL.sub("", template))


def fill(
    template: str,
    params: tuple[MessageParam, ...],
    language: str,
    words: Words | None = None,
) -> str:
    """Return a template with its plural forms resolved and its parameters inserted.

    ``words`` returns the texts for lists and durations, by default those of CLDR.
    """
    template = resolve_plurals(template, params, language)
    return insert(template, params, lambda param: render_param(param, language, words))


def resolve_plurals(template: str, params: tuple[MessageParam, ...], language: str) -> str:
    """Return a template with the forms that go with the numbers among the parameters."""
    if "{{" not in template:
        return template

    def form(match: re.Match[str]) -> str:
        number = _PARAMETER.sub(lambda m: _number_of(params, int(m[1])), match[1]).strip()
        return plural_form(number, match[2].split("|"), language)

    return _PLURAL.sub(form, template)


def resolve_genders(
    template: str, params: tuple[MessageParam, ...], gender_of: Callable[[str], str]
) -> str:
    """Return a template with the forms for the users whose names are among the parameters.

    ``gender_of`` returns ``male``, ``female``, or "" for a user who has told neither. Where a form
    is missing, the first one is used.
    """

    def form(match: re.Match[str]) -> str:
        index, forms = int(match[1]), match[2].split("|")
        param = params[index - 1] if index <= len(params) else ""
        position = _POSITIONS[gender_of(render_param(param, ""))] if len(forms) > 1 else 0
        return forms[position] if position < len(forms) else forms[0]

    return _SIMPLE_GENDER.sub(form, template) if "{{" in template else template


def insert(
    template: str,
    params: tuple[MessageParam, ...],
    render: Callable[[MessageParam], str | None],
) -> str:
    """Return a template with parameters inserted, as ``render`` writes them.

    Those for which it returns None are left to be inserted later.
    """

    def rendered(match: re.Match[str]) -> str:
        index = int(match[1])
        text = render(params[index - 1]) if index <= len(params) else None
        return match[0] if text is None else text

    return _PARAMETER.sub(rendered, template)


def render_param(param: MessageParam, language: str, words: Words | None = None) -> str:
    """Return a parameter as plain text."""
    match param:
        case Raw(value) | Plain(value):
            return value
        case Num(value):
            whole = isinstance(value, float) and value.is_integer()
            return format_number(str(int(value) if whole else value), language)
        case ListOf(values, kind):
            parts = [render_param(value, language, words) for value in values]
            return join_list(parts, kind, words or localized_texts(language).get)
        case Duration(seconds):
            return render_duration(seconds, language, words or localized_texts(language).get)
        case _:
            return str(param)


def render_duration(seconds: int, language: str, words: Words) -> str:
    """Return a duration as text, such as ``2 days and 3 hours``."""
    counts: list[tuple[str, int]] = []
    for key, size in _UNITS:
        count, seconds = divmod(seconds, size)
        counts.append((key, count))
    return render_counts([pair for pair in counts if pair[1]] or counts[-1:], language, words)


def render_counts(counts: Sequence[tuple[str, int]], language: str, words: Words) -> str:
    """Return numbers of things as a list; each has the key of its text, ``$1`` is the number."""
    texts = [fill(words(key) or "$1", (Num(count),), language) for key, count in counts]
    return join_list(texts, "text", words)


def join_list(parts: list[str], kind: str, words: Words) -> str:
    """Return a list as text: ``a, b and c``, or with the same separator between all items.

    Args:
        parts: the items.
        kind: ``text`` for a list in a sentence, or ``comma``, ``semicolon`` or ``pipe``.
        words: returns the texts for separators.
    """
    if kind != "text":
        return (words(f"{kind}-separator") or ", ").join(parts)
    if len(parts) < 2:
        return "".join(parts)
    comma = words("comma-separator") or ", "
    last = f"{words('and') or ''}{words('word-separator') or ' '}"
    return f"{comma.join(parts[:-1])}{last}{parts[-1]}"


def _number_of(params: tuple[MessageParam, ...], index: int) -> str:
    if index > len(params):
        return "0"
    param = params[index - 1]
    match param:
        case Num(value) | Raw(value) | Plain(value):
            return str(value)
        case ListOf(values, _):
            return str(len(values))
        case Duration(seconds):
            return str(seconds)
        case _:
            return str(param)
