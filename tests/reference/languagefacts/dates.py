"""How languages write dates, as formats of ``{{#time:}}``, from the answers to ``{{#timef:}}``.

A language whose answers fit the formats of its first fallback language has those. For others, the
parts of each answer are recognised: numbers by their value, names by CLDR's or the messages that
were recorded for some languages, and what remains is literal.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tests.reference.languagefacts.probes import answers, languages
from tests.reference.languagefacts.tables import Table, by_language, by_value
from tests.reference.material import RECORDED
from wikiapi.languages.codes import cldr_locale
from wikiapi.languages.numbers import localize_digits

_ROOT = "en"
_TEXTS = {
    "both": "{{#timef:2026-03-05 07:08|both}}",
    "date": "{{#timef:2026-03-05 17:08|date}}",
    "time": "{{#timef:2026-03-05 17:08|time}}",
    "pretty": "{{#timef:2026-03-05 17:08|pretty}}",
}
_NUMBERS = {
    "2026": "Y",
    "2569": "xkY",
    "05": "d",
    "5": "j",
    "3": "n",
    "03": "m",
    "07": "H",
    "7": "G",
    "17": "H",
    "08": "i",
}
_MARCH, _THURSDAY = 3, 3
_MONTH_LETTERS, _DAY_LETTERS = ("F", "xg", "M"), ("l", "D")
_LONGEST_SHORT_MONTH = 4
_LONGEST_SHORT_DAY = 2
_TOKEN = re.compile(r'"[^"]*"|xkY|xg|[A-Za-z]')
_IN_BRACKETS = re.compile(r"(?<=[(（])[^)）]+(?=[)）])")
_MONTH_NUMBER = re.compile(r"(?<![0-9])0?3(?![0-9])")
_SHORT_HOUR = re.compile(r"(?<![0-9])7\D08")
_WORD_WITH_LETTERS = re.compile(r"[^\s.,:()-]*[A-Za-z][^\s.,:()-]*")

Formats = Mapping[str, str]
"""The formats of a language by kind."""
Names = Mapping[str, str]
"""The names of March and Thursday by the letter that stands for them in formats."""
Piece = tuple[str, str | None]
"""A part of a date and the letter that stands for it, if it is recognised."""


def date_facts(supplement: Table) -> Table:
    """Return the content of ``dateformats.json``.

    Args:
        supplement: the same for languages that have no answers, or whose answers do not suffice.
    """
    values = by_language(supplement)
    for code in languages():
        for kind, pattern in (formats_of(code) or {}).items():
            values.setdefault(kind, {}).setdefault(code, pattern)
    return by_value(values)


@cache
def formats_of(code: str) -> Formats | None:
    """Return the formats of a language by kind, or ``None`` if its answers were not recorded."""
    texts = texts_of(code)
    if texts is None:
        return None
    fallback = _fallback(code)
    inherited = formats_of(fallback) if fallback else None
    if inherited and _fit(inherited, texts, _names(code)):
        return inherited
    return _Reader(texts, _names(code)).formats()


def texts_of(code: str) -> Mapping[str, str] | None:
    """Return the recorded dates of a language by kind, with ASCII digits."""
    answered = answers(code, "date")
    if answered is None:
        return None
    signs = str.maketrans({localize_digits(str(value), code): str(value) for value in range(10)})
    return {kind: answered[text].translate(signs) for kind, text in _TEXTS.items()}


def _fallback(code: str) -> str | None:
    """Return the first fallback language with answers that does not fall back to the language."""
    chain = [*languages()[code].get("fallback", ()), _ROOT]
    others = [other for other in chain if other in languages() and texts_of(other)]
    return next(
        (
            other
            for other in others
            if other != code and code not in languages()[other].get("fallback", ())
        ),
        None,
    )


def _fit(formats: Formats, texts: Mapping[str, str], names: Names) -> bool:
    """Return whether dates have these formats, with no name in the place of another."""
    read = names_by(formats, texts)
    if read is None:
        return False
    return not any(
        letter in names and names[letter] != name and name in names.values()
        for letter, name in read.items()
    )


def names_by(formats: Formats, texts: Mapping[str, str]) -> Names | None:
    """Return the names in dates; ``None`` if the dates do not have these formats."""
    names: dict[str, str] = {}
    for kind, pattern in formats.items():
        match = _expression(pattern).fullmatch(texts[kind])
        if match is None:
            return None
        for letter, name in match.groupdict().items():
            if names.setdefault(letter, name) != name:
                return None
    return names


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """Return a regular expression for the recorded date in a format, with names as groups."""
    numbers: dict[str, list[str]] = {"G": ["17"]}
    for number, letter in _NUMBERS.items():
        numbers.setdefault(letter, []).append(number)
    parts, end = [], 0
    for token in _TOKEN.finditer(pattern):
        parts.append(re.escape(pattern[end : token.start()]))
        letter, end = token[0], token.end()
        if letter in (*_MONTH_LETTERS, *_DAY_LETTERS):
            parts.append(rf"(?P<{letter}>\S(?:.*\S)?)")
        else:
            values = numbers.get(letter) or [re.escape(letter.strip('"'))]
            parts.append("(?:" + "|".join(values) + ")")
    return re.compile("".join(parts) + re.escape(pattern[end:]))


@cache
def _names(code: str) -> Names:
    """Return the names in a language, as far as messages were recorded or CLDR has them."""
    path = RECORDED / "messages" / f"{code}.json.gz"
    if path.is_file():
        messages = json.loads(gzip.decompress(path.read_bytes()))
        keys = {"F": "march", "xg": "march-gen", "M": "mar", "l": "thursday", "D": "thu"}
        return {letter: messages[key] for letter, key in keys.items()}
    locale = cldr_locale(code)
    if locale is None:
        return {}
    return {
        "F": locale.months["stand-alone"]["wide"][_MARCH],
        "xg": locale.months["format"]["wide"][_MARCH],
        "M": locale.months["format"]["abbreviated"][_MARCH],
        "l": locale.days["stand-alone"]["wide"][_THURSDAY],
        "D": locale.days["format"]["abbreviated"][_THURSDAY],
    }


class _Reader:
    """Recognises the parts of the dates of a language."""

    def __init__(self, texts: Mapping[str, str], names: Names) -> None:
        self._texts = texts
        self._names = names
        self._month = self._month_alone()

    def formats(self) -> Formats:
        """Return the formats of the dates by kind."""
        formats = {kind: "".join(map(_written, self._pieces(kind))) for kind in self._texts}
        if _SHORT_HOUR.search(self._texts["both"]):
            return {kind: pattern.replace("H", "G") for kind, pattern in formats.items()}
        return formats

    def _month_alone(self) -> str:
        """Return the name of the month in a date without year, where it is most often alone."""
        text = self._texts["pretty"]
        names = (self._names.get(letter) for letter in ("F", "xg"))
        return next((name for name in names if name and name in text), _longest_words(text))

    def _pieces(self, kind: str) -> Sequence[Piece]:
        text = self._texts[kind]
        pieces: Sequence[Piece] = [(text, None)]
        if _MONTH_NUMBER.search(text):
            weekday = _bracketed(text)
            pieces = _split(pieces, weekday, self._day_letter(weekday)) if weekday else pieces
        elif kind != "time":
            pieces = _split(pieces, *self._month_in(text))
        for letter in _DAY_LETTERS:
            name = self._names.get(letter, "")
            pieces = _split(pieces, name, letter) if len(name) > _LONGEST_SHORT_DAY else pieces
        return list(_with_numbers(pieces))

    def _day_letter(self, weekday: str) -> str:
        others = {_bracketed(text) for text in self._texts.values()} - {"", weekday}
        longest = min(map(len, others)) - 1 if others else _LONGEST_SHORT_DAY
        return "D" if len(weekday) <= longest else "l"

    def _month_in(self, text: str) -> tuple[str, str]:
        """Return the name of the month in a date, and the letter that stands for it."""
        names = [(self._names[key], key) for key in _MONTH_LETTERS if key in self._names]
        # Where both forms differ, the names are exact, and what follows one is literal.
        has_suffixes = self._names.get("F") != self._names.get("xg")
        for name, letter in sorted(names, key=lambda pair: -len(pair[0])):
            word = _word_with(name, text)
            if word == name or (word and letter != "M" and has_suffixes):
                return name, letter
        word = _word_with(self._month, text) or _longest_words(text)
        return word, self._month_letter(word)

    def _month_letter(self, name: str) -> str:
        if name == self._month:
            return "F"
        start, alone = name.rstrip(".").casefold(), self._month.casefold()
        is_start = len(start) < len(alone) and alone.startswith(start)
        is_short = len(name) <= _LONGEST_SHORT_MONTH and start[:1] == alone[:1]
        return "M" if is_start or is_short else "xg"


def _bracketed(text: str) -> str:
    match = _IN_BRACKETS.search(text)
    return match[0] if match else ""


def _longest_words(text: str) -> str:
    """Return the longest text between numbers."""
    return max((words.strip(" ,.-") for words in re.split(r"[0-9:]+", text)), key=len)


def _word_with(name: str, text: str) -> str | None:
    """Return the word of a text that begins with a name."""
    match = re.search(rf"(?<!\w){re.escape(name)}[^\s0-9.,-]*", text) if name else None
    return match[0] if match else None


def _split(pieces: Sequence[Piece], name: str, letter: str) -> Sequence[Piece]:
    """Return pieces with a name as one of its own."""
    parts: list[Piece] = []
    for text, own in pieces:
        before, middle, after = text.partition(name) if own is None else (text, "", "")
        parts.append((before, own))
        if middle:
            parts += [(name, letter), (after, None)]
    return parts


def _with_numbers(pieces: Sequence[Piece]) -> Iterator[Piece]:
    for text, own in pieces:
        if own is not None:
            yield text, own
        else:
            yield from ((part, _NUMBERS.get(part)) for part in re.split("([0-9]+)", text))


def _written(piece: Piece) -> str:
    """Return the letter of a piece, or its text with words quoted that have letters of formats."""
    text, letter = piece
    return letter or _WORD_WITH_LETTERS.sub(lambda match: f'"{match[0]}"', text)
