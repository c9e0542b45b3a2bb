"""``action=tag``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wikiapi.api import (
    LOG_TAGS,
    REASON,
    Arr,
    ErrorFormatter,
    Obj,
    WriteAction,
    change_tags,
    integer,
    refuse_blocked,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, plain_list
from wikiapi.pages import REVISION, Changelog, tag_change
from wikiapi.store.models import (
    ChangeTag,
    ChangeTagDef,
    Logging,
    LogSearch,
    Page,
    RecentChanges,
    Revision,
)
from wikiapi.store.queries import tags
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import logs_visible_to
from wikiapi_plugins.query.changes.tags import SOFTWARE

_KINDS = ("rcid", "revid", "logid")


class _Tagged(NamedTuple):
    """A change that can have tags: its ids (0 if there is no such row) and its page."""

    change_id: int
    revision_id: int
    log_id: int
    title: Title
    page_id: int


class Tag(WriteAction):
    """Add change tags to revisions or log entries, or remove them."""

    name = "tag"
    position = 46
    params = (
        integer("rcid", "Ids of recent changes.", multi=True),
        integer("revid", "Ids of revisions.", multi=True),
        integer("logid", "Ids of log entries.", multi=True),
        change_tags("add", "Tags to add."),
        string("remove", "Tags to remove.", multi=True),
        REASON,
        LOG_TAGS,
    )
    examples = (("action=tag&revid=123&add=vandalism&token=123ABC", "Tag a revision"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Tag",)

    def perform(self) -> None:
        """Change the tags of all named changes, and put the outcome for each into the result.

        Raises:
            ApiError: ``missingparam``, ``permissiondenied``, or a tag may not be added.
        """
        if all(self.p[name] is None for name in _KINDS):
            message = Message(
                "apierror-missingparam-at-least-one-of", (plain_list(_KINDS), Num(len(_KINDS)))
            )
            raise ApiError("missingparam", message)
        self.require_right("changetags")
        refuse_blocked(self.context, self.name)
        refusal = self._refusal()
        items = [
            self._tagged(kind, number, refusal)
            for kind in _KINDS
            for number in dict.fromkeys(self.p.numbers(kind))
        ]
        self.result.set((), self.name, Arr(items, "result"))

    def _refusal(self) -> Message | None:
        """Return why the tags may not be removed from any change; ``None`` if they may be."""
        definitions = tags.definitions(self.db)
        fixed = [
            tag
            for tag in self.p.texts("remove")
            if tag in SOFTWARE and not definitions.get(tag, (0, False))[1]
        ]
        number = "one" if len(fixed) == 1 else "multi"
        params = (", ".join(fixed), len(fixed))
        return Message(f"tags-update-remove-not-allowed-{number}", params) if fixed else None

    def _tagged(self, kind: str, number: int, refusal: Message | None) -> Obj:
        item = self._find(kind, number)
        outcome = Obj({kind: number})
        errors = ErrorFormatter(self.context)
        if item is None:
            code = {"rcid": "nosuchrcid", "revid": "nosuchrevid", "logid": "nosuchlogid"}[kind]
            outcome["status"] = "error"
            outcome["errors"] = errors.listed([Message(f"apierror-{code}", (number,))])
            return outcome
        if refusal is not None:
            outcome["status"] = "failure"
            outcome["errors"] = errors.listed([refusal])
            return outcome
        outcome["status"] = "success"
        before = list(self._tags(item))
        removed = dict.fromkeys(self.p.texts("remove"))
        # A tag that is both added and removed is removed.
        new = [t for t in dict.fromkeys(self.p.texts("add")) if t not in (*before, *removed)]
        gone = [tag for tag in removed if tag in before]
        if not new and not gone:
            outcome["noop"] = True
            return outcome
        tag_change(
            self.db,
            new,
            change_id=item.change_id,
            revision_id=item.revision_id,
            log_id=item.log_id,
        )
        self._remove(item, gone)
        outcome["actionlogid"] = self._log(kind, item, new, gone, before)
        outcome["added"], outcome["removed"] = Arr(new, "t"), Arr(gone, "t")
        return outcome

    def _tags(self, item: _Tagged) -> Iterator[str]:
        if item.revision_id:
            number = item.revision_id
            yield from tags.of_revisions(self.db, [number]).get(number, ())
        elif item.log_id:
            yield from tags.of_log_entries(self.db, [item.log_id]).get(item.log_id, ())
        else:
            number = item.change_id
            yield from tags.of_recent_changes(self.db, [number]).get(number, ())

    def _remove(self, item: _Tagged, names: Sequence[str]) -> None:
        if not names:
            return
        ids = ChangeTagDef.select(ChangeTagDef.ctd_id).where(ChangeTagDef.ctd_name.in_(names))
        if item.revision_id:
            here = ChangeTag.ct_rev_id == item.revision_id
        elif item.log_id:
            here = ChangeTag.ct_log_id == item.log_id
        else:
            here = ChangeTag.ct_rc_id == item.change_id
        gone = ChangeTag.delete().where(here, ChangeTag.ct_tag_id.in_(ids))
        self.db.execute_write(gone)
        counted = ChangeTagDef.update(ctd_count=ChangeTagDef.ctd_count - 1)
        named = ChangeTagDef.ctd_name.in_(names)
        self.db.execute_write(counted.where(named, ChangeTagDef.ctd_count > 0))
        unused = (ChangeTagDef.ctd_count == 0) & (ChangeTagDef.ctd_user_defined == 0)
        self.db.execute_write(ChangeTagDef.delete().where(named, unused))

    def _log(
        self,
        kind: str,
        item: _Tagged,
        added: Sequence[str],
        removed: Sequence[str],
        before: Sequence[str],
    ) -> int:
        # MediaWiki stores the id in the request as a number, and one that it looked up as a string.
        ids = {"revid": item.revision_id, "logid": item.log_id}
        written = {
            name: (number if name == kind else str(number)) if number else False
            for name, number in ids.items()
        }
        entry_id = Changelog(self.context.performer).add_entry(
            "tag",
            "update",
            item.title,
            page_id=item.page_id,
            reason=self.p.text("reason"),
            params={
                "4::revid": written["revid"],
                "5::logid": written["logid"],
                "6:list:tagsAdded": list(added),
                "7:number:tagsAddedCount": len(added),
                "8:list:tagsRemoved": list(removed),
                "9:number:tagsRemovedCount": len(removed),
                "initialTags": list(before),
            },
            is_public=False,
            relations={"Tag": [*added, *removed]},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
        return entry_id

    def _find(self, kind: str, number: int) -> _Tagged | None:
        """Return the change with an id of some kind, together with its other ids."""
        if kind == "rcid":
            return self._change(number)
        change, log = RecentChanges, Logging
        if kind == "logid":
            query = log.select(log.log_namespace, log.log_title, log.log_page)
            row = self.db.row(
                query.where(log.log_id == number, *logs_visible_to(self.context.user))
            )
            of_change = change.rc_logid == number
            log_id, revision_id = number, self._revision_of(number)
        else:
            joined = Revision.select(Page.page_namespace, Page.page_title, Page.page_id).join(
                Page, on=(Page.page_id == Revision.rev_page)
            )
            row = self.db.row(joined.where(Revision.rev_id == number))
            of_change = change.rc_this_oldid == number
            log_id, revision_id = self._entry_of(number), number
        if row is None:
            return None
        change_id = self.db.scalar(change.select(change.rc_id).where(of_change).limit(1)) or 0
        title = self.site.titles.make(row[0], row[1])
        return _Tagged(change_id, revision_id, log_id, title, row[2] or 0)

    def _entry_of(self, revision_id: int) -> int:
        """Return the id of the log entry that belongs to a revision; 0 if there is none."""
        query = LogSearch.select(LogSearch.ls_log_id).where(
            LogSearch.ls_field == REVISION, LogSearch.ls_value == str(revision_id)
        )
        return self.db.scalar(query.order_by(LogSearch.ls_log_id).limit(1)) or 0

    def _revision_of(self, log_id: int) -> int:
        """Return the id of the revision that belongs to a log entry; 0 if there is none."""
        query = LogSearch.select(LogSearch.ls_value).where(
            LogSearch.ls_field == REVISION, LogSearch.ls_log_id == log_id
        )
        return int(self.db.scalar(query.limit(1)) or 0)

    def _change(self, number: int) -> _Tagged | None:
        change = RecentChanges
        query = change.select(
            change.rc_namespace,
            change.rc_title,
            change.rc_cur_id,
            change.rc_this_oldid,
            change.rc_logid,
        )
        row = self.db.row(query.where(change.rc_id == number))
        if row is None:
            return None
        title = self.site.titles.make(row[0], row[1])
        return _Tagged(number, row[3], row[4] or self._entry_of(row[3]), title, row[2])
