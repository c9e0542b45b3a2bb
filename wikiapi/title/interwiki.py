"""Interwiki prefixes: links that lead to other wikis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from wikiapi.title.percent import quote_title

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_OVER_HTTP = re.compile(r"https?://", re.ASCII | re.IGNORECASE)
_PATH = re.compile(r"[/?#]")


def is_linkable(url: str) -> bool:
    """Return whether links may have an address: one over HTTP, or a relative one.

    Browsers look for a scheme in what comes before the path, and pass over control characters on
    the way. So there may be none, and the name of the page (``$1``) comes later than that.
    """
    if _CONTROLS.search(url):
        return False
    if _OVER_HTTP.match(url):
        return True
    head = _PATH.split(url, maxsplit=1)[0]
    return url != "" and ":" not in head and "$1" not in head


@dataclass(frozen=True, slots=True)
class Interwiki:
    """One row of the interwiki map. ``url`` holds ``$1`` where the page name goes."""

    prefix: str
    url: str
    api: str = ""
    wiki_id: str = ""
    local: bool = False
    trans: bool = False

    def page_url(self, title: str, fragment: str = "") -> str:
        """Return the address of a page on the other wiki."""
        path = quote_title(title.replace(" ", "_"))
        if path.startswith("/") and self.url.startswith("/$1"):
            # Two slashes at the start would make the name of a server of it.
            path = f"%2F{path[1:]}"
        return self.url.replace("$1", path) + (f"#{fragment}" if fragment else "")


class InterwikiMap:
    """The interwiki prefixes of one wiki; case does not count."""

    def __init__(self, entries: Iterable[Interwiki] = ()) -> None:
        """Index the entries by lower-case prefix.

        A prefix whose address no link may have is left out, so that nothing ever leads there.
        """
        self._entries = {
            entry.prefix.lower(): entry if _has_usable_api(entry) else replace(entry, api="")
            for entry in entries
            if is_linkable(entry.url)
        }

    def __iter__(self) -> Iterator[Interwiki]:
        """Yield all entries in the order of their prefixes."""
        return iter(sorted(self._entries.values(), key=lambda entry: entry.prefix))

    def get(self, prefix: str) -> Interwiki | None:
        """Return the entry of a prefix, if there is one."""
        return self._entries.get(prefix.lower())


def _has_usable_api(entry: Interwiki) -> bool:
    return not entry.api or is_linkable(entry.api)
