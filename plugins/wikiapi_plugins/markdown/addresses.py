"""Addresses for texts that leave the wiki: those of the live wiki, if it is known."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

from wikiapi.site import Site
from wikiapi.title import Title, quote_title

_TITLE = "title="


class Addresses:
    """Absolute addresses of the pages and files of a wiki.

    Pages have those of the live wiki if ``site.source`` tells where that is.
    """

    def __init__(self, site: Site) -> None:
        """Prepare the addresses of a wiki."""
        self._site = site
        self._server = site.config.site.server
        self._index = f"{site.config.site.script_path}/index.php"
        self._before, _, self._after = site.config.site.article_path.partition("$1")
        source = site.config.site.source
        before, mark, _ = source.rpartition(_TITLE)
        if mark:
            self._live = f"{before}{mark}"
        else:
            slashes = 1 + site.main_page.prefixed_dbkey.count("/")
            before, *name = source.rsplit("/", slashes)
            self._live = f"{before}/" if name else ""

    def page(self, title: Title) -> str:
        """Return the address of a page."""
        if self._live and not title.interwiki:
            return f"{self._live}{quote_title(title.prefixed_dbkey)}"
        return self._site.page_url(title)

    def resolve(self, url: str) -> str | None:
        """Return the absolute form of a URL; ``None`` for a form to change or upload something.

        Args:
            url: a URL in the HTML of a page: absolute, relative to the server, or a fragment.
        """
        if url.startswith("//"):
            return f"{self._server.partition('//')[0]}{url}"
        local = url.removeprefix(self._server)
        if not local.startswith("/"):
            return url
        path, mark, fragment = local.partition("#")
        path, _, query = path.partition("?")
        values = parse_qs(query)
        if values.keys() & {"redlink", "wpDestFile"} or values.get("action", ["view"]) != ["view"]:
            return None
        if self._live and path == self._index and "title" in values:
            page = quote_title(values.pop("title")[0])
        elif self._live and path.startswith(self._before) and path.endswith(self._after):
            page = path[len(self._before) : len(path) - len(self._after)]
        else:
            return f"{self._server}{local}"
        if values:
            page += f"{'&' if '?' in self._live else '?'}{urlencode(values, doseq=True)}"
        return f"{self._live}{page}{mark}{fragment}"
