"""``action=mergehistory``."""

from __future__ import annotations

from typing import Any

from peewee import fn

from wikiapi.api import Obj, compact, iso
from wikiapi.api.params.types.timestamp import parse_moment
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.i18n import Message
from wikiapi.store import PageRow
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.pages import current_page, page_of
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.derived import DerivedData
from wikiapi_plugins.editing.removal import PageRemover
from wikiapi_plugins.editing.saving import NewText, PageWriter


class MergeHistory(WriteAction):
    """Moves old revisions of a page to another page."""

    def perform(self) -> None:
        """Move the revisions, and put both titles and the timestamp into the result.

        Raises:
            ApiError: the histories cannot be merged, or the user may not merge them.
        """
        source, target = page_of(self, "from", "fromid"), page_of(self, "to", "toid")
        old, new = self._row(source), self._row(target)
        end = self.p.text_or_none("timestamp") or self._moment(old, fn.MAX)
        obstacles = self._obstacles(old, new, end)
        if obstacles or old is None or new is None or end is None:
            raise ApiErrors([ApiError(message) for message in obstacles])
        self.check_allowed("mergehistory", target, new)
        for title, row in ((source, old), (target, new)):
            self.check_allowed("edit", title, row)
        merged = self._merged(old, end)
        if not merged:
            raise _failure("mergehistory-fail-no-change")
        moved = Revision.update(rev_page=new.page_id)
        self.db.execute_write(moved.where(Revision.rev_id.in_(merged)))
        self._set_parents(new)
        self._settle_source(source, old, target)
        DerivedData(self.site).touch_page(target)
        self._log(source, target, new, end, merged[-1])
        data = Obj({"from": source.prefixed_text, "to": target.prefixed_text})
        data["timestamp"] = iso(self.p.text_or_none("timestamp") or compact(self.context.now))
        data["reason"] = self.p.text("reason")
        self.result.set((), self.name, data)

    def _row(self, title: Title) -> PageRow | None:
        return pages.by_titles(self.db, [title.key]).get(title.key)

    def _obstacles(
        self, old: PageRow | None, new: PageRow | None, end: str | None
    ) -> list[Message]:
        """Return why the revisions up to a moment cannot be moved to a page by anybody."""
        keys = []
        if old is None:
            keys.append("mergehistory-fail-invalid-source")
        if new is None:
            keys.append("mergehistory-fail-invalid-dest")
        if old and new and old.page_id == new.page_id:
            keys.append("mergehistory-fail-self-merge")
        oldest = self._moment(new, fn.MIN)
        if oldest and (end is None or end > oldest):
            keys.append("mergehistory-fail-timestamps-overlap")
        return [Message(key) for key in keys]

    def _moment(self, row: PageRow | None, which: Any) -> str | None:
        """Return the timestamp of the first or last revision of a page."""
        if row is None:
            return None
        query = Revision.select(which(Revision.rev_timestamp)).where(
            Revision.rev_page == row.page_id
        )
        return str(self.db.scalar(query))

    def _merged(self, row: PageRow, end: str) -> list[int]:
        """Return the ids of the revisions to move, oldest first."""
        conditions: list[Any] = [Revision.rev_page == row.page_id, Revision.rev_timestamp <= end]
        given = self.p.text_or_none("starttimestamp")
        if given:
            start = parse_moment(given)
            if start is None:
                raise _failure("mergehistory-fail-bad-timestamp")
            conditions.append(Revision.rev_timestamp >= compact(start))
        query = Revision.select(Revision.rev_id).where(*conditions)
        ordered = query.order_by(Revision.rev_timestamp, Revision.rev_id)
        return [number for (number,) in self.db.execute(ordered)]

    def _set_parents(self, row: PageRow) -> None:
        """Set the parent of each revision of the page to the revision before it."""
        query = Revision.select(Revision.rev_id, Revision.rev_parent_id)
        ordered = query.where(Revision.rev_page == row.page_id).order_by(
            Revision.rev_timestamp, Revision.rev_id
        )
        before = 0
        for number, parent in self.db.execute(ordered):
            if (parent or 0) != before:
                changed = Revision.update(rev_parent_id=before)
                self.db.execute_write(changed.where(Revision.rev_id == number))
            before = number

    def _settle_source(self, source: Title, row: PageRow, target: Title) -> None:
        """Update the source page; if no revision is left, replace it by a redirect or delete it."""
        query = Revision.select(Revision.rev_id).where(Revision.rev_page == row.page_id)
        newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        latest = self.db.scalar(newest.limit(1))
        if latest is not None:
            self._set_parents(row)
            DerivedData(self.site).touch_page(source)
            return
        model = current_page(self, target).model
        declared = self.site.parser.registries.content_models.get(model)
        text = declared.redirect_text(self.site, target) if declared else None
        summary = f"Merged [[{source.prefixed_text}]] into [[{target.prefixed_text}]]"
        reason = self.p.text("reason")
        summary = f"{summary}: {reason}" if reason else summary
        if text is None:
            PageRemover(self.context).remove(source, row, summary)
            return
        step = NewText(text, model, summary, skips_recent_changes=True, tags=("mw-new-redirect",))
        PageWriter(self.context).save(source, row._replace(latest=0), step)

    def _log(self, source: Title, target: Title, row: PageRow, end: str, revision_id: int) -> None:
        changelog, reason = Changelog(self.context), self.p.text("reason")
        old = self._row(source)
        changelog.add_entry(
            "merge",
            "merge",
            source,
            page_id=old.page_id if old else 0,
            reason=reason,
            params={
                "4::dest": target.prefixed_text,
                "5::mergepoint": end,
                "6::mergerevid": revision_id,
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
                "5::mergepoint": end,
                "6::mergerevid": revision_id,
            },
        )


def _failure(key: str) -> ApiError:
    return ApiError.of(key, key)
