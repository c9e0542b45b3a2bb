"""Splits pages into chunks of limited size, for search engines and language models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikiapi_plugins.markdown.document import Block


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of one section of a page.

    ``path`` contains the titles of the section and of those above it; it is empty before the first
    heading. ``anchor`` is the section's anchor, and ``number`` counts the chunks of a section from
    0. Together they identify a chunk independently of changes to other sections.
    """

    path: tuple[str, ...]
    anchor: str
    number: int
    text: str


def to_chunks(blocks: Sequence[Block], size: int) -> Iterator[Chunk]:
    """Yield the chunks of a page, each of at most ``size`` characters.

    Chunks end between blocks if possible. Longer blocks are split between lines, and longer lines
    between words; the header of a table is repeated in each part. Headings are not part of the
    text, but in ``path``.
    """
    path: list[tuple[int, str]] = []
    anchor, number = "", 0
    waiting: list[str] = []

    def part() -> Chunk:
        titles = tuple(title for _, title in path)
        return Chunk(titles, anchor, number, "\n\n".join(waiting))

    for block in blocks:
        if block.kind == "heading":
            if waiting:
                yield part()
            waiting, number = [], 0
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, block.title))
            anchor = block.anchor
            continue
        for piece in _pieces(block, size):
            if waiting and sum(map(len, waiting)) + 2 * len(waiting) + len(piece) > size:
                yield part()
                waiting, number = [], number + 1
            waiting.append(piece)
    if waiting:
        yield part()


def _pieces(block: Block, size: int) -> Iterator[str]:
    if len(block.text) <= size:
        yield block.text
        return
    lines = block.text.split("\n")
    head = "\n".join(lines[:2]) if block.kind == "table" else ""
    if len(head) > size // 2:
        head = ""
    elif head:
        lines = lines[2:]
    start = [head] if head else []
    room = size - len(head) - 1
    piece, length = list(start), 0
    for line in lines:
        for words in _cut(line, room):
            if length and length + len(words) + 1 > room:
                yield "\n".join(piece)
                piece, length = list(start), 0
            piece.append(words)
            length += len(words) + 1
    if length:
        yield "\n".join(piece)


def _cut(line: str, size: int) -> Iterator[str]:
    """Yield a line in pieces, each cut at the last space in its second half, if there is one."""
    start = 0
    while len(line) - start > size:
        end = line.rfind(" ", start + size // 2, start + size)
        end = start + size if end < 0 else end
        yield line[start:end]
        start = end
    yield line[start:]
