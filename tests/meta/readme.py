"""The curl examples of README.md: found, sent, and compared with the answers shown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus, urlsplit

from tests.docs.fences import fences_of, sessions

ANY = "…"
"""In an answer shown: any text that differs from one server to the next."""


@dataclass
class Example:
    """A curl command and the answer that the README shows for it."""

    command: str
    answer: str
    url: str = ""
    data: list[str] = field(default_factory=list)
    get: bool = False

    def __post_init__(self) -> None:
        """Read the command the way a shell and curl do."""
        words = iter(shlex.split(self.command)[1:])
        for word in words:
            match word:
                case "-s":
                    continue
                case "-G" | "--get":
                    self.get = True
                case "--data-urlencode" | "-d":
                    name, _, value = next(words).partition("=")
                    self.data.append(f"{name}={quote_plus(value)}")
                case _ if word.startswith("-"):
                    raise ValueError(f"the README uses an option of curl not known here: {word}")
                case _:
                    self.url = word

    def target(self) -> str:
        """Return path and query of the request."""
        parts = urlsplit(self.url)
        query = "&".join([parts.query, *self.data] if parts.query else self.data)
        return f"{parts.path}?{query}"


def examples(text: str) -> Iterator[Example]:
    """Yield every curl example of a Markdown text."""
    for session in sessions(fences_of(text, "README.md")):
        if session.line.startswith("curl "):
            yield Example(session.line, session.output)


def mismatches(expected: Any, actual: Any, path: str = "answer") -> Iterator[str]:
    """Yield where an answer differs from the shown one; ANY represents any text."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            if key not in expected or key not in actual:
                yield f"{path}.{key} is {'not shown' if key not in expected else 'not there'}"
            else:
                yield from mismatches(expected[key], actual[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for number, pair in enumerate(zip(expected, actual, strict=True)):
            yield from mismatches(*pair, f"{path}[{number}]")
    elif isinstance(expected, str) and isinstance(actual, str) and ANY in expected:
        pattern = ".*?".join(map(re.escape, expected.split(ANY)))
        if not re.fullmatch(pattern, actual, re.DOTALL):
            yield f"{path} is {actual!r}, not like {expected!r}"
    elif expected != actual or type(expected) is not type(actual):
        yield f"{path} is {actual!r}, not {expected!r}"
