"""Converting links between the pages of a wiki to links between the files of an export."""

from __future__ import annotations

import posixpath
from urllib.parse import parse_qs, quote, unquote, urlsplit

from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi_plugins.export.state import Names

_QUOTED = "/~!$()*+,=:@"
"""Characters that are not percent-encoded.

Those that HTML escapes are not among them, because some readers of ZIM files do not unescape links.
"""


_MAX_CACHED = 50_000
"""Largest number of URLs that are cached: pages of a wiki link to the same ones again and again."""
_BESIDE = "./"
"""Start of a URL that is relative to that of the page."""


def quoted(file: str) -> str:
    """Return the path of a file, percent-encoded for a URL."""
    return quote(file, safe=_QUOTED)


class PageLinks:
    """Converts URLs of a wiki's pages to relative URLs of their files."""

    def __init__(self, site: Site, names: Names) -> None:
        """Use the file names of this export."""
        self._site = site
        self._names = names
        before, _, after = site.config.site.article_path.partition("$1")
        self._before, self._after = before, after
        self._index = f"{site.config.site.script_path}/index.php"
        self._relatives: dict[str, str | None] = {}

    def title(self, url: str) -> Title | None:
        """Return the title of the page at a URL; ``None`` if the URL is not that of a page."""
        local = url.removeprefix(self._site.config.site.server)
        if local.startswith(_BESIDE):
            # So does Parsoid's HTML name the categories of the page.
            local = f"{self._before}{local.removeprefix(_BESIDE)}{self._after}"
        if not local.startswith("/") or local.startswith("//"):
            return None
        path, _, fragment = local.partition("#")
        if path.partition("?")[0] == self._index:
            query = parse_qs(urlsplit(path).query)
            # Other views of a page, such as its history, are not exported.
            name = query["title"][0] if query.keys() == {"title"} else ""
        elif path.startswith(self._before) and path.endswith(self._after):
            name = path[len(self._before) : len(path) - len(self._after)]
            name = "" if "?" in name else unquote(name)
        else:
            return None
        try:
            return self._site.titles.parse(f"{name}#{unquote(fragment)}" if fragment else name)
        except InvalidTitle:
            return None

    def is_local(self, url: str) -> bool:
        """Return whether a URL is on the wiki's own server."""
        server = self._site.config.site.server
        return (url.startswith("/") and not url.startswith("//")) or url.startswith(
            (_BESIDE, f"{server}/")
        )

    def file(self, title: Title) -> str | None:
        """Return the path of a page's file; ``None`` if it is not exported."""
        return None if title.interwiki else self._names.file(title.key)

    def relative(self, url: str) -> str | None:
        """Return the URL of a page relative to another one; ``None`` if it is not exported."""
        if url not in self._relatives:
            if len(self._relatives) >= _MAX_CACHED:
                self._relatives.clear()
            title = self.title(url)
            file = self.file(title) if title is not None else None
            relative = None
            if file is not None:
                fragment = url.partition("#")[2]
                relative = posixpath.join("..", quoted(file)) + (f"#{fragment}" if fragment else "")
            self._relatives[url] = relative
        return self._relatives[url]
