"""Documents with which browsers and search engines discover the wiki's pages and search.

``sitemap.xml`` is an index, with parts that list the pages for search engines. Each part
covers a range of page ids, so that it is read by the primary key even on a large wiki.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from peewee import fn

from wikiapi.api import iso
from wikiapi.http import Reply
from wikiapi.store.models import Page, PageProps
from wikiapi.title import SPECIAL
from wikiapi_plugins.formats.xmltree import Element, document
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.indexing import is_hidden, robots_of
from wikiapi_plugins.web.replies import REVALIDATE, content_reply

SITEMAP = "/sitemap.xml"
IDS_PER_PART = 10_000
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_SITEMAP_TYPE = "application/xml; charset=utf-8"


def answer_sitemap(context: ViewContext) -> Reply:
    """Return the index, or the part with the number in the parameter ``part``.

    Raises:
        ViewError: there is no such part.
    """
    if "part" in context.request.params:
        root = Element("urlset", {"xmlns": _SITEMAP}, list(_pages(context)))
    else:
        parts: list[Element] = []
        for part in range(_last_id(context) // IDS_PER_PART + 1):
            url = f"{sitemap_url(context)}?part={part}"
            parts.append(Element("sitemap", children=[Element("loc", text=url)]))
        root = Element("sitemapindex", {"xmlns": _SITEMAP}, parts)
    body = document(root, pretty=True) + "\n"
    return content_reply(body.encode("utf-8", "replace"), _SITEMAP_TYPE, cache=REVALIDATE)


def sitemap_url(context: ViewContext) -> str:
    """Return the absolute URL of the index."""
    return context.site.config.site.server + context.reader.addresses.below(context.root, SITEMAP)


def _pages(context: ViewContext) -> Iterator[Element]:
    """Yield the pages of a part that search engines may index. Two queries."""
    part = context.number("part")
    if part is None or part > _last_id(context) // IDS_PER_PART:
        raise ViewError(404, "reader-no-sitemap-part")
    first = part * IDS_PER_PART
    # Search engines may index these pages.
    conditions = [~fn.EXISTS(_with_property("noindex")) | fn.EXISTS(_with_property("index"))]
    spaces = context.site.namespaces
    hidden = [space.id for space in spaces if is_hidden(robots_of(space, ()))]
    if hidden:
        conditions.append(Page.page_namespace.not_in(hidden) | fn.EXISTS(_with_property("index")))
    query = Page.select(Page.page_namespace, Page.page_title, Page.page_touched).where(
        Page.page_id >= first,
        Page.page_id < first + IDS_PER_PART,
        Page.page_is_redirect == 0,
        *conditions,
    )
    for namespace, title, touched in context.db.execute(query.order_by(Page.page_id)):
        url = context.site.page_url(context.site.titles.make(namespace, title))
        facts = [Element("loc", text=url), Element("lastmod", text=iso(touched))]
        yield Element("url", children=facts)


def _with_property(name: str) -> Any:
    of_page = PageProps.pp_page == Page.page_id
    return PageProps.select(PageProps.pp_page).where(of_page, PageProps.pp_propname == name)


def _last_id(context: ViewContext) -> int:
    return int(context.db.execute(Page.select(fn.MAX(Page.page_id)))[0][0] or 0)


_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
_MOZILLA = "http://www.mozilla.org/2006/browser/search/"
_OPENSEARCH_TYPE = "application/opensearchdescription+xml"
_OPENSEARCH_CACHE = "public, max-age=600"
_TERMS = "{searchTerms}"


def answer_opensearch(context: ViewContext) -> Reply:
    """Return the OpenSearch description of the search page and ``action=opensearch``."""
    site = context.site
    search = site.special_page("Search")
    suggest = f"{site.script_url}?action=opensearch&search={_TERMS}&namespace=0"
    name = site.config.site.name
    children = [
        Element("ShortName", text=name),
        Element("Description", text=f"{name} ({site.language})"),
        Element(
            "Image",
            {"height": "16", "width": "16", "type": "image/x-icon"},
            text=f"{site.config.site.server}/favicon.ico",
        ),
        _url("text/html", site.page_url(search, f"search={_TERMS}")),
        _url("application/x-suggestions+json", suggest),
        _url("application/x-suggestions+xml", f"{suggest}&format=xml"),
        Element("moz:SearchForm", text=site.page_url(search)),
    ]
    attributes = {"xmlns": _OPENSEARCH, "xmlns:moz": _MOZILLA}
    body = document(Element("OpenSearchDescription", attributes, children), pretty=False).encode(
        "utf-8", "replace"
    )
    return content_reply(body, _OPENSEARCH_TYPE, cache=_OPENSEARCH_CACHE)


def _url(media_type: str, template: str) -> Element:
    return Element("Url", {"type": media_type, "method": "get", "template": template})


_ROBOTS_TYPE = "text/plain; charset=utf-8"
_ROBOTS_CACHE = "public, max-age=3600"


def answer_robots(context: ViewContext) -> Reply:
    """Allow crawlers the pages, but not histories, differences, special pages and the API."""
    addresses, site = context.reader.addresses, context.site
    paths = [f"{site.config.site.script_path}/api.php"]
    if addresses.articles is not None or addresses.are_at_root:
        special = site.page_path(site.titles.make(SPECIAL, "X")).removesuffix("X")
        paths = [addresses.index, *paths, special]
    lines = ["User-agent: *"]
    lines += [f"Disallow: {addresses.below(context.root, path)}" for path in paths]
    lines += ["", f"Sitemap: {sitemap_url(context)}", ""]
    return content_reply(
        "\n".join(lines).encode("utf-8", "replace"), _ROBOTS_TYPE, cache=_ROBOTS_CACHE
    )
