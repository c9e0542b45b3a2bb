"""Converts the full titles in a dump to keys, with the namespaces that the dump declares."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wikiapi.importing.xml.records import DumpNamespace
from wikiapi.title.codec import MAX_BYTES
from wikiapi.title.namespaces import NamespaceTable

Key = tuple[int, str]

_MAX_REPORTED = 100
_LONGEST_REPORTED = 300
# What a database key never contains; a dump made by MediaWiki has no such title.
_ILLEGAL = re.compile(
    r"[\x00-\x20\x7f#<>\[\]{|}\ufffd\u200e\u200f\u202a-\u202e]|\A[_:]|_\Z|__|~~~"
    r"|%[0-9A-Fa-f]{2}|&(?:[A-Za-z0-9\u0080-\uffff]+|\#[0-9]+|\#x[0-9A-Fa-f]+);"
    r"|(?:\A|/)\.{1,2}(?:/|\Z)"
)


class RefusedTitles(list[str]):
    """The first of the invalid titles, truncated, and their ``total`` number."""

    def __init__(self) -> None:
        """Create an empty list."""
        super().__init__()
        self.total = 0

    def add(self, title: str) -> None:
        """Add a title."""
        self.total += 1
        if len(self) < _MAX_REPORTED:
            self.append(title[:_LONGEST_REPORTED])


class DumpTitles:
    """Parses the titles of one dump."""

    def __init__(self, namespaces: Iterable[DumpNamespace]) -> None:
        """Index the namespaces by number and by name."""
        self._prefixes = {entry.id: f"{entry.name}:" for entry in namespaces if entry.name}
        self._by_name = {prefix.lower(): number for number, prefix in self._prefixes.items()}

    def key(self, title: str, namespace: int) -> Key | None:
        """Return (namespace, database key) of a page; None if its title is invalid."""
        prefix = self._prefixes.get(namespace, "")
        if not title.startswith(prefix) or namespace < 0:
            return None
        dbkey = title[len(prefix) :].replace(" ", "_")
        return (namespace, dbkey) if is_dbkey(dbkey) else None

    def find(self, title: str) -> Key | None:
        """Return the same as :meth:`key`, with the namespace parsed from the title."""
        head, colon, rest = title.partition(":")
        namespace = self._by_name.get(f"{head.lower()}:") if colon else None
        if namespace is None:
            namespace, rest = 0, title
        dbkey = rest.replace(" ", "_")
        return (namespace, dbkey) if is_dbkey(dbkey) else None


def is_dbkey(text: str) -> bool:
    """Return whether a text is a normalised page name, without a namespace."""
    if not text or _ILLEGAL.search(text):
        return False
    return len(text) <= MAX_BYTES // 4 or len(text.encode()) <= MAX_BYTES


def configured_namespaces(table: NamespaceTable) -> tuple[DumpNamespace, ...]:
    """Return the configured namespaces, for a dump that does not declare any."""
    return tuple(DumpNamespace(entry.id, entry.name, entry.first_letter) for entry in table)
