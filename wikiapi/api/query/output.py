"""Adds the page set of a query to its result, before any module is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from wikiapi.api.context import RequestContext
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.api.params.validate import Params, clean
from wikiapi.api.query.pageset import GeneratedPages, PageSet
from wikiapi.api.result import Arr, IdMap, Obj, Path
from wikiapi.site import Site
from wikiapi.store import Key
from wikiapi.title.namespaces import FILE, MEDIA, MEDIAWIKI, SPECIAL
from wikiapi.title.title import Title

PLACE = "index"
"""The key with which generators of sorted pages add the position of each page."""


def write_page_set(
    context: RequestContext, page_set: PageSet, params: Params, generated: GeneratedPages
) -> None:
    """Add the pages, and the changes of requested titles, to the result."""
    write_spellings(context, page_set, ("query",), with_urls=params["iwurl"])
    missing = {
        revision_id: Obj({"revid": revision_id, "missing": True})
        for revision_id in page_set.missing_revisions
    }
    if missing and missing.keys() == set(range(len(missing))):
        # PHP makes a list of what is numbered from 0.
        context.result.set(("query",), "badrevids", Arr(map(missing.get, sorted(missing)), "rev"))
    else:
        for revision_id, item in missing.items():
            context.result.set(("query", "badrevids"), str(revision_id), item)
    pages = _pages(context, page_set)
    if generated.data:
        _merge_generated(pages, page_set, generated)
    if not pages:
        return
    if params["indexpageids"]:
        context.result.set(("query",), "pageids", Arr(map(str, pages), "id"))
    context.result.set(("query",), "pages", pages)


def title_data(title: Title) -> dict[str, Any]:
    """Return namespace and title as ``ns`` and ``title``, with which nearly all items begin."""
    return {"ns": title.ns, "title": title.prefixed_text}


def stored_title(site: Site, namespace: int, dbkey: str) -> dict[str, Any]:
    """Return the same for a namespace and database key, which is faster for long lists."""
    return {"ns": namespace, "title": site.titles.prefixed(namespace, dbkey)}


def stored_titles(site: Site, namespaces: Iterable[int], dbkeys: Iterable[str]) -> list[str]:
    """Return the titles for columns of namespaces and database keys."""
    return list(map(site.titles.prefixed, namespaces, dbkeys))


def write_spellings(
    context: RequestContext,
    page_set: PageSet,
    path: Path = (),
    *,
    with_interwiki: bool = True,
    with_urls: bool = False,
) -> None:
    """Add normalized and converted titles, interwiki titles and followed redirects at a path."""
    lists = {
        "normalized": [_normalized(source, to) for source, to in page_set.normalized.items()],
        "converted": [Obj({"from": a, "to": b}) for a, b in page_set.converted.items()],
        "interwiki": [
            _interwiki(context.site, text, title, with_url=with_urls)
            for text, title in page_set.interwiki.items()
            if with_interwiki
        ],
        "redirects": [_redirect(source, target) for source, target in page_set.redirects],
    }
    elements = {"normalized": "n", "converted": "c", "interwiki": "i", "redirects": "r"}
    for name, items in lists.items():
        if items:
            context.result.set(path, name, Arr(items, elements[name]))


def _normalized(source: str, to: str) -> Obj:
    encoded = clean(source)[0] != source
    displayed = quote(source, safe="-_.~", errors="surrogateescape") if encoded else source
    return Obj({"fromencoded": encoded, "from": displayed, "to": to})


def _interwiki(site: Site, text: str, title: Title, *, with_url: bool) -> Obj:
    item = Obj({"title": text, "iw": title.interwiki})
    if with_url:
        item["url"] = site.page_url(title)
    return item


def _redirect(source: Title, target: Title) -> Obj:
    item = Obj({"from": source.prefixed_text, "to": target.prefixed_text})
    if target.fragment:
        item["tofragment"] = target.fragment
    if target.interwiki:
        item["tointerwiki"] = target.interwiki
    return item


def _pages(context: RequestContext, page_set: PageSet) -> IdMap:
    site, pages = context.site, IdMap("page")
    missing, special = page_set.missing, page_set.special
    absent = (*missing.values(), *special.values())
    media = [title for title in absent if title.ns in (FILE, MEDIA)]
    files = site.files.existing(media) if media else set()
    for fake_id, title in missing.items():
        pages[fake_id] = Obj(title_data(title) | {"missing": True})
        # Files of other repositories and default messages are displayed all the same.
        if title in files or (title.ns == MEDIAWIKI and site.messages.built_in(title.dbkey)):
            pages[fake_id]["known"] = True
    for fake_id, invalid in page_set.invalid.items():
        reason = ErrorFormatter(context).reason(invalid.reason)
        item = {"title": invalid.text, "invalidreason": reason, "invalid": True}
        pages[fake_id] = Obj(item)
    for page_id in page_set.missing_ids:
        pages[page_id] = Obj({"pageid": page_id, "missing": True})
    names = site.special_pages
    for fake_id, title in special.items():
        is_known = title.text in names if title.ns == SPECIAL else title in files
        pages[fake_id] = _special(title, is_known=is_known)
    rows = page_set.good.values()
    titles = stored_titles(site, [row.namespace for row in rows], [row.title for row in rows])
    for row, text in zip(rows, titles, strict=True):
        pages[row.page_id] = Obj({"pageid": row.page_id, "ns": row.namespace, "title": text})
    return pages


def _special(title: Title, *, is_known: bool) -> Obj:
    item = Obj(title_data(title) | {"special": True})
    if not is_known:
        item["missing"] = True
    return item


def _merge_generated(pages: IdMap, page_set: PageSet, generated: GeneratedPages) -> None:
    for page_id, title in (*page_set.good_and_missing(), *page_set.special.items()):
        data = generated.data.get(title.key)
        if data:
            pages[page_id] |= data
    _merge_places(pages, page_set, generated)


def _merge_places(pages: IdMap, page_set: PageSet, generated: GeneratedPages) -> None:
    """Set the positions of targets of redirects to that of their first redirect."""
    ids = {title.key: page_id for page_id, title in page_set.existing()}
    next_keys = {source.key: target.key for source, target in page_set.redirects}
    for source in next_keys:
        place = generated.data.get(source, {}).get(PLACE)
        page_id = ids.get(_last(source, next_keys))
        if place is not None and page_id is not None:
            pages[page_id][PLACE] = min(place, pages[page_id].get(PLACE, place))


def _last(key: Key, next_keys: Mapping[Key, Key]) -> Key:
    """Return the end of a chain of redirects; a loop ends at the first page visited twice."""
    visited = set[Key]()
    while key in next_keys and key not in visited:
        visited.add(key)
        key = next_keys[key]
    return key
