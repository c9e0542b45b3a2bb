"""A generated wiki in two states, for commands that bring an older store up to date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.export import END, header, page

NAMESPACES = {0: "", 10: "Template", 14: "Category"}
BOXES, GROUPS = 7, 11
_FIRST = BOXES + 1
_NEWER = 1_000_000
"""Difference between the id of a page's newer revision and that of its older one."""


class MadePage(NamedTuple):
    """A page of a dump."""

    number: int
    ns: int
    title: str
    text: str
    revision: int


def older(count: int) -> Iterator[MadePage]:
    """Yield this number of articles, and the templates that they use."""
    yield from _boxes("")
    for n in range(count):
        yield _article(n, f"Page {n}", _text(n, "old"), _FIRST + n)


def newer(count: int) -> Iterator[MadePage]:
    """Yield the later state: of every eleven articles, one is deleted, one moved and two edited.

    Some articles are new. Two have swapped titles, and a new one has the title of a deleted one.
    """
    yield from _boxes("newer")
    for n in range(count):
        title = {1: "Page 2", 2: "Page 1"}.get(n, f"Page {n}")
        if n % 11 == 4:
            continue
        if n % 11 == 5:
            title = f"Moved {n}"
        edited = n in (1, 2) or n % 11 in (5, 7, 9)
        revision = _FIRST + n + (_NEWER if edited else 0)
        yield _article(n, title, _text(n, "new" if edited else "old"), revision)
    for n in range(count, count + count // 10 + 1):
        title = "Page 4" if n == count else f"Page {n}"
        yield _article(n, title, _text(n, "made"), _FIRST + n + _NEWER)


def write_dump(path: Path, pages: Iterable[MadePage]) -> None:
    """Write a dump of the pages."""
    with path.open("w", encoding="utf-8") as file:
        file.write(header("Kills", "kills", NAMESPACES))
        for made in pages:
            number, ns, title, text, revision = made
            file.write(page(number, ns, title, text, user=1 + number % 9, revision=revision))
        file.write(END)


def _boxes(state: str) -> Iterator[MadePage]:
    later = _NEWER if state else 0
    for n in range(BOXES):
        text = f"{{{{{{1|}}}}}} [[Category:Boxed {n}]] [[Seen {state}]]"
        yield MadePage(1 + n, 10, f"Template:Box {n}", text, 1 + n + later)


def _article(n: int, title: str, text: str, revision: int) -> MadePage:
    return MadePage(_FIRST + n, 0, title, text, revision)


def _text(n: int, state: str) -> str:
    links = " and ".join(f"[[Page {n * k % 97}]]" for k in (1, 3, 7))
    outside = f"https://e{n % 13}.example/{n}"
    exists = f"{{{{#ifexist:Moved {n % 40}|[[Yes {n}]]|[[No]]}}}}"
    body = f"{state} '''words''' of {n}: {links} {outside} {exists} [[File:P{n % 17}.png]]"
    return f"{{{{Box {n % BOXES}|{n}}}}} {body}\n[[Category:Group {n % GROUPS}]]"
