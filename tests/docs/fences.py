"""The fenced blocks of the project's own Markdown, and the command lines in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

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
COMMANDS = "sh"
OUTPUTS = ("json", "text")
_OPEN = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<language>[\w-]*)\s*")
_COMMENT = re.compile(r"# (?P<name>[\w./-]+\.\w+)\n")
_NAME = re.compile(r" *<!-- (?P<name>[\w./-]+\.[\w-]+) -->")
_NOT_RUN = re.compile(r" *<!-- not run: (?P<reason>.+) -->")


@dataclass(frozen=True)
class Fence:
    """A block: where it stands, its language, and the file that it is, if it is one.

    A block is a file when its first line is a comment with a file name, or the paragraph before it
    is one of HTML. The comment of its own is no part of ``text``.

    A block of text or JSON directly below one of commands is the ``output`` of the last command. A
    paragraph of HTML before commands can say why they are ``not_run`` by a walk through the page.
    """

    page: str
    line: int
    language: str
    text: str
    file: str = ""
    not_run: str = ""
    output: Fence | None = None

    def __str__(self) -> str:
        """Return the position, for the names of tests."""
        return f"{self.page}:{self.line}-{self.language}"


@dataclass(frozen=True)
class Session:
    """A command line and the output that is shown below it."""

    line: str
    output: str


def name_of(page: Path) -> str:
    """Return the page, from the root of the project."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[Fence]:
    """Return the blocks of a page, in their order."""
    return fences_of(page.read_text(encoding="utf-8"), name_of(page))


def fences_of(text: str, page: str) -> list[Fence]:
    """Return the blocks of a Markdown text, in their order."""
    lines = text.splitlines(keepends=True)
    rest = iter(enumerate(lines, start=1))
    blocks: list[Fence] = []
    before = ""
    commands_above = False
    for number, line in rest:
        if not (opening := _OPEN.fullmatch(line)):
            if line.strip():
                before, commands_above = line, False
            continue
        body = []
        for _, inner in rest:
            if inner.strip() == opening["marks"]:
                break
            body.append(inner.removeprefix(opening["indent"]))
        else:
            raise ValueError(f"{page}:{number}: a block without an end")
        fence = _fence(page, number, opening["language"], "".join(body), before)
        if commands_above and fence.language in OUTPUTS:
            blocks[-1] = replace(blocks[-1], output=fence)
        blocks.append(fence)
        before, commands_above = "", fence.language == COMMANDS
    return blocks


def _fence(page: str, line: int, language: str, text: str, before: str) -> Fence:
    if named := _NAME.match(before):
        return Fence(page, line, language, text, named["name"])
    if comment := _COMMENT.match(text):
        return Fence(page, line, language, text[comment.end() :], comment["name"])
    reason = _NOT_RUN.match(before)
    return Fence(page, line, language, text, not_run=reason["reason"] if reason else "")


def sessions(blocks: Iterable[Fence]) -> Iterator[Session]:
    """Yield the command lines of blocks, each with the output that is shown below it."""
    for fence in blocks:
        if fence.language == COMMANDS:
            lines = command_lines(fence.text)
            yield from (Session(line, "") for line in lines[:-1])
            yield Session(lines[-1], fence.output.text if fence.output else "")


def command_lines(text: str) -> list[str]:
    """Return the commands of a block, which has at least one.

    A command goes on after an open quote, and after a line that ends with a backslash.
    """
    commands = []
    command = ""
    for line in text.splitlines():
        if not command and (not line.strip() or line.startswith("#")):
            continue
        command += line
        if command.endswith("\\"):
            command = command.removesuffix("\\")
        elif _is_complete(command):
            commands.append(command)
            command = ""
        else:
            command += "\n"
    if command or not commands:
        raise ValueError(f"no command, or one without an end: {text}")
    return commands


def _is_complete(command: str) -> bool:
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return False
    return True


ALL = [fence for page in PAGES for fence in fences(page)]
