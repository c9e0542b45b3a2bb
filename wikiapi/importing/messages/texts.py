"""The messages of one language, by name, as they are collected from an untrusted source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wikiapi.errors import DumpError

MAX_MESSAGES = 200_000
"""The number of messages of a language. MediaWiki with all its extensions has some 40 000."""
MAX_CHARACTERS = 1 << 26
"""Characters of all messages of a language together."""
_NAME = re.compile(r"[^\x00-\x20\x7f]{1,255}")


class Texts:
    """The messages of a language; adding one of the same name replaces it."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Begin with some messages.

        Raises:
            DumpError: see :meth:`add`.
        """
        self._by_name: dict[str, str] = {}
        self._characters = 0
        for name, text in texts:
            self.add(name, text)

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self._by_name)

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield names and texts, sorted by name."""
        return ((name, self._by_name[name]) for name in sorted(self._by_name))

    def add(self, name: str, text: str) -> None:
        """Add a message, whose name can begin with a capital, as that of a page.

        Raises:
            DumpError: the name is not that of a message, or the messages are too many or too long.
        """
        key = name[:1].lower() + name[1:].replace(" ", "_")
        if not _NAME.fullmatch(key):
            raise DumpError(f"{name[:80]!r} is not the name of a message")
        self._characters += len(text) - len(self._by_name.get(key, ""))
        self._by_name[key] = text
        if len(self._by_name) > MAX_MESSAGES:
            raise DumpError(f"there are more than {MAX_MESSAGES} messages")
        if self._characters > MAX_CHARACTERS:
            raise DumpError(f"the messages have more than {MAX_CHARACTERS >> 20} Mi characters")
