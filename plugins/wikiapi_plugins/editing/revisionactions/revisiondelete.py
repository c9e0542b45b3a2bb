"""``action=revisiondelete``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.api import (
    OPTIONAL_REASON,
    TAGS,
    Arr,
    ErrorFormatter,
    Obj,
    WriteAction,
    compact,
    enum,
    iso,
    moment_of,
    parse_title,
    refuse_blocked,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.pages import AUTOPATROLLED, Changelog, tag_change
from wikiapi.store import PageRow
from wikiapi.store.models import (
    Actor,
    Archive,
    Comment,
    FileArchive,
    Logging,
    OldImage,
    Page,
    RecentChanges,
    Revision,
)
from wikiapi.store.queries import pages, recentchanges, visibility
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import (
    logs_visible_to,
    readable_entry_bits,
    readable_revision_bits,
)
from wikiapi_plugins.query.changes.logformats import entry_params

_BITS: Mapping[str, int] = MappingProxyType(
    {"content": visibility.TEXT, "comment": visibility.COMMENT, "user": visibility.USER}
)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The columns of a table with items that can be hidden, and how the log refers to them."""

    key: Any
    """The column by which requests and the log name an item."""
    row_id: Any
    """The column that identifies a row among those of a page."""
    bits: Any
    timestamp: Any
    actor: Any
    comment: Any
    content_flag: str
    relation: str
    right: str = "deleterevision"


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "revision": _Kind(
            key=Revision.rev_id,
            row_id=Revision.rev_id,
            bits=Revision.rev_deleted,
            timestamp=Revision.rev_timestamp,
            actor=Revision.rev_actor,
            comment=Revision.rev_comment_id,
            content_flag="texthidden",
            relation="rev_id",
        ),
        "archive": _Kind(
            key=Archive.ar_timestamp,
            row_id=Archive.ar_id,
            bits=Archive.ar_deleted,
            timestamp=Archive.ar_timestamp,
            actor=Archive.ar_actor,
            comment=Archive.ar_comment_id,
            content_flag="texthidden",
            relation="ar_timestamp",
        ),
        "oldimage": _Kind(
            key=OldImage.oi_archive_name,
            row_id=OldImage.oi_archive_name,
            bits=OldImage.oi_deleted,
            timestamp=OldImage.oi_timestamp,
            actor=OldImage.oi_actor,
            comment=OldImage.oi_description_id,
            content_flag="contenthidden",
            relation="oi_archive_name",
        ),
        "filearchive": _Kind(
            key=FileArchive.fa_id,
            row_id=FileArchive.fa_id,
            bits=FileArchive.fa_deleted,
            timestamp=FileArchive.fa_timestamp,
            actor=FileArchive.fa_actor,
            comment=FileArchive.fa_description_id,
            content_flag="contenthidden",
            relation="fa_id",
        ),
        "logging": _Kind(
            key=Logging.log_id,
            row_id=Logging.log_id,
            bits=Logging.log_deleted,
            timestamp=Logging.log_timestamp,
            actor=Logging.log_actor,
            comment=Logging.log_comment_id,
            content_flag="actionhidden",
            relation="log_id",
            right="deletelogentry",
        ),
    }
)


class _Item(NamedTuple):
    """An item to hide or show, as it is stored. ``name`` is its id in the request."""

    name: str
    key: Any
    row_id: Any
    bits: int
    timestamp: str
    user_id: int
    user: str
    comment: str


class _Change(NamedTuple):
    """The visibility bits of an item before and after the request."""

    old: int
    new: int


class RevisionDelete(WriteAction):
    """Hide revisions and parts of them, or show them again."""

    name = "revisiondelete"
    position = 44
    params = (
        enum(
            "type",
            "revision",
            "archive",
            "oldimage",
            "filearchive",
            "logging",
            required=True,
            help="Type of the items.",
        ),
        string("target", "Title of the page, if the type requires one."),
        string("ids", "Ids of the items.", multi=True, required=True),
        enum("hide", "content", "comment", "user", multi=True, help="What to hide of each."),
        enum("show", "content", "comment", "user", multi=True, help="What to show of each again."),
        enum(
            "suppress",
            "yes",
            "no",
            "nochange",
            default="nochange",
            help="Whether to hide it from administrators as well.",
        ),
        OPTIONAL_REASON,
        TAGS,
    )
    examples = (
        (
            "action=revisiondelete&target=Main%20Page&type=revision&ids=12345&hide=content&token=123ABC",
            "Hide the content of a revision",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Revisiondelete",)

    def perform(self) -> None:
        """Hide or show the named items, and put the outcome for each into the result.

        Raises:
            ApiError: ``paramempty_ids``, ``badparams``, ``needtarget``, or the user may not change
                the visibility.
        """
        kind = _KINDS[self.p.text("type")]
        self.require_right(kind.right)
        if not self._ids():
            raise ApiError("paramempty_ids", "apierror-paramempty", Plain(self.full("ids")))
        hide, show = set(self.p.texts("hide")), set(self.p.texts("show"))
        if hide & show:
            raise ApiError("badparams", "apierror-revdel-mutuallyexclusive")
        if not hide and not show:
            raise ApiError("badparams", "apierror-revdel-paramneeded")
        if self.p.text("suppress") == "yes":
            self.require_right("suppressrevision")
        target = self._target()
        row = pages.by_titles(self.db, [target.key]).get(target.key)
        refuse_blocked(self.context, self.name, target, row)
        items = self._items(kind, target, row)
        outcomes, changes = [], []
        for item in items:
            new = self._new_bits(item.bits, hide, show)
            error, warning = self._objections(item, new, row)
            if error is None and warning is None:
                changes.append((item, _Change(item.bits, new)))
                item = item._replace(bits=new)
            outcomes.append(self._outcome(kind, item, error, warning))
        outcomes += [
            self._missing(name) for name in self._ids() if name not in {item.name for item in items}
        ]
        if changes:
            self._apply(kind, target, row, changes)
        data = Obj({"status": "Success", "target": target.prefixed_text})
        data["items"] = Arr(outcomes, "i")
        self.result.set((), self.name, data)

    # Reading the request

    def _ids(self) -> Sequence[str]:
        return self.p.texts("ids")

    def _target(self) -> Title:
        """Return the page to which the items belong."""
        kind, numbers = self.p.text("type"), self._numbers()
        if kind == "logging":
            named = [Logging.log_id.in_(numbers), *logs_visible_to(self.context.user)]
            query = Logging.select(Logging.log_type).where(*named).distinct()
            types = [name for (name,) in self.db.execute(query)]
            log = f"Log/{types[0]}" if len(types) == 1 else "Log"
            return self.site.special_page(log)
        first = self._ids()[0]
        if kind in ("revision", "archive") and first.isdecimal():
            # MediaWiki takes the first id for a revision, also if it is a time in the archive.
            row = pages.by_revision_ids(self.db, numbers[:1]).get(int(first))
            if row is not None:
                return self.site.titles.make(*row.key)
        # MediaWiki does not tell an invalid title from a missing one.
        with suppress(ApiError):
            return parse_title(self, self.p.text_or_none("target") or "")
        raise ApiError("needtarget", "apierror-revdel-needtarget")

    def _numbers(self) -> list[int]:
        return [int(name) for name in self._ids() if name.isascii() and name.isdigit()]

    def _items(self, kind: _Kind, target: Title, row: PageRow | None) -> list[_Item]:
        """Return the named items that exist, newest first. One query.

        Entries of logs that the user may not see are left out.
        """
        names: dict[Any, str] = {number: str(number) for number in self._numbers()}
        if self.p.text("type") == "archive":
            names = {name: name for name in self._ids()}
        elif self.p.text("type") == "oldimage":
            names = {f"{name}!{target.dbkey}": name for name in self._ids()}
        conditions = self._of_page(target, row)
        model = kind.key.model
        query = (
            model.select(
                kind.key,
                kind.row_id,
                kind.bits,
                kind.timestamp,
                Actor.actor_user,
                Actor.actor_name,
                Comment.comment_text,
            )
            .join_from(model, Actor, on=(Actor.actor_id == kind.actor))
            .join_from(model, Comment, on=(Comment.comment_id == kind.comment))
            .where(kind.key.in_(list(names)), *conditions)
            .order_by(kind.key.desc())
        )
        return [
            _Item(names[key], key, row_id, bits, timestamp, user_id or 0, user, comment)
            for key, row_id, bits, timestamp, user_id, user, comment in self.db.execute(query)
        ]

    def _of_page(self, target: Title, row: PageRow | None) -> list[Any]:
        """Return the conditions that an item belongs to the page, or to a log that is open."""
        match self.p.text("type"):
            case "revision":
                return [Revision.rev_page == (row.page_id if row else 0)]
            case "archive":
                return [Archive.ar_namespace == target.ns, Archive.ar_title == target.dbkey]
            case "oldimage":
                return [OldImage.oi_name == target.dbkey]
            case "filearchive":
                return [FileArchive.fa_name == target.dbkey]
            case _:
                return logs_visible_to(self.context.user)

    def _new_bits(self, old: int, hide: set[str], show: set[str]) -> int:
        new = old
        for name, bit in _BITS.items():
            if name in hide:
                new |= bit
            elif name in show:
                new &= ~bit
        suppress = self.p.text("suppress")
        if suppress == "yes":
            new |= visibility.RESTRICTED
        elif suppress == "no":
            new &= ~visibility.RESTRICTED
        return new

    def _objections(
        self, item: _Item, new: int, row: PageRow | None
    ) -> tuple[Message | None, Message | None]:
        """Return an error or a warning for which the item is left as it is, if there is any."""
        moment, language = moment_of(item.timestamp), self.context.language
        place = (
            self.site.usual_time("date", moment, language),
            self.site.usual_time("time", moment, language),
        )
        may_see = self.context.user.can("suppressrevision", "viewsuppressed")
        if item.bits & visibility.RESTRICTED and not may_see:
            return Message("revdelete-modify-no-access", place), None
        if new == item.bits:
            return None, Message("revdelete-no-change", place)
        is_current = self.p.text("type") == "revision" and row and row.latest == item.key
        if is_current and new & visibility.TEXT:
            return Message("revdelete-hide-current", place), None
        if new == visibility.RESTRICTED:
            return None, Message("revdelete-only-restricted", place)
        return None, None

    # The answer

    def _outcome(
        self,
        kind: _Kind,
        item: _Item,
        error: Message | None,
        warning: Message | None,
    ) -> Obj:
        """Return what the answer says of an item: no hidden part that the user may not see."""
        name, bits = item.name, item.bits
        of_revision = self.p.text("type") in ("revision", "archive")
        user = self.context.user
        allowed = readable_revision_bits(user) if of_revision else readable_entry_bits(user)
        closed = bits & ~visibility.readable_bits(bits, allowed)
        outcome = Obj({"status": "Success"})
        if error or warning:
            errors, warnings = [error] if error else [], [warning] if warning else []
            outcome |= ErrorFormatter(self.context).problems(errors, warnings)
        outcome["id"] = int(name) if name.isascii() and name.isdigit() else name
        if kind.right == "deletelogentry":
            outcome |= self._entry(item, is_open=not closed & visibility.ACTION)
        else:
            outcome["timestamp"] = iso(item.timestamp)
        outcome["userhidden"] = bool(bits & visibility.USER)
        outcome["commenthidden"] = bool(bits & visibility.COMMENT)
        outcome[kind.content_flag] = bool(bits & visibility.TEXT)
        if not closed & visibility.USER:
            # MediaWiki gives the ids of accounts as texts for log entries.
            is_text = item.user_id and kind.right == "deletelogentry"
            user_id = str(item.user_id) if is_text else item.user_id
            outcome |= {"userid": user_id, "user": item.user}
        if not closed & visibility.COMMENT:
            outcome["comment"] = item.comment
        return outcome

    def _entry(self, item: _Item, *, is_open: bool) -> Obj:
        """Return the fields of the answer that only log entries have.

        Action and parameters are left out unless the user may see them (``is_open``).
        """
        columns = (Logging.log_type, Logging.log_action, Logging.log_params)
        row = self.db.row(Logging.select(*columns).where(Logging.log_id == item.key))
        log, action, raw = row or ("", "", "")
        if not is_open:
            return Obj({"type": log})
        params, _ = entry_params(
            self.site, (log, action), raw, item.timestamp, self.context.language
        )
        return Obj({"type": log, "action": action, "params": params})

    def _missing(self, name: str) -> Obj:
        key = int(name) if name.isascii() and name.isdigit() else name
        message = Message("revdelete-modify-missing", (key,))
        outcome = Obj({"status": "Fail"})
        outcome |= ErrorFormatter(self.context).problems([message], [])
        outcome["id"] = key
        return outcome

    # Changing the visibility

    def _apply(
        self,
        kind: _Kind,
        target: Title,
        row: PageRow | None,
        changes: Sequence[tuple[_Item, _Change]],
    ) -> None:
        revealed = hidden = restricted = 0
        for item, change in changes:
            revealed |= change.old & ~change.new
            hidden |= change.new & ~change.old
            restricted |= (change.old | change.new) & visibility.RESTRICTED
            changed = kind.key.model.update({kind.bits.name: change.new})
            here = [kind.row_id == item.row_id, *self._of_page(target, row)]
            self.db.execute_write(changed.where(*here))
            self._hide_change(item, change.new)
        if row is not None:
            touched = Page.update(page_touched=compact(self.context.now))
            self.db.execute_write(touched.where(Page.page_id == row.page_id))
        is_suppressed = bool(restricted)
        ids = list(dict.fromkeys(item.key for item, _ in changes))
        entry_id = Changelog(self.context.performer).add_entry(
            "suppress" if is_suppressed else "delete",
            "event" if kind.right == "deletelogentry" else "revision",
            target,
            page_id=row.page_id if row else 0,
            reason=self.p.text_or_none("reason") or "",
            params={
                "4::type": self.p.text("type"),
                "5::ids": ids,
                # As in MediaWiki, only the bits that changed.
                "6::ofield": revealed,
                "7::nfield": hidden,
            },
            is_public=not is_suppressed,
            relations={kind.relation: ids},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)

    def _hide_change(self, item: _Item, bits: int) -> None:
        """Set the same bits in the recent change.

        A log entry may have a revision; its recent change has the bits of the entry. As in
        MediaWiki, the change counts as patrolled automatically afterwards.
        """
        values = {"rc_deleted": bits, "rc_patrolled": AUTOPATROLLED}
        if self.p.text("type") == "revision":
            here = (RecentChanges.rc_this_oldid == item.key) & (
                RecentChanges.rc_source != recentchanges.LOG_SOURCE
            )
        elif self.p.text("type") == "logging":
            here = RecentChanges.rc_logid == item.key
        else:
            return
        self.db.execute_write(RecentChanges.update(values).where(here))
