"""Parts of a page of a bounded size, each within one section, for search engines and models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wikiapi_plugins.markdown.document import Block


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a page.

    ``path`` are the titles of the section and of those above it, empty before the first heading.
    ``anchor`` is the section's, and ``number`` counts the parts of one section from 0: together
    they are the same as long as the section is not renamed, whatever happens elsewhere.
    """

    path: tuple[str, ...]
    anchor: str
    number: int
    text: str


def to_chunks(blocks: Sequence[Block], size: int) -> Iterator[Chunk]:
    """Yield the parts of a page, each of at most ``size`` characters.

    Parts end between blocks where they can. Longer blocks are cut between lines, and lines between
    words; a table that is cut begins with its header each time. Headings are told by ``path``.
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
    """Yield a line in pieces, cut at the last space that is in the second half of each."""
    start = 0
    while len(line) - start > size:
        end = line.rfind(" ", start + size // 2, start + size)
        end = start + size if end < 0 else end
        yield line[start:end]
        start = end
    yield line[start:]
