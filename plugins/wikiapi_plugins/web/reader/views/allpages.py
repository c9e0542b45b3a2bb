"""``Special:AllPages``: the pages of a namespace by title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.titlelists import by_title

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_PER_PAGE = 300


def show_all_pages(visit: Visit, title: Title) -> Reply:
    """The pages from the title that ``from`` or the sub-page names, redirects too unless hidden."""
    number = visit.number("namespace") or 0
    namespace = visit.site.namespaces.get(number) or visit.site.namespaces[0]
    text = visit.param("from") or title.dbkey.partition("/")[2]
    start = visit.site.titles.try_parse(text, namespace.id) if text else None
    if start and (start.interwiki or start.ns < 0):
        start = None
    if start:
        namespace = start.namespace
    shows_redirects = not visit.param("hideredirects")
    rows = by_title(
        visit.db,
        namespace.id,
        _PER_PAGE + 1,
        start=start.dbkey if start else None,
        redirects=shows_redirects,
    )
    query = {"namespace": namespace.id, **({} if shows_redirects else {"hideredirects": 1})}
    listed = [(visit.site.titles.make(namespace.id, name), is_red) for name, is_red in rows]
    return visit.draw(
        "allpages.html",
        visit.text("all-pages"),
        namespace=namespace.id,
        namespaces=[space for space in visit.site.namespaces if space.id >= 0],
        start=start.text if start else "",
        hides_redirects=not shows_redirects,
        listed=listed[:_PER_PAGE],
        first="" if start is None else visit.special("AllPages", **query),
        following=_from(visit, query, listed[_PER_PAGE][0]) if listed[_PER_PAGE:] else "",
    )


def _from(visit: Visit, query: dict[str, int], title: Title) -> str:
    return visit.special("AllPages", **query, **{"from": title.text})
