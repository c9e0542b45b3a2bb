"""The functions of ``mw.uri``."""

from __future__ import annotations

from wikiapi.title import Title, decode_references
from wikiapi.wiki import Wiki
from wikiapi.wikitext import FunctionCall
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.wikitext.parserfunctions.formatting import anchorencode

_LOCAL = "localUrl"


def page_url(site: Wiki, title: Title, which: str, query: str) -> str:
    """Return the URL of a page, without the server if ``which`` is ``localUrl``."""
    url = site.page_url(title, query)
    return url.removeprefix(site.config.site.server) if which == _LOCAL else url


class UriLibrary(Library):
    """URLs of pages and anchors of headings."""

    def anchor_encode(self, text: str) -> str:
        """Return the anchor of a heading."""
        state = self.state
        call = FunctionCall("anchorencode", text, (), state.expander.root_frame(), state)
        return decode_references(anchorencode(call))

    def url(self, which: str, page: str, query: str) -> str | None:
        """Return the URL of a page, or ``None`` if the title is not valid."""
        title = self.site.titles.try_parse(page)
        return page_url(self.site, title, which, query) if title else None

    functions = (
        HostFunction("anchorEncode", anchor_encode, cacheable=True),
        HostFunction("address", url, cacheable=True),
    )
