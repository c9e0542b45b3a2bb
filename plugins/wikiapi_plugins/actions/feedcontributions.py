"""``action=feedcontributions``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from wikiapi.api import boolean, enum, integer, namespace, user
from wikiapi.store import RevisionRow
from wikiapi.store.models import Actor, Page, Revision
from wikiapi.store.queries import revisions, tags, texts, visibility
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.changes.tags import defined_tags
from wikiapi_plugins.shared.feeds.feed import FORM, MAX_ENTRIES, Entry, Feed, FeedAction
from wikiapi_plugins.shared.feeds.summaries import content_summary


class FeedContributions(FeedAction):
    """Return a feed of a user's contributions."""

    name = "feedcontributions"
    position = 14
    params = (
        FORM,
        user("user", "The user.", required=True,
             kinds=("name", "ip", "temp", "cidr", "id", "interwiki")),
        namespace("namespace", "Only edits in this namespace."),
        integer("year", "Only edits up to this year."),
        integer("month", "Only edits up to this month."),
        enum("tagfilter", choices=defined_tags, multi=True, default="",
             help="Only edits with one of these tags."),
        boolean("deletedonly", "Only deleted edits, which not everybody may see."),
        boolean("toponly", "Only edits that are the latest revision of their page."),
        boolean("newonly", "Only edits that created a page."),
        boolean("hideminor", "No minor edits."),
        boolean("showsizediff", "Include by how many bytes each edit changed the page."),
    )  # fmt: skip
    examples = (("action=feedcontributions&user=Example", "The edits of a user"),)

    def feed(self) -> Feed:
        """Return the edits, newest first.

        Raises:
            ApiError: ``permissiondenied`` for deleted edits.
        """
        if self.p.flag("deletedonly"):
            self.require_right("deletedhistory")
        query = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(
            Page.page_namespace, Page.page_title
        )
        order = (Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        query = query.where(*self._conditions()).order_by(*order).limit(MAX_ENTRIES)
        rows = map(revisions.read, self.db.execute(query))
        edits = [(edit, self.site.titles.make(edit.namespace, edit.title)) for edit in rows]
        name = self.p.text("user")
        return self.make(
            self.site.messages.content_text("contributions", name),
            f"Contributions/{name}",
            self.site.messages.content_text("contributions", name),
            list(self._entries(edits)),
        )

    def _conditions(self) -> Iterator[Any]:
        p = self.p
        yield (Actor.actor_name == p.text("user")) & visibility.not_hidden(
            Revision.rev_deleted, visibility.USER
        )
        if p.is_given("namespace"):
            yield Page.page_namespace == p.number("namespace")
        if p.flag("toponly"):
            yield Page.page_latest == Revision.rev_id
        if p.flag("newonly"):
            yield Revision.rev_parent_id == 0
        if p.flag("hideminor"):
            yield Revision.rev_minor_edit == 0
        if p.texts("tagfilter"):
            tagged = (
                Revision.rev_id.in_(tags.tagged_revisions(tag)) for tag in p.texts("tagfilter")
            )
            yield reduce(or_, tagged)
        if end := _end_of(p.number_or_none("year"), p.number_or_none("month")):
            yield Revision.rev_timestamp < end

    def _entries(self, edits: list[tuple[RevisionRow, Title]]) -> Iterator[Entry]:
        stored = texts.of_revisions(self.db, [edit.rev_id for edit, _ in edits])
        lengths = revisions.parent_lengths(self.db, [edit.parent_id or 0 for edit, _ in edits])
        comments = format_comments(
            self.site.parser,
            [(edit.comment or "", title) for edit, title in edits],
            language=self.context.language,
        )
        for (edit, title), comment in zip(edits, comments, strict=True):
            change = (edit.length or 0) - lengths.get(edit.parent_id or 0, 0)
            size = f" ({change:+d})" if self.p.flag("showsizediff") else ""
            yield Entry(
                title=f"{title.prefixed_text}{size}",
                summary=content_summary(edit, comment, stored.get(edit.rev_id)),
                url=self.site.page_url(title, f"diff={edit.rev_id}"),
                moment=edit.timestamp,
                author=edit.user_name or "",
            )


_MONTHS = 12
_LATEST_YEAR = 9998


def _end_of(year: int | None, month: int | None) -> str | None:
    """Return the end of a year, or of a month in it, as 14 digits; ``None`` without a year."""
    if year is None or not 0 < year <= _LATEST_YEAR:
        return None
    if month is None or not 0 < month < _MONTHS:
        return f"{year + 1:04d}0101000000"
    return f"{year:04d}{month + 1:02d}01000000"
