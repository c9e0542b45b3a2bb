"""Language variants: the ways in which one language is written, and the conversion between them.

A plugin declares a :class:`LanguageConverter` for a language. Which words of a text are converted,
and what a page says about it with ``-{...}-``, is the subject of :mod:`wikiapi.wikitext.variants`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType

from wikiapi.i18n.languages import internal_code

LONGEST_KEY = 100
"""Characters of the longest text that a table replaces. It bounds the work at each character."""


class ConversionTable:
    """Texts, and what stands in place of each.

    At every place the longest text that fits is replaced, and what replaced it is not looked at
    again. The work is linear in the length of the text.
    """

    def __init__(self, pairs: Mapping[str, str] = MappingProxyType({})) -> None:
        """Replace these texts; see :meth:`add`."""
        self._pairs: dict[str, str] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        """The lengths of the texts that begin with a character, the greatest first."""
        for source, target in pairs.items():
            self.add(source, target)

    def __len__(self) -> int:
        """Return the number of texts that are replaced."""
        return len(self._pairs)

    def copy(self) -> ConversionTable:
        """Return a table that can be changed while this one stays as it is."""
        copy = ConversionTable()
        copy._pairs, copy._lengths = dict(self._pairs), dict(self._lengths)
        return copy

    def add(self, source: str, target: str) -> None:
        """Replace a text from now on; one that is empty or too long is ignored."""
        size = len(source)
        if not 0 < size <= LONGEST_KEY:
            return
        self._pairs[source] = target
        known = self._lengths.get(source[0], ())
        if size not in known:
            self._lengths[source[0]] = tuple(sorted((*known, size), reverse=True))

    def remove(self, source: str) -> None:
        """Replace a text no more."""
        self._pairs.pop(source, None)

    def convert(self, text: str) -> str:
        """Return the text with everything replaced."""
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
    """Which rules of a page change how its text is converted to a variant."""

    NONE = "disable"
    ONE_WAY = "unidirectional"
    """Only those that say from what to what: ``from=>variant:to``."""
    ALL = "bidirectional"


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to write a language.

    ``name`` is what ``-{N|code}-`` shows. ``fallbacks`` are the variants whose text is shown where
    there is none in this one, the best first.
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
    """A language that is written in several ways.

    Attributes:
        name: code of the language.
        variants: the ways to write it. One that has the code of the language stands for texts that
            are shown as they were written.
        pairs: called once for each variant that is asked for. Returns the texts that are
            replaced; the longest that fits counts.
        is_written_in: whether a text is in a variant already, so that it is left alone.
        pieces: parts a text into what is converted and what is not, such as Roman numerals.
        code_separator: stands between variant and text where ``-{D|...}-`` lists a rule.
        rule_separator: stands behind each text there.
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
        """The variant for who wants none: that with the code of the language, or the first."""
        return self.name if self.name in self.by_code else self.variants[0].code

    def find(self, code: str) -> str | None:
        """Return the variant that a text names, also as BCP 47 spells it; ``None`` if none."""
        for spelled in (code, code.lower(), internal_code(code)):
            if spelled in self.by_code:
                return spelled
        return None

    def table(self, variant: str) -> ConversionTable:
        """Return how a text is converted to a variant. Made on first use; not to be changed."""
        table = self._tables.get(variant)
        if table is None:
            # Threads that come at the same time make the same table.
            table = self._tables[variant] = ConversionTable(self.pairs(variant))
        return table

    def translate(self, text: str, variant: str, table: ConversionTable | None = None) -> str:
        """Return plain text in a variant, whatever it is written in; ``table`` is a page's own."""
        convert = (table or self.table(variant)).convert
        return "".join(
            [convert(piece) if is_text else piece for piece, is_text in self.pieces(text)]
        )

    def convert(self, text: str, variant: str) -> str:
        """Return plain text in a variant, unless it is so already."""
        return text if self.is_written_in(text, variant) else self.translate(text, variant)

    def convert_to_all(self, text: str) -> dict[str, str]:
        """Return plain text in every variant, by code."""
        return {variant.code: self.convert(text, variant.code) for variant in self.variants}
