"""Sorts the members of categories as MediaWiki's collations do, and groups them under headings.

A collation makes a key of each text; members are stored with their keys and sorted by the bytes of
these. ``uppercase``, ``identity`` and ``numeric`` are made here. Those that begin with ``uca-`` are
the Unicode Collation Algorithm for a language, with the library ICU, to which the extra ``icu``
gives access. Its keys depend on its version.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple

from wikiapi.errors import CollationUnavailable
from wikiapi.languages.numbers import ascii_digits, localize_digits
from wikiapi.memoize import memoize

UPPERCASE = "uppercase"
"""The default collation."""

KEY_BYTES = 230
"""Maximum length of a stored key, that of the column on MariaDB."""
_SEPARATORS = str.maketrans("\n\t", "  ")
"""Replaces characters that would sort before or like the line feed between prefix and title."""


class Collation(ABC):
    """An order of texts. Can be used by several threads."""

    NUMERALS = "0–9"
    """The heading of texts that begin with a number, if numbers are sorted by their value. The
    message ``category-header-numerals`` says how it is shown."""

    def __init__(self, name: str, language: str) -> None:
        """Take the name of the setting, and the content language."""
        self.name = name
        self.language = language

    @property
    def version(self) -> str:
        """The name, and the version of what computes the keys if they depend on it.

        Keys that were made by another version must be made again.
        """
        return self.name

    @abstractmethod
    def key(self, text: str) -> bytes:
        """Return the key of a text.

        Raises:
            CollationUnavailable: it needs a package that is not installed.
        """

    @abstractmethod
    def heading(self, text: str) -> str:
        """Return the letter under which a text is listed, :attr:`NUMERALS` or, for none, ""."""

    def check(self) -> None:
        """Raise CollationUnavailable if keys cannot be made."""
        self.key("")

    def member_key(self, title: str, prefix: str = "") -> bytes:
        """Return the key under which a page is stored as a member of a category.

        ``title`` has no namespace, and spaces instead of underscores. ``prefix`` is the sort key
        that the page sets, if any.
        """
        return self.key(_member_text(title, prefix))[:KEY_BYTES]

    def member_heading(self, title: str, prefix: str = "") -> str:
        """Return the heading under which a page is listed as a member of a category."""
        return self.heading(_member_text(title, prefix))


def _member_text(title: str, prefix: str) -> str:
    prefix = prefix.translate(_SEPARATORS)
    return f"{prefix}\n{title}" if prefix else title


class _Identity(Collation):
    """Sorts by code points."""

    def key(self, text: str) -> bytes:
        return text.encode("utf-8", "surrogatepass")

    def heading(self, text: str) -> str:
        return _initial(text)


class _Uppercase(Collation):
    """Sorts by the code points of capital letters."""

    def key(self, text: str) -> bytes:
        return text.upper().encode("utf-8", "surrogatepass")

    def heading(self, text: str) -> str:
        return _initial(text).upper()


class _Numeric(_Uppercase):
    """Sorts by the code points of capital letters, and numbers by their value.

    A number is ASCII digits or those of the content language. In keys it becomes the digit 0, the
    number of its digits in two bytes, and its digits without leading zeros.
    """

    def key(self, text: str) -> bytes:
        return _NUMBER.sub(_numeric_key, super().key(ascii_digits(text, self.language)))

    def heading(self, text: str) -> str:
        if _NUMBER.match(ascii_digits(text[:1], self.language).encode("utf-8", "surrogatepass")):
            return self.NUMERALS
        return super().heading(text)


_NUMBER = re.compile(rb"[0-9]+")


def _numeric_key(match: re.Match[bytes]) -> bytes:
    digits = match[0].lstrip(b"0")
    return b"0" + (len(digits) & 0xFFFF).to_bytes(2, "big") + digits


def _initial(text: str) -> str:
    """Return the first character of a text; of a Korean syllable, its first letter, single."""
    first = text[:1]
    if not first or not unicodedata.name(first, "").startswith("HANGUL SYLLABLE"):
        return first
    name = unicodedata.name(unicodedata.normalize("NFD", first)[0])
    return unicodedata.lookup(name.replace("CHOSEONG", "LETTER").replace("SSANG", ""))


_PREFIX, _DEFAULT, _BY_VALUE = "uca-", "default", "-u-kn"


class _Unicode(Collation):
    """Sorts by the Unicode Collation Algorithm, as dictionaries of a language do."""

    def __init__(self, name: str, language: str) -> None:
        super().__init__(name, language)
        self._by_value = name.endswith(_BY_VALUE)
        code = name.removeprefix(_PREFIX).removesuffix(_BY_VALUE)
        self._locale = "" if code == _DEFAULT else code

    @property
    def version(self) -> str:
        return f"{self.name} ICU {self._icu.ICU_VERSION}"

    def key(self, text: str) -> bytes:
        # ICU ends keys with a null byte, which MediaWiki removes.
        return bytes(self._collator.getSortKey(text))[:-1]

    def heading(self, text: str) -> str:
        if not text:
            return ""
        try:
            heading = _initial(text) if _is_ideograph(text) else self._headings.of(text)
        except CollationUnavailable:
            return _Uppercase(self.name, self.language).heading(text)
        if self._by_value and heading.isnumeric() and not _is_ideograph(heading):
            return self.NUMERALS
        is_digit = heading.isdigit() and self._language
        return localize_digits(heading, self._language) if is_digit else heading

    @cached_property
    def _icu(self) -> Any:
        try:
            import icu
        except ImportError as error:
            raise CollationUnavailable(self.name) from error
        return icu

    @cached_property
    def _collator(self) -> Any:
        return self._new_collator()

    def _new_collator(self) -> Any:
        collator = self._icu.Collator.createInstance(self._icu.Locale(self._locale))
        if self._by_value:
            self._set(collator, "NUMERIC_COLLATION", "ON")
        return collator

    def _set(self, collator: Any, attribute: str, value: str) -> None:
        attributes, values = self._icu.UCollAttribute, self._icu.UCollAttributeValue
        collator.setAttribute(getattr(attributes, attribute), getattr(values, value))

    @property
    def _language(self) -> str:
        """The code of the language, with whose digits headings are shown; "" for none."""
        return self._locale.partition("@")[0].lower()

    @cached_property
    def _headings(self) -> _Headings:
        """The headings, in a tenth of a second."""
        letters = self._new_collator()
        letters.setStrength(self._icu.Collator.PRIMARY)
        capitals = self._new_collator()
        self._set(capitals, "CASE_FIRST", "UPPER_FIRST")
        own = [*map(str, capitals.getTailoredSet(self._icu.UnicodeSet()))]
        return _Headings.made(
            letters, [*_characters(), *own], partial(_rank, capitals, self._capitals())
        )

    def _capitals(self) -> set[str]:
        """Return the letters of the language's index that are capitals, in lower case."""
        kinds = self._icu.ULocaleDataExemplarSetType
        try:
            index = self._icu.LocaleData(self._locale or "root").getExemplarSet(0, kinds.ES_INDEX)
        except self._icu.ICUError:
            return set()
        return {str(letter).casefold() for letter in index if str(letter) != str(letter).casefold()}


class _Headings(NamedTuple):
    """The letters that are headings, sorted, with a collator that tells only letters apart."""

    collator: Any
    keys: list[bytes]
    letters: list[str]

    @classmethod
    def made(cls, collator: Any, texts: Iterable[str], rank: Any) -> _Headings:
        """Return a heading for each letter among the texts: the form of lowest rank.

        What is sorted as several letters, such as Æ in most languages, is none.
        """
        forms: dict[bytes, list[str]] = {}
        for text in texts:
            key = bytes(collator.getSortKey(text))[:-1]
            if key:
                forms.setdefault(key, []).append(unicodedata.normalize("NFC", text))
        keys: list[bytes] = []
        for key in sorted(forms):
            if not keys or not key.startswith(keys[-1]):
                keys.append(key)
        return cls(collator, keys, [min(forms[key], key=rank) for key in keys])

    def of(self, text: str) -> str:
        """Return the last heading that is not after a text; its first character if none is."""
        place = bisect_right(self.keys, bytes(self.collator.getSortKey(text))[:-1])
        return self.letters[place - 1] if place else text[:1].upper()


def _rank(collator: Any, index: set[str], form: str) -> tuple[Any, ...]:
    """Return what orders the forms of a letter: first its capital as the language's index has it.

    Of letters that have a capital only in running text, as those of Georgian, it is the small one.
    """
    return (
        form.casefold() not in index,
        not form[0].isalpha(),
        unicodedata.normalize("NFKC", form) != form,
        form.capitalize() != form,
        form.lower().capitalize() != form,
        bytes(collator.getSortKey(form)),
        form,
    )


def _is_ideograph(text: str) -> bool:
    """Return whether a text begins with an ideograph, which is a heading of its own."""
    return unicodedata.name(text[0], "").startswith(("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH"))


def _characters() -> Iterator[str]:
    """Yield every letter, number, mark and space but the ideographs."""
    for character in map(chr, range(_FIRST_IDEOGRAPHIC_PLANE)):
        is_heading = unicodedata.category(character)[0] in _HEADING_CATEGORIES
        if is_heading and not _is_ideograph(character):
            yield character


_FIRST_IDEOGRAPHIC_PLANE = 0x20000
_HEADING_CATEGORIES = frozenset("LNPSZ")

_KINDS: dict[str, type[Collation]] = {
    UPPERCASE: _Uppercase,
    "identity": _Identity,
    "numeric": _Numeric,
}


@memoize(8)
def collation(name: str, language: str) -> Collation:
    """Return the collation of a name, in which digits are also those of the content language.

    ``name`` is a value that the setting ``site.category_collation`` permits.
    """
    return _KINDS.get(name, _Unicode)(name, language)
