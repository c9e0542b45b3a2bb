"""``sitemap.xml``: an index, and parts that list the pages for search engines.

Each part covers a range of page ids, so that it is read by the primary key even on a large wiki.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from peewee import fn

from wikiapi.api import iso
from wikiapi.http import Reply
from wikiapi.store.models import Page, PageProps
from wikiapi_plugins.formats.xmltree import Element, document
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.replies import REVALIDATE, content_reply

PATH = "/sitemap.xml"
IDS_PER_PART = 10_000
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_TYPE = "application/xml; charset=utf-8"


def answer_sitemap(context: ViewContext) -> Reply:
    """Return the index, or the part with the number in the parameter ``part``.

    Raises:
        ViewError: there is no such part.
    """
    if "part" in context.request.params:
        root = Element("urlset", {"xmlns": _NAMESPACE}, list(_pages(context)))
    else:
        root = Element("sitemapindex", {"xmlns": _NAMESPACE}, list(_parts(context)))
    body = document(root, pretty=True) + "\n"
    return content_reply(body.encode("utf-8", "replace"), _TYPE, cache=REVALIDATE)


def sitemap_url(context: ViewContext) -> str:
    """Return the absolute URL of the index."""
    return context.site.config.site.server + context.reader.addresses.below(context.root, PATH)


def _parts(context: ViewContext) -> Iterator[Element]:
    """Yield the parts. One query."""
    for part in range(_last_id(context) // IDS_PER_PART + 1):
        url = f"{sitemap_url(context)}?part={part}"
        yield Element("sitemap", children=[Element("loc", text=url)])


def _pages(context: ViewContext) -> Iterator[Element]:
    """Yield the pages of a part that search engines may index. Two queries."""
    part = context.number("part")
    if part is None or part > _last_id(context) // IDS_PER_PART:
        raise ViewError(404, "reader-no-sitemap-part")
    first = part * IDS_PER_PART
    query = Page.select(Page.page_namespace, Page.page_title, Page.page_touched).where(
        Page.page_id >= first,
        Page.page_id < first + IDS_PER_PART,
        Page.page_is_redirect == 0,
        ~fn.EXISTS(_NOT_INDEXED),
    )
    for namespace, title, touched in context.db.execute(query.order_by(Page.page_id)):
        url = context.site.page_url(context.site.titles.make(namespace, title))
        facts = [Element("loc", text=url), Element("lastmod", text=iso(touched))]
        yield Element("url", children=facts)


_NOT_INDEXED: Any = PageProps.select(PageProps.pp_page).where(
    PageProps.pp_page == Page.page_id, PageProps.pp_propname == "noindex"
)


def _last_id(context: ViewContext) -> int:
    return int(context.db.execute(Page.select(fn.MAX(Page.page_id)))[0][0] or 0)
