"""``action=mergehistory``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.api import (
    REASON,
    Obj,
    WriteAction,
    compact,
    integer,
    iso,
    named_page,
    string,
    timestamp,
)
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.languages import Num, Plain
from wikiapi.pages import (
    Changelog,
    DerivedData,
    NewText,
    PageRemover,
    PageWriter,
    automatic_tags,
    watching,
)
from wikiapi.store import BATCH, PageRow
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages, texts
from wikiapi.timestamps import parse_moment
from wikiapi.title import MEDIAWIKI, Title, default_model

_MOST = 5_000
"""Largest number of revisions that can be moved at once, as in MediaWiki."""


class _Moment(NamedTuple):
    """The place of a revision in histories, which are ordered by time and then by id."""

    timestamp: str
    rev_id: int


class _Merge(NamedTuple):
    """A request to move revisions of a page to another one."""

    source: Title
    target: Title
    theirs: Sequence[_Moment]
    """The revisions of the source, oldest first."""
    own: Sequence[_Moment]
    """The revisions of the target, oldest first."""
    start: str | None
    """The time from which on revisions are moved, 14 digits; ``None`` for all earlier ones."""
    end: str | None
    """The time up to which revisions are moved, 14 digits; ``None`` for all later ones."""

    @property
    def moved(self) -> list[_Moment]:
        """The revisions of the source in the period of the request."""
        return [
            revision
            for revision in self.theirs
            if (self.start is None or revision.timestamp >= self.start)
            and (self.end is None or revision.timestamp <= self.end)
        ]

    def obstacles(self) -> list[str]:
        """Return the keys of the reasons why nobody can move these revisions."""
        theirs, own, moved = self.theirs, self.own, self.moved
        keys = []
        if not theirs:
            keys.append("mergehistory-fail-invalid-source")
        if not own:
            keys.append("mergehistory-fail-invalid-dest")
        if self.source.key == self.target.key:
            keys.append("mergehistory-fail-self-merge")
        if not theirs and self.end is None:
            keys.append("mergehistory-fail-bad-timestamp")
        if self.start is not None and self.end is not None and self.start > self.end:
            keys.append("mergehistory-fail-start-after-end")
        if not moved or not own:
            return keys
        first = moved[0] if self.start is not None else _Moment("", 0)
        if any(first <= revision <= moved[-1] for revision in own):
            keys.append("mergehistory-fail-timestamps-overlap")
        elif moved[-1] > own[-1] or (len(moved) < len(theirs) and moved[-1] == theirs[-1]):
            keys.append("mergehistory-fail-change-current-revision")
        return keys


class MergeHistory(WriteAction):
    """Merge the history of one page into another."""

    name = "mergehistory"
    position = 47
    params = (
        string("from", "Title of the page whose history is merged."),
        integer("fromid", "Id of that page."),
        string("to", "Title of the page into which it is merged."),
        integer("toid", "Id of that page."),
        timestamp("timestamp", "Move revisions up to this time."),
        REASON,
        string("starttimestamp", "Move revisions from this time on."),
    )
    examples = (
        (
            "action=mergehistory&from=Oldpage&to=Newpage&token=123ABC&reason=Reason",
            "Merge a whole history",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Mergehistory",)

    def perform(self) -> None:
        """Move the revisions, and put both titles and the timestamp into the result.

        Raises:
            ApiError: the histories cannot be merged, or the user may not merge them.
        """
        source, target = named_page(self, "from", "fromid"), named_page(self, "to", "toid")
        old, new = self._row(source), self._row(target)
        merge = _Merge(
            source,
            target,
            self._history(old),
            self._history(new),
            self._start(),
            self.p.text_or_none("timestamp"),
        )
        obstacles, moved = merge.obstacles(), merge.moved
        if obstacles or old is None or new is None:
            raise ApiErrors([ApiError(None, key) for key in obstacles])
        self.check_allowed("mergehistory", target, new)
        for title, row in ((source, old), (target, new)):
            self.check_allowed("edit", title, row)
        if not moved:
            raise _failure("mergehistory-fail-no-change")
        if len(moved) > _MOST:
            raise ApiError("mergehistory-fail-toobig", "mergehistory-fail-toobig", Num(_MOST))
        ids = [revision.rev_id for revision in moved]
        for first in range(0, len(ids), BATCH):
            change = Revision.update(rev_page=new.page_id)
            self.db.execute_write(change.where(Revision.rev_id.in_(ids[first : first + BATCH])))
        # As in MediaWiki, revisions keep their parents, which may belong to the other page now.
        self._settle_source(source, old, target)
        DerivedData(self.site).touch_page(target)
        watching.copy_watchers(self.site, source, target)
        self._log(source, target, new, moved[-1])
        data = Obj({"from": source.prefixed_text, "to": target.prefixed_text})
        data["timestamp"] = iso(merge.end) if merge.end else None
        data["reason"] = self.p.text("reason")
        self.result.set((), self.name, data)

    def _row(self, title: Title) -> PageRow | None:
        return pages.by_titles(self.db, [title.key]).get(title.key)

    def _history(self, row: PageRow | None) -> list[_Moment]:
        """Return the revisions of a page, oldest first."""
        if row is None:
            return []
        query = Revision.select(Revision.rev_timestamp, Revision.rev_id)
        query = query.where(Revision.rev_page == row.page_id)
        ordered = query.order_by(Revision.rev_timestamp, Revision.rev_id)
        return [_Moment(*revision) for revision in self.db.execute(ordered)]

    def _start(self) -> str | None:
        """Return the time of the first revision to move, 14 digits; ``None`` for the oldest."""
        timestamp = self.p.text_or_none("starttimestamp")
        if not timestamp:
            return None
        start = parse_moment(timestamp)
        if start is None:
            raise _failure("mergehistory-fail-bad-timestamp")
        return compact(start)

    def _settle_source(self, source: Title, row: PageRow, target: Title) -> None:
        """Update the source page; if no revision is left, replace it by a redirect or delete it."""
        query = Revision.select(Revision.rev_id).where(Revision.rev_page == row.page_id)
        newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        latest = self.db.scalar(newest.limit(1))
        if latest is not None:
            DerivedData(self.site).touch_page(source)
            return
        model = row.content_model or default_model(source)
        declared = self.site.content_models.get(model)
        # A message that is wikitext cannot be a redirect.
        is_message = source.ns == MEDIAWIKI and model == "wikitext"
        text = declared.redirect_text(self.site, target) if declared and not is_message else None
        reason = self.p.text("reason")
        key = "mergehistory-comment" if reason else "mergehistory-autocomment"
        titles = source.prefixed_text, target.prefixed_text
        summary = self.site.messages.content_text(key, *titles, Plain(reason))
        if text is None:
            PageRemover(self.context.performer).remove(source, row, summary)
            return
        before = texts.of_revisions(self.db, [row.latest])[row.latest].text or ""
        former = self.site.redirects.target(before)
        step = NewText(
            text,
            model,
            summary,
            skips_recent_changes=True,
            counts_for_author=False,
            tags=tuple(automatic_tags(before, text, former, target)),
        )
        PageWriter(self.context.performer).save(source, row, step)

    def _log(self, source: Title, target: Title, row: PageRow, last: _Moment) -> None:
        changelog, reason = Changelog(self.context.performer), self.p.text("reason")
        old = self._row(source)
        changelog.add_entry(
            "merge",
            "merge",
            source,
            page_id=old.page_id if old else 0,
            reason=reason,
            params={
                "4::dest": target.prefixed_text,
                "5::mergepoint": last.timestamp,
                "6::mergerevid": str(last.rev_id),
            },
        )
        changelog.add_entry(
            "merge",
            "merge-into",
            target,
            page_id=row.page_id,
            reason=reason,
            params={
                "4::src": source.prefixed_text,
                "5::mergepoint": last.timestamp,
                "6::mergerevid": str(last.rev_id),
            },
        )


def _failure(key: str) -> ApiError:
    return ApiError(key, key)
