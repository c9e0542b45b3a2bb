"""``Special:Export``: pages as XML, for import into other wikis and for archives."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from wikiapi.api import compact
from wikiapi.api.params.types.timestamp import parse_moment
from wikiapi.api.pieces import gathered
from wikiapi.http import Reply
from wikiapi.http.envelope import Stream
from wikiapi.http.reply import Header
from wikiapi.store.models import CategoryLinks
from wikiapi.store.queries import categories, links, pages
from wikiapi.title import CATEGORY, Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.exporting import History, export_parts
from wikiapi_plugins.web.replies import content_reply

logger = logging.getLogger("wikiapi.reader")

_TYPE = "application/xml; charset=utf-8"
_MAX_MEMBERS = 5_000
_MAX_PAGES = 20_000
_PAGES_TOGETHER = 500
_HIGHEST_LIMIT = 2**31


def show_export(context: ViewContext, title: Title) -> Reply:
    """Send the pages that the request names; without any, show the form.

    Raises:
        ViewError: too many pages are named, or ``offset`` is not a time.
    """
    params = context.request.params
    named = params.get("pages", "") or title.dbkey.partition("/")[2]
    if "addcat" in params:
        return _form(context, _with_members(context, params.get("pages", "")))
    titles = _titles(context, named.split("\n", _MAX_PAGES + 1))
    if not named.strip():
        return _form(context, "")
    if "templates" in params:
        titles = _with_templates(context, titles)
    return _sending(context, export_parts(context.site, titles, _history(context, title)))


def _history(context: ViewContext, title: Title) -> History | None:
    """Return which revisions are requested; ``None`` for the current ones.

    By default, a POST request gets full histories, and a GET request the current revisions.
    """
    params = context.request.params
    if context.request.method != "POST" or "/" in title.dbkey:
        return History() if "history" in params else None
    if "curonly" in params:
        return None
    if "history" in params:
        return History()
    offset = context.param("offset")
    moment = parse_moment(offset) if offset else None
    if offset and moment is None:
        raise ViewError(400, "reader-bad-offset", context.plain(offset))
    return History(
        beyond=compact(moment) if moment else "",
        limit=min(context.number("limit") or 0, _HIGHEST_LIMIT),
        descending=context.param("dir").lower() == "desc",
    )


def _titles(context: ViewContext, names: Sequence[str]) -> list[Title]:
    """Return the named pages of this wiki, without duplicates.

    Raises:
        ViewError: there are too many names.
    """
    if len(names) > _MAX_PAGES:
        raise ViewError(400, "reader-too-many-pages", _MAX_PAGES)
    found: dict[tuple[int, str], Title] = {}
    for name in names:
        text = name.encode("utf-8", "replace").decode().strip()
        title = context.site.titles.try_parse(text) if text else None
        if title and title.dbkey and not title.interwiki and not title.namespace.is_virtual:
            found.setdefault(title.key, title)
    return list(found.values())


def _with_templates(context: ViewContext, titles: list[Title]) -> list[Title]:
    """Return the pages and those that they transclude. Two queries for each 500 pages."""
    rows = pages.by_titles(context.db, [title.key for title in titles])
    ids = [row.page_id for row in rows.values()]
    found = {title.key: title for title in titles}
    for start in range(0, len(ids), _PAGES_TOGETHER):
        query = links.outgoing(links.TEMPLATES, ids[start : start + _PAGES_TOGETHER])
        for row in context.db.execute(query):
            found.setdefault((row[1], row[2]), context.site.titles.make(row[1], row[2]))
    return list(found.values())


def _with_members(context: ViewContext, named: str) -> str:
    """Return page names, one per line, with the members of the category in ``catname`` added."""
    text = context.param("catname")
    category = context.site.titles.try_parse(text, CATEGORY) if text else None
    if category is None or category.ns != CATEGORY or category.interwiki:
        return named
    query = categories.named_members(category.dbkey)
    order = (CategoryLinks.cl_type, CategoryLinks.cl_sortkey, CategoryLinks.cl_from)
    rows = context.db.execute(query.order_by(*order).limit(_MAX_MEMBERS))
    members = [context.site.titles.make(row[3], row[4]).prefixed_text for row in rows]
    return "\n".join([*filter(None, [named]), *members])


def _form(context: ViewContext, named: str) -> Reply:
    return context.render(
        "export.html",
        context.text("export"),
        named=named.encode("utf-8", "replace").decode(),
        category=context.param("catname"),
    )


def _sending(context: ViewContext, parts: Iterator[str]) -> Reply:
    """Return a reply with the document, which is streamed unless it is small.

    The first two pieces are generated at once, so that errors in them can still be reported.
    """
    headers: list[Header] = [("X-Robots-Tag", "noindex,nofollow")]
    if "wpDownload" in context.request.params:
        name = f"{context.site.config.site.name}-{compact(context.site.clock())}.xml"
        value = f"attachment;filename={quote(name, safe='')}"
        headers.append(("Content-Disposition", value))
    pieces = (piece.encode("utf-8", "replace") for piece in gathered(parts))
    first, second = next(pieces), next(pieces, None)
    reply = content_reply(first, _TYPE, headers=headers)
    if second is not None:
        rest = _chained(first, second, pieces)
        budget = context.site.budgets.current
        reply.pieces = Stream(rest, context.site, budget, _log_failure)
        reply.body = b""
    return reply


def _chained(first: bytes, second: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield second
    yield from rest


def _log_failure(error: Exception) -> None:
    logger.warning("Special:Export was cut off: %s", error)
