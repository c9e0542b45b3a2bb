"""Interwiki prefixes, and the addresses of pages on other wikis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from wikiapi.title.percent import quote_title

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_OVER_HTTP = re.compile(r"https?://", re.ASCII | re.IGNORECASE)
_PATH = re.compile(r"[/?#]")


def is_linkable(url: str) -> bool:
    """Return whether an address is safe in links: an HTTP or HTTPS URL, or a relative one.

    Browsers look for a scheme before the path, and ignore control characters there. A relative
    address must therefore have no colon and no page name (``$1``) before its path.
    """
    if _CONTROLS.search(url):
        return False
    if _OVER_HTTP.match(url):
        return True
    head = _PATH.split(url, maxsplit=1)[0]
    return url != "" and ":" not in head and "$1" not in head


@dataclass(frozen=True, slots=True)
class Interwiki:
    """An entry of the interwiki map. ``$1`` in ``url`` is the placeholder of the page name."""

    prefix: str
    url: str
    api: str = ""
    wiki_id: str = ""
    local: bool = False
    trans: bool = False

    def page_url(self, title: str) -> str:
        """Return the address of a page on the other wiki."""
        path = quote_title(title.replace(" ", "_"))
        if path.startswith("/") and self.url.startswith("/$1"):
            # An address that begins with two slashes would begin with the name of a server.
            path = f"%2F{path[1:]}"
        return self.url.replace("$1", path)


class InterwikiMap:
    """The interwiki prefixes of one wiki, which are case-insensitive."""

    def __init__(self, entries: Iterable[Interwiki] = (), own: Iterable[str] = ()) -> None:
        """Index the entries by lower-case prefix, except those whose address is not safe.

        ``own`` are prefixes that lead to the wiki itself; they count if the map has them.
        """
        self._entries = {
            entry.prefix.lower(): entry
            if not entry.api or is_linkable(entry.api)
            else replace(entry, api="")
            for entry in entries
            if is_linkable(entry.url)
        }
        self.own = frozenset(prefix.lower() for prefix in own).intersection(self._entries)
        """The prefixes that lead to the wiki itself, in lower case."""

    def __iter__(self) -> Iterator[Interwiki]:
        """Yield all entries in the order of their prefixes."""
        return iter(sorted(self._entries.values(), key=lambda entry: entry.prefix))

    def get(self, prefix: str) -> Interwiki | None:
        """Return the entry of a prefix, or ``None`` if there is none."""
        return self._entries.get(prefix.lower())
