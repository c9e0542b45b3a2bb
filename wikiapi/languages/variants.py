"""Language variants, such as scripts, and the conversion between them.

A plugin declares a :class:`LanguageConverter` for a language. :mod:`wikiapi.wikitext.variants`
decides which parts of a text are converted, and implements the markup ``-{...}-``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType

from wikiapi.languages.codes import internal_code

LONGEST_KEY = 100
"""The longest text in characters that a table can replace, which limits the work per character."""


class ConversionTable:
    """Texts and their replacements.

    At each position the longest match is replaced, and replacements are not converted again. The
    time is linear in the length of the text.
    """

    def __init__(self, pairs: Mapping[str, str] = MappingProxyType({})) -> None:
        """Create a table with these pairs, which are added as by :meth:`add`."""
        self._pairs: dict[str, str] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        """The lengths of the texts that begin with a character, in descending order."""
        for source, target in pairs.items():
            self.add(source, target)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self._pairs)

    def copy(self) -> ConversionTable:
        """Return a copy that can be changed independently."""
        copy = ConversionTable()
        copy._pairs, copy._lengths = dict(self._pairs), dict(self._lengths)
        return copy

    def add(self, source: str, target: str) -> None:
        """Add or change a pair; a source text that is empty or too long is ignored."""
        size = len(source)
        if not 0 < size <= LONGEST_KEY:
            return
        self._pairs[source] = target
        lengths = self._lengths.get(source[0], ())
        if size not in lengths:
            self._lengths[source[0]] = tuple(sorted((*lengths, size), reverse=True))

    def remove(self, source: str) -> None:
        """Remove the pair of a source text, if there is one."""
        self._pairs.pop(source, None)

    def convert(self, text: str) -> str:
        """Return the text with all matches replaced."""
        pairs, lengths = self._pairs, self._lengths
        out: list[str] = []
        position = copied = 0
        end = len(text)
        while position < end:
            for length in lengths.get(text[position], ()):
                piece = text[position : position + length]
                target = pairs.get(piece)
                if target is not None:
                    out += (text[copied:position], target)
                    position += len(piece)
                    copied = position
                    break
            else:
                position += 1
        return "".join([*out, text[copied:]]) if out else text


class Rules(Enum):
    """The kinds of conversion rules in a page that apply to a variant."""

    NONE = "disable"
    ONE_WAY = "unidirectional"
    """Only rules with a direction: ``from=>variant:to``."""
    ALL = "bidirectional"


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a language.

    ``name`` is the result of ``-{N|code}-``. ``fallbacks`` are the variants whose text is used if
    there is none for this one, the preferred one first.
    """

    code: str
    name: str
    fallbacks: tuple[str, ...] = ()
    rules: Rules = Rules.ALL


def _no_pairs(_: str) -> Mapping[str, str]:
    return {}


def _in_any_variant(_text: str, _variant: str) -> bool:
    return False


def _all_of(text: str) -> Iterator[tuple[str, bool]]:
    yield text, True


@dataclass(frozen=True, eq=False)
class LanguageConverter:
    """A language with variants.

    Attributes:
        name: the code of the language.
        variants: its variants. A variant with the code of the language itself means that texts are
            not converted.
        pairs: returns the texts to replace for a variant, and their replacements. It is called when
            the variant is first used.
        is_written_in: whether a text is already in a variant, and is not to be converted.
        pieces: splits a text into pieces, each with whether it is converted; Roman numerals, for
            example, are not.
        code_separator: the separator between variant and text in the result of ``-{D|...}-``.
        rule_separator: the text after each rule there.
    """

    name: str
    variants: tuple[Variant, ...]
    pairs: Callable[[str], Mapping[str, str]] = _no_pairs
    is_written_in: Callable[[str, str], bool] = _in_any_variant
    pieces: Callable[[str], Iterator[tuple[str, bool]]] = _all_of
    code_separator: str = ":"
    rule_separator: str = ";"
    _tables: dict[str, ConversionTable] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def by_code(self) -> Mapping[str, Variant]:
        """The variants by their codes."""
        return MappingProxyType({variant.code: variant for variant in self.variants})

    @cached_property
    def main(self) -> str:
        """The default variant: the one with the code of the language, or else the first."""
        return self.name if self.name in self.by_code else self.variants[0].code

    def find(self, code: str) -> str | None:
        """Return the code of a variant from MediaWiki's or BCP 47's spelling, or ``None``."""
        for spelled in (code, code.lower(), internal_code(code)):
            if spelled in self.by_code:
                return spelled
        return None

    def table(self, variant: str) -> ConversionTable:
        """Return the conversion table of a variant, which must not be changed."""
        table = self._tables.get(variant)
        if table is None:
            # Threads that do this at the same time create equal tables.
            table = self._tables[variant] = ConversionTable(self.pairs(variant))
        return table

    def translate(self, text: str, variant: str, table: ConversionTable | None = None) -> str:
        """Return plain text converted to a variant, with the table of a page if it is given."""
        convert = (table or self.table(variant)).convert
        return "".join(
            [convert(piece) if is_text else piece for piece, is_text in self.pieces(text)]
        )

    def convert(self, text: str, variant: str) -> str:
        """Return plain text converted to a variant, unless it is already written in it."""
        return text if self.is_written_in(text, variant) else self.translate(text, variant)

    def convert_to_all(self, text: str) -> dict[str, str]:
        """Return plain text converted to every variant, by variant code."""
        return {variant.code: self.convert(text, variant.code) for variant in self.variants}
