"""What ``mw.uri`` asks."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.title import Title, decode_references
from wikiapi.wikitext import FunctionCall
from wikiapi_plugins.extensions.scribunto.host.basics import Operations
from wikiapi_plugins.wikitext.parserfunctions.formatting import anchorencode

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.scribunto.session import Session

LOCAL = "localUrl"


def anchor_encode(session: Session, text: str) -> str:
    """A heading's id."""
    state = session.state
    call = FunctionCall("anchorencode", text, (), state.root_frame(), state)
    return decode_references(anchorencode(call))


def page_address(session: Session, title: Title, which: str, query: str) -> str:
    """The address of a page, with its server unless it is to be local."""
    site = session.state.site
    url = site.page_url(title, query)
    return url.removeprefix(site.config.site.server) if which == LOCAL else url


def address(session: Session, which: str, page: str, query: str) -> str | None:
    """The address of a page that is named; ``None`` for what is no title."""
    title = session.state.site.titles.try_parse(page)
    return page_address(session, title, which, query) if title else None


OPERATIONS: Operations = MappingProxyType({"anchorEncode": anchor_encode, "address": address})
