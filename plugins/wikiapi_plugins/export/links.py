"""Where the links of a page lead within an export."""

from __future__ import annotations

import posixpath
from urllib.parse import parse_qs, quote, unquote, urlsplit

from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi_plugins.export.state import Names

_QUOTED = "/~!$()*+,=:@"
"""What needs no quoting, without what HTML escapes: not every reader of a ZIM file decodes that."""


def quoted(file: str) -> str:
    """Return the path of a file as part of an address."""
    return quote(file, safe=_QUOTED)


class PageLinks:
    """Turns addresses of a wiki's pages into those of their files, relative to another file."""

    def __init__(self, site: Site, names: Names) -> None:
        """Use the names that the export has given to files."""
        self._site = site
        self._names = names
        before, _, after = site.config.site.article_path.partition("$1")
        self._before, self._after = before, after
        self._index = f"{site.config.site.script_path}/index.php"

    def title(self, url: str) -> Title | None:
        """Return the page that an address shows; ``None`` for addresses of anything else."""
        local = url.removeprefix(self._site.config.site.server)
        if not local.startswith("/") or local.startswith("//"):
            return None
        path, _, fragment = local.partition("#")
        if path.partition("?")[0] == self._index:
            query = parse_qs(urlsplit(path).query)
            # Views of a page other than the page itself are not exported.
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
        """Return whether an address is one on the wiki's own server."""
        server = self._site.config.site.server
        return (url.startswith("/") and not url.startswith("//")) or url.startswith(f"{server}/")

    def file(self, title: Title) -> str | None:
        """Return the path of a page's file; ``None`` if it is not exported."""
        return None if title.interwiki else self._names.file(title.key)

    def relative(self, url: str) -> str | None:
        """Return the address from another page's file; ``None`` if the page is not exported."""
        title = self.title(url)
        file = self.file(title) if title is not None else None
        if file is None:
            return None
        _, mark, fragment = url.partition("#")
        return posixpath.join("..", quoted(file)) + (mark + fragment if fragment else "")
