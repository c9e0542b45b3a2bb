"""``/v1/search/page`` and ``/v1/search/title``: pages by their text, or by the start of a title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from mimetypes import guess_type
from typing import Any

from wikiapi.rest import RestCall, RestParam, RestReply, Route
from wikiapi.search import parse_query
from wikiapi.title import MAIN
from wikiapi_plugins.query.search.search import snippet
from wikiapi_plugins.web.rest.pages import key_of

_PARAMS = (
    RestParam("q", is_required=True, help="The words, or the start of a title."),
    RestParam(
        "limit", is_integer=True, bounds=(1, 100), default=50, help="At most this many pages."
    ),
)
_TITLE_CACHE = "public, max-age=1200"
_THUMBNAIL_WIDTH = 60


class SearchPages(Route):
    """Pages that contain words."""

    path = "/v1/search/page"
    params = _PARAMS
    examples = ("/v1/search/page?q=planet&limit=5",)

    def get(self, call: RestCall) -> RestReply:
        """Return pages with the words in their titles, then those with the words in their texts."""
        words, limit = call.text("q"), call.values["limit"]
        # The name of a namespace and nothing else has no results.
        name, colon, rest = words.strip().partition(":")
        if colon and not rest and call.site.titles.namespaces.find(name):
            return RestReply({"pages": []}, has_etag=False)
        items: list[dict[str, Any]] = []
        for place in ("title", "text"):
            query = call.query(
                list="search", srsearch=words, srwhat=place, srlimit="max", srprop="", srinfo=""
            )
            # As in MediaWiki, the pages are in the order of their titles.
            results = sorted(query.get("search", ()), key=_place)
            items += [_item(result, None) for result in results[:limit]]
        _add_excerpts(call, items)
        pages = _with_thumbnails(call, _with_targets(call, items))
        return RestReply({"pages": pages}, has_etag=False)


class SearchTitles(Route):
    """Pages whose titles begin with a text."""

    path = "/v1/search/title"
    params = _PARAMS
    examples = ("/v1/search/title?q=jup&limit=5",)

    def get(self, call: RestCall) -> RestReply:
        """Return the pages in the order of their titles; their excerpts are the titles.

        In place of redirects are the pages to which they lead. Special pages have the id 0.
        """
        query = call.query(
            list="prefixsearch", pssearch=call.text("q"), pslimit=call.values["limit"]
        )
        items = [_item(result, result["title"]) for result in query.get("prefixsearch", ())]
        pages = _with_thumbnails(call, _with_targets(call, items))
        return RestReply({"pages": pages}, _TITLE_CACHE, has_etag=False)


def _item(result: Mapping[str, Any], excerpt: str | None) -> dict[str, Any]:
    return {
        "id": result.get("pageid", 0),
        "key": key_of(result["title"]),
        "title": result["title"],
        "excerpt": excerpt,
        "matched_title": result.get("redirecttitle"),
        "anchor": None,
        "description": None,
        "thumbnail": None,
    }


def _ids(items: Iterable[Mapping[str, Any]]) -> Iterable[int]:
    """Return the ids of stored pages, each once."""
    return dict.fromkeys(item["id"] for item in items if item["id"])


def _place(result: Mapping[str, Any]) -> tuple[int, str]:
    """Return the place of a page in the order of namespaces and titles."""
    return result["ns"], key_of(result["title"])


def _add_excerpts(call: RestCall, items: Sequence[dict[str, Any]]) -> None:
    """Add the text around the words, with the words marked, where the text has them."""
    terms = parse_query(call.site, call.text("q"), (MAIN,)).highlight
    texts: dict[int, str] = {}
    for query in call.queries(
        "pageids", _ids(items), prop="revisions", rvprop="content", rvslots="main"
    ):
        for page in query.get("pages", ()):
            for revision in page.get("revisions", ()):
                texts[page["pageid"]] = revision["slots"]["main"].get("content", "")
    for item in items:
        item["excerpt"] = snippet(texts.get(item["id"], ""), terms) or None


def _with_targets(call: RestCall, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each page once, and in place of a redirect the page to which it leads."""
    targets: dict[str, str] = {}
    for query in call.queries("pageids", _ids(items), redirects=True):
        targets |= {
            redirect["from"]: redirect["to"]
            for redirect in query.get("redirects", ())
            if "tointerwiki" not in redirect
        }
    # Only one step is followed, and missing pages have the id 0.
    ids: dict[str, int] = {}
    for query in call.queries("titles", dict.fromkeys(targets.values())):
        ids |= {page["title"]: page.get("pageid", 0) for page in query.get("pages", ())}
    by_id: dict[int | str, dict[str, Any]] = {}
    for item in items:
        title = targets.get(item["title"])
        if title in ids:
            new = {"id": ids[title], "key": key_of(title), "title": title}
            item = item | new | {"matched_title": item["title"]}
        by_id.setdefault(item["id"] or item["key"], item)
    return list(by_id.values())


def _with_thumbnails(call: RestCall, items: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Add the images of pages, if an extension chooses them (``prop=pageimages``)."""
    by_id = {item["id"]: item for item in items}
    for query in call.queries(
        "pageids",
        _ids(items),
        prop="pageimages",
        piprop="thumbnail",
        pithumbsize=_THUMBNAIL_WIDTH,
        pilimit="max",
    ):
        for page in query.get("pages", ()):
            if image := page.get("thumbnail"):
                by_id[page["pageid"]]["thumbnail"] = {
                    "mimetype": guess_type(image["source"])[0],
                    "width": image["width"],
                    "height": image["height"],
                    "duration": None,
                    "url": image["source"],
                }
    return items
