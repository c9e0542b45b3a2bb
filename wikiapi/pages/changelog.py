"""Writing log entries and recent changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from peewee import fn

from wikiapi.accounts.user import Performer
from wikiapi.pages.notices import notify_of_edit, notify_watchers
from wikiapi.pages.summaries import cut_summary
from wikiapi.pages.tags import tag_change
from wikiapi.store import phpvalues
from wikiapi.store.models import (
    Actor,
    Logging,
    LogSearch,
    QueryCacheInfo,
    QueryCacheTwo,
    RecentChanges,
    Revision,
    User,
)
from wikiapi.store.queries import pages, querycache, watermark
from wikiapi.store.queries.visibility import ACTION, RESTRICTED, USER, user_is_hidden
from wikiapi.store.sql.compiled import CompiledQuery
from wikiapi.store.write.ids import Actors, Comments, Person, insert_new
from wikiapi.store.write.revisions import NewRevision
from wikiapi.timestamps import compact, moment_of
from wikiapi.title import USER as USER_NAMESPACE
from wikiapi.title import Title

_EDIT: Mapping[str, Any] = MappingProxyType({"rc_type": 0, "rc_source": "mw.edit"})
_NEW: Mapping[str, Any] = MappingProxyType({"rc_type": 1, "rc_source": "mw.new"})
_LOG: Mapping[str, Any] = MappingProxyType({"rc_type": 3, "rc_source": "mw.log"})
"""The columns that say what kind of change it is."""
_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(("rc_minor", "rc_bot", "rc_cur_id", "rc_this_oldid", "rc_last_oldid"), 0),
        **dict.fromkeys(("rc_old_len", "rc_new_len", "rc_log_type", "rc_log_action")),
        "rc_deleted": 0,
        "rc_logid": 0,
        "rc_params": "",
    }
)
"""The values of columns that concern only some changes."""
_ENTRY_COLUMNS = (
    *("log_type", "log_action", "log_timestamp", "log_actor", "log_namespace", "log_title"),
    *("log_page", "log_comment_id", "log_params", "log_deleted"),
)
SUPPRESSION = "suppress"
"""The log that only a right opens, so that its entries may name hidden accounts."""
_ACTIVE = "activeusers"
"""The name of the list of active users in the query cache."""
_ACTIVE_COLUMNS = ("qcc_type", "qcc_value", "qcc_namespace", "qcc_title")
_ACTIVE_FOR = timedelta(days=30)
"""https://www.mediawiki.org/wiki/Manual:$wgActiveUserDays"""
_RENEWED_AFTER = 3600
"""Seconds for which a user who has entered the list of active users need not enter it again."""
UNPATROLLED, PATROLLED, AUTOPATROLLED = 0, 1, 2
_PATROLLABLE = ("upload",)
"""The types of log entries that can be patrolled; all others are marked from the start."""
REVISION = "associated_rev_id"
"""The log parameter, and the field of ``log_search``, that refer to an entry's revision."""
_TIMESTAMP = CompiledQuery(
    lambda number: Revision.select(Revision.rev_timestamp).where(Revision.rev_id == number)
)
_ENTERED = CompiledQuery(
    lambda name: QueryCacheTwo.select(QueryCacheTwo.qcc_value).where(
        QueryCacheTwo.qcc_type == _ACTIVE,
        QueryCacheTwo.qcc_namespace == USER_NAMESPACE,
        QueryCacheTwo.qcc_title == name,
    )
)
_HIDDEN = CompiledQuery(
    lambda names: User.select(User.user_name).where(
        User.user_name.in_(names), user_is_hidden(User.user_id)
    )
)


class Changelog:
    """Writes log entries and recent changes for a user. Call it in a transaction."""

    def __init__(self, performer: Performer) -> None:
        """Write on behalf of a user."""
        self._site, self._db = performer.site, performer.site.db
        self._user = performer.user
        self.person = Person(performer.user.id, performer.user.name)
        """The user, in the form in which authors are stored."""
        self._address = performer.address
        self._marks_entries = performer.marks_log_entries and performer.user.can("bot")
        self.actors, self.comments = Actors(self._db), Comments(self._db)
        # Not the time of the request, which may have waited for a writer with a later one.
        self.moment = compact(performer.site.clock())

    def moment_after(self, revision_id: int) -> str:
        """Return the timestamp of a revision that follows another one; 0 for none. One query.

        It is the present moment, but never before that of the other revision, which may have been
        made before the clock was put back: histories are sorted by timestamp and then by id.
        """
        parent: str | None = self._db.scalar(_TIMESTAMP(revision_id)) if revision_id else None
        return max(self.moment, parent or "")

    def add_edit(
        self, title: Title, revision: NewRevision, old_length: int, *, is_bot: bool, is_new: bool
    ) -> int:
        """Add the recent change of a saved revision and return its id.

        ``old_length`` is that of the former text, in bytes.
        """
        notify_of_edit(self._db, self._user, title, self.moment, is_minor=bool(revision.minor))
        return self._add_change(
            title,
            revision.comment,
            rc_minor=revision.minor,
            rc_bot=int(is_bot),
            rc_cur_id=revision.page_id,
            rc_this_oldid=revision.rev_id,
            rc_last_oldid=revision.parent_id,
            rc_old_len=old_length,
            rc_new_len=revision.length,
            **(_NEW if is_new else _EDIT),
        )

    def add_entry(
        self,
        kind: str,
        action: str,
        title: Title,
        *,
        page_id: int | None = None,
        reason: str = "",
        params: Mapping[str, Any] | Sequence[Any] = (),
        is_public: bool = True,
        revision_id: int = 0,
        relations: Mapping[str, Sequence[object]] | None = None,
        tags: Iterable[str] = (),
    ) -> int:
        """Add an entry to a log, and to recent changes if it ``is_public``; return its id.

        Recent changes mark the entries of bots, unless the request says ``bot=0``.

        Args:
            kind: the type of the log.
            action: the action, as the log names it.
            title: the page on which the action was performed.
            page_id: the id of the page; by default that of the title.
            reason: the comment.
            params: the parameters of the entry, with MediaWiki's keys (``4::target``).
            is_public: whether recent changes list the entry.
            revision_id: the revision that belongs to the entry; 0 for none.
            relations: values by which the entry can be found, by their field in ``log_search``.
            tags: change tags, which were checked by the caller.
        """
        reason = cut_summary(reason)
        if page_id is None:
            page_id = 0
            if not title.namespace.is_virtual:
                page = pages.by_titles(self._db, [title.key]).get(title.key)
                page_id = page.page_id if page else 0
        bits = self._hidden_parts(title) if kind != SUPPRESSION else 0
        by_field = dict(relations or {})
        if revision_id:
            params = {**_by_position(params), REVISION: revision_id}
            by_field[REVISION] = (revision_id,)
        written = phpvalues.dumps(params if params else {})
        row = (
            *(kind, action, self.moment, self.actors.id(self.person), *title.key),
            *(page_id, self.comments.id(reason), written, bits),
        )
        entry_id = insert_new(self._db, Logging.log_id, row, _ENTRY_COLUMNS)
        if self._db.is_sharing:
            watermark.stay_in_window(self._db, Logging.log_id, entry_id)
        rows = [
            (field, str(value), entry_id) for field, values in by_field.items() for value in values
        ]
        if rows:
            self._db.insert_many(LogSearch, rows, on_conflict="ignore")
        change_id = 0
        if is_public:
            change_id = self._add_change(
                title,
                reason,
                rc_bot=int(self._marks_entries),
                rc_cur_id=page_id,
                rc_this_oldid=revision_id,
                rc_deleted=bits,
                rc_logid=entry_id,
                rc_log_type=kind,
                rc_log_action=action,
                rc_params=written,
                **_LOG,
            )
        tag_change(self._db, tags, change_id=change_id, log_id=entry_id)
        return entry_id

    def _add_change(self, title: Title, comment: str, **columns: Any) -> int:
        """Add a recent change with the values of some columns, and return its id."""
        log_type = columns.get("rc_log_type")
        is_marked = self._user.can("autopatrol") or (log_type and log_type not in _PATROLLABLE)
        row = {
            **_DEFAULTS,
            "rc_timestamp": self.moment,
            "rc_actor": self.actors.id(self.person),
            "rc_namespace": title.ns,
            "rc_title": title.dbkey,
            "rc_comment_id": self.comments.id(comment),
            "rc_patrolled": AUTOPATROLLED if is_marked else UNPATROLLED,
            "rc_ip": self._address,
            **columns,
        }
        change_id = insert_new(self._db, RecentChanges.rc_id, [*row.values()], [*row])
        if not self._user.is_anonymous:
            self._update_active_users()
        notify_watchers(self._db, self._user, title, self.moment)
        return change_id

    def _update_active_users(self) -> None:
        """Add to the active users whoever has changed something since the list was updated.

        Others leave it after a time. As in MediaWiki, new accounts are not active yet. One query if
        the user has entered the list a short time ago.
        """
        now = int(moment_of(self.moment).timestamp())
        if now - (self._db.scalar(_ENTERED(self._user.name)) or 0) < _RENEWED_AFTER:
            return
        # The list has no unique key.
        self._db.exclude_others()
        oldest = self._site.clock() - _ACTIVE_FOR
        begin = self.moment if self._site.is_miser else compact(oldest)
        since = min(querycache.updated(self._db, _ACTIVE) or begin, self.moment)
        kind = RecentChanges.rc_log_type
        query = (
            RecentChanges.select(Actor.actor_name, fn.MAX(RecentChanges.rc_timestamp))
            .join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
            .where(
                RecentChanges.rc_timestamp >= max(since, compact(oldest)),
                RecentChanges.rc_source != "mw.external",
                Actor.actor_user.is_null(False),
                kind.is_null() | (kind != "newusers"),
            )
            .group_by(Actor.actor_name)
        )
        rows = [
            (_ACTIVE, int(moment_of(moment).timestamp()), USER_NAMESPACE, name)
            for name, moment in self._db.execute(query)
        ]
        is_replaced = QueryCacheTwo.qcc_title.in_([name for _, _, _, name in rows])
        is_gone = is_replaced | (QueryCacheTwo.qcc_value < int(oldest.timestamp()))
        self._db.execute_write(
            QueryCacheTwo.delete().where(QueryCacheTwo.qcc_type == _ACTIVE, is_gone)
        )
        self._db.insert_many(QueryCacheTwo, rows, _ACTIVE_COLUMNS)
        moment = [(_ACTIVE, self.moment)]
        self._db.insert_many(QueryCacheInfo, moment, on_conflict="replace")

    def _hidden_parts(self, title: Title) -> int:
        """Return the visibility bits of an entry: what would name an account that is hidden."""
        about = title.text if title.ns == USER_NAMESPACE else ""
        names = {self._user.name, about} - {""}
        hidden = {name for (name,) in self._db.execute(_HIDDEN(sorted(names)))}
        bits = ACTION if about in hidden else 0
        bits |= USER if self._user.name in hidden else 0
        return bits | RESTRICTED if bits else 0


def _by_position(params: Mapping[str, Any] | Sequence[Any]) -> dict[Any, Any]:
    return dict(params) if isinstance(params, Mapping) else dict(enumerate(params))
