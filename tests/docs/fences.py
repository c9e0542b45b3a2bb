"""The fenced blocks of the project's own Markdown, and the command lines in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.meta.shell import Session

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("*.md"),
        *(ROOT / ".github").rglob("*.md"),
        *(ROOT / "examples").rglob("README.md"),
        *(ROOT / "grammar").rglob("*.md"),
        *(ROOT / "tests").rglob("*.md"),
    ]
)
_OPEN = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<language>[\w-]*)\s*")
_COMMENT = re.compile(r"# (?P<name>[\w./-]+\.\w+)\n")
_NAME = re.compile(r" *<!-- (?P<name>[\w./-]+\.[\w-]+) -->")


@dataclass(frozen=True)
class Fence:
    """A block: where it stands, its language, and the file that it is, if it is one.

    A block is a file when its first line is a comment with a file name, or the paragraph before it
    is one of HTML. The comment of its own is no part of ``text``.
    """

    page: str
    line: int
    language: str
    text: str
    file: str = ""

    def __str__(self) -> str:
        """Return the position, for the names of tests."""
        return f"{self.page}:{self.line}-{self.language}"


def name_of(page: Path) -> str:
    """Return the page, from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> Iterator[Fence]:
    """Yield the blocks of a page."""
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    rest = iter(enumerate(lines, start=1))
    for number, line in rest:
        if not (opening := _OPEN.fullmatch(line)):
            continue
        body = []
        for _, inner in rest:
            if inner.strip() == opening["marks"]:
                break
            body.append(inner.removeprefix(opening["indent"]))
        else:
            raise ValueError(f"{name_of(page)}:{number}: a block without an end")
        named = next(
            (_NAME.match(text) for text in reversed(lines[: number - 1]) if text.strip()), None
        )
        yield _fence(name_of(page), number, opening["language"], "".join(body), named)


def _fence(page: str, line: int, language: str, text: str, named: re.Match[str] | None) -> Fence:
    if named:
        return Fence(page, line, language, text, named["name"])
    if comment := _COMMENT.match(text):
        return Fence(page, line, language, text[comment.end() :], comment["name"])
    return Fence(page, line, language, text)


def sessions(fence: Fence) -> Iterator[Session]:
    """Yield the command lines of a block, each with the output that is shown below it."""
    if fence.language == "console":
        yield from _shown(fence.text)
    else:
        joined = fence.text.replace("\\\n", " ")
        for line in joined.splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield Session(line.strip(), "")


def _shown(text: str) -> Iterator[Session]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        command = lines.pop(0)
        while lines and (lines[0].startswith(("> ", ">\n")) or command.endswith("\\\n")):
            more = lines.pop(0)
            command = command.removesuffix("\\\n") + more.removeprefix(">").removeprefix(" ")
        yield Session(command.rstrip("\n"), "".join(lines))


ALL = [fence for page in PAGES for fence in fences(page)]
