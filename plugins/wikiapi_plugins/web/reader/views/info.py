"""``action=info``: facts about a page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from markupsafe import Markup
from peewee import fn

from wikiapi.api import compact
from wikiapi.expiry import INFINITY
from wikiapi.http import Reply
from wikiapi.languages import Message, Num
from wikiapi.store import PageRow, RevisionRow, bounds
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries import links, pages, protection, redirects, revisions
from wikiapi.timestamps import before
from wikiapi.title import Title, default_model
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.indexing import is_hidden, robots_of
from wikiapi_plugins.web.reader.views.errors import show_missing

_RECENT = timedelta(days=30)
_MAX_LINKS = 200


class Fact(NamedTuple):
    """A row of the table. Its HTML id is ``mw-pageinfo-`` and the ``name``."""

    name: str
    label: str
    value: str


class Group(NamedTuple):
    """A table of facts."""

    heading: str
    facts: list[Fact]


def show_info(context: ViewContext, title: Title) -> Reply:
    """Show facts about a page, its protection, history and properties, in about ten queries."""
    row = pages.by_titles(context.db, [title.key]).get(title.key)
    if row is None:
        return show_missing(context, title)
    props = pages.page_props(context.db, [row.page_id]).get(row.page_id, {})
    groups = [
        Group(context.text("info-basic"), list(_basic(context, title, row, props))),
        Group(context.text("info-protection"), list(_protection(context, row))),
        Group(context.text("info-history"), list(_history(context, row))),
        Group(context.text("info-properties"), [Fact(n, n, v) for n, v in props.items()]),
    ]
    query = links.outgoing(links.TEMPLATES, [row.page_id]).limit(_MAX_LINKS)
    templates = [context.site.titles.make(one[1], one[2]) for one in context.db.execute(query)]
    return context.render(
        "info.html",
        context.phrase("info-of", context.named(title)),
        title=title,
        view="info",
        groups=[group for group in groups if group.facts],
        templates=sorted(templates, key=lambda template: template.key),
    )


def _basic(
    context: ViewContext, title: Title, row: PageRow, props: dict[str, str]
) -> Iterator[Fact]:
    display_title = title.prefixed_text
    if "displaytitle" in props:
        # HTML from the store may be less well-formed than the parser's.
        display_title = Markup(props["displaytitle"]).striptags()  # noqa: S704
    yield Fact("display-title", context.text("info-display-title"), display_title)
    if row.is_redirect:
        target = redirects.targets(context.db, [row.page_id]).get(row.page_id)
        if target is not None:
            page = context.site.titles.make(*target.key)
            name = f"{target.interwiki}:{target.title}" if target.interwiki else page.prefixed_text
            yield Fact("redirectsto", context.text("info-redirectsto"), name)
    yield Fact(
        "default-sort", context.text("info-default-sort"), props.get("defaultsort", title.text)
    )
    yield Fact("length", context.text("info-length"), context.format_number(row.length))
    yield Fact(
        "namespace-id",
        context.text("info-namespace-id"),
        f"{title.ns} ({title.namespace.name})" if title.ns else "0",
    )
    yield Fact("article-id", context.text("info-article-id"), str(row.page_id))
    yield Fact("language", context.text("info-language"), row.language or context.site.language)
    yield Fact(
        "content-model",
        context.text("info-content-model"),
        row.content_model or default_model(title),
    )
    hidden = is_hidden(robots_of(title.namespace, props))
    robots = context.text("info-robot-noindex") if hidden else context.text("info-robot-index")
    yield Fact("robot-policy", context.text("info-robot-policy"), robots)
    query = links.sources(links.REDIRECTS, fn.COUNT(Page.page_id))
    query = query.select(fn.COUNT(Page.page_id)).where(
        links.target_in(links.REDIRECTS, [title.key])
    )
    number = context.format_number(int(context.db.execute(query)[0][0]))
    yield Fact("redirects", context.text("info-redirects"), number)
    if title.namespace.subpages:
        below = bounds.with_prefix(Page.page_title, f"{title.dbkey}/")
        subpages = Page.select(fn.COUNT(Page.page_id)).where(
            Page.page_namespace == title.ns, *below
        )
        number = context.format_number(int(context.db.execute(subpages)[0][0]))
        yield Fact("subpages-name", context.text("info-subpages-name"), number)


def _protection(context: ViewContext, row: PageRow) -> Iterator[Fact]:
    levels = {
        entry.type: entry
        for entry in protection.of_pages(context.db, [row.page_id]).get(row.page_id, [])
    }
    for action in ("edit", "move"):
        entry = levels.get(action)
        value = context.text("info-unprotected")
        if entry is not None:
            value = context.name_of(f"protect-level-{entry.level}", entry.level)
            if entry.expiry != INFINITY:
                value = f"{value} ({context.format_time(entry.expiry)})"
        yield Fact(f"protect-{action}", context.text(f"protect-{action}"), value)


def _history(context: ViewContext, row: PageRow) -> Iterator[Fact]:
    query = revisions.SELECT_REVISIONS.where(Revision.rev_page == row.page_id)
    order = (Revision.rev_timestamp, Revision.rev_id)
    oldest = context.db.execute(query.order_by(*order).limit(1))
    if oldest:
        first = revisions.read(oldest[0])
        yield Fact("firstuser", context.text("info-firstuser"), _author(context, first))
        moment = context.format_time(first.timestamp)
        yield Fact("firsttime", context.text("info-firsttime"), moment)
    latest = revisions.by_ids(context.db, [row.latest]).get(row.latest)
    if latest is not None:
        yield Fact("lastuser", context.text("info-lastuser"), _author(context, latest))
        moment = context.format_time(latest.timestamp)
        yield Fact("lasttime", context.text("info-lasttime"), moment)
    count = fn.COUNT(Revision.rev_id)
    authors = fn.COUNT(Revision.rev_actor.distinct())
    whole = Revision.select(count).where(Revision.rev_page == row.page_id)
    number = int(context.db.execute(whole)[0][0])
    yield Fact("edits", context.text("info-edits"), context.format_number(number))
    since = before(compact(context.site.clock()), _RECENT)
    recent = Revision.select(count, authors).where(
        Revision.rev_page == row.page_id, Revision.rev_timestamp >= since
    )
    edits, users = context.db.execute(recent)[0]
    period = context.message_text(Message("duration-days", (Num(_RECENT.days),)))
    yield Fact(
        "recent-edits", context.text("info-recent-edits", period), context.format_number(edits)
    )
    yield Fact("recent-authors", context.text("info-recent-authors"), context.format_number(users))


def _author(context: ViewContext, edit: RevisionRow) -> str:
    return context.text("user-hidden") if edit.user_name is None else edit.user_name
