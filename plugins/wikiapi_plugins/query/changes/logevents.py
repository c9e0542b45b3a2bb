"""``list=logevents``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.api import (
    VIRTUAL,
    Arr,
    EnumType,
    ListModule,
    Obj,
    Param,
    Validation,
    at_most_one_of,
    bad_value,
    continuation,
    enum,
    integer,
    iso,
    limit,
    namespace,
    string,
    title_data,
    user,
    valid_title,
)
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Logging, Page
from wikiapi.store.queries import LogRow, logs, rarity, tags, visibility
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    logs_visible_to,
    parsed_comments,
    readable_entry_bits,
    suppressed_flag,
    user_data,
    visible_to,
)
from wikiapi_plugins.query.changes.logformats import entry_params
from wikiapi_plugins.query.timeline import Timeline, is_descending, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, is_user

LOG_ACTIONS: dict[str, tuple[str, ...]] = {
    "": (),
    "block": ("block", "reblock", "unblock"),
    "contentmodel": ("change", "new"),
    "create": ("create",),
    "delete": ("delete", "delete_redir", "delete_redir2", "event", "restore", "revision"),
    "import": ("interwiki", "upload"),
    "interwiki": ("iw_add", "iw_delete", "iw_edit"),
    "managetags": ("activate", "create", "deactivate", "delete"),
    "merge": ("merge", "merge-into"),
    "move": ("move", "move_redir"),
    "newusers": ("autocreate", "byemail", "create", "create2", "forcecreatelocal", "newusers"),
    "patrol": ("autopatrol", "patrol"),
    "protect": ("modify", "move_prot", "protect", "unprotect"),
    "renameuser": ("renameuser",),
    "rights": ("autopromote", "blockautopromote", "restoreautopromote", "rights"),
    "suppress": ("block", "delete", "event", "reblock", "revision"),
    "tag": ("update",),
    "upload": ("overwrite", "revert", "upload"),
}
"""The actions of each type of log; the empty type is that of the oldest entries."""

ALL_ACTIONS = tuple(f"{log}/{action}" for log, actions in LOG_ACTIONS.items() for action in actions)


@dataclass(frozen=True)
class LogActionType(EnumType):
    """A type of log with an action, as in ``delete/restore``; other values have a special error."""

    def read(self, name: str, raw: str, validation: Validation) -> str:
        if raw not in self.choices(validation.site):
            raise bad_value(f"unknown_{name}", "apierror-unrecognizedvalue", name, raw)
        return raw


_TIMELINE = Timeline(Logging.log_timestamp, Logging.log_id)
_OF_ACTION = frozenset({"title", "ids", "details"})


class ListedEvent(NamedTuple):
    """An event, with the current id of the page it is about, if that page exists."""

    event: LogRow
    page_id: int | None


class LogEvents(ListModule):
    """List log entries, such as moves, deletions and uploads."""

    name = "logevents"
    prefix = "le"
    element = "item"
    params = (
        enum("prop", "ids", "title", "type", "user", "userid", "timestamp", "comment",
             "parsedcomment", "details", "tags", multi=True,
             default="ids|title|type|user|timestamp|comment|details",
             help="Properties of each event to include.",
             value_help=(("ids", "The ids of event, page and revision."),
                         ("title", "The title of the page it is about."),
                         ("type", "Its type and action."),
                         ("user", "Who did it."),
                         ("userid", "Who did it, as an id."),
                         ("timestamp", "When it happened."),
                         ("comment", "The reason given."),
                         ("parsedcomment", "The reason as HTML."),
                         ("details", "Its further parameters."),
                         ("tags", "Its tags."))),
        enum("type", *LOG_ACTIONS, help="Only events of this type."),
        Param(name="action", type=LogActionType(ALL_ACTIONS),
              help="Only events of this type and action; overrides ``letype``."),
        *timeline_params(),
        integer("ids", "Only the events with these ids.", multi=True),
        user("user", "Only events by this user.", kinds=KINDS),
        string("title", "Only events about this page."),
        namespace(help="Only events about pages in this namespace.", extra=VIRTUAL),
        string("prefix", "Only events about pages whose titles begin with this text."),
        string("tag", "Only events with this tag."),
        limit("How many events to return."),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=logevents", "The last events"),
        ("action=query&list=logevents&letype=move&leprop=title|details|timestamp",
         "The last moves, with their targets"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Logevents",)

    def execute(self) -> None:
        """List the events."""
        at_most_one_of(self, "title", "prefix", "namespace")
        is_current_page = (Page.page_namespace == Logging.log_namespace) & (
            Page.page_title == Logging.log_title
        )
        query: Any = logs.SELECT_LOG_ENTRIES.select_extend(Page.page_id).join_from(
            Logging, Page, JOIN.LEFT_OUTER, on=is_current_page
        )
        filters, period, rare = self._filters(), _TIMELINE.conditions(self), self._rare_filter()
        if conditions := [*rare, *filters, *period]:
            query = query.where(*conditions)
        has_filter = any(self.p[name] is not None for name in ("namespace", "prefix", "tag"))
        # Indexes find the events of a page, and those with requested ids.
        if has_filter and not rare and not self.p.is_given("title") and not self.p.numbers("ids"):
            columns = [Logging.log_timestamp, Logging.log_id]
            walk: Any = Logging.select(*columns)
            conditions = [*period, *self._type_conditions()]
            if self.p.is_given("user"):
                walk = walk.join(Actor, on=(Actor.actor_id == Logging.log_actor))
                conditions.append(is_user(self.p.text("user")))
            walk = walk.where(*conditions) if conditions else walk
            query = self.bounded(query, walk, columns, descending=is_descending(self))
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        readable = readable_entry_bits(self.context.user)
        events = [ListedEvent(logs.read(row, readable), page_id=row[-1]) for row in rows]
        self.emit(
            self._items(events[: self.limit]),
            events,
            lambda listed: f"{listed.event.timestamp}|{listed.event.log_id}",
        )

    def _rare_filter(self) -> list[Any]:
        """Return the condition of a filter that few events match, if there is such a filter."""
        if self.p.is_given("tag"):
            matching = tags.tagged_log_entries(self.p.text("tag"))
        elif self.p.is_given("namespace") or self.p.is_given("prefix"):
            table = Logging.alias()
            conditions = self._title_conditions(table.log_namespace, table.log_title)
            matching = table.select(table.log_id).where(*conditions)
        else:
            return []
        return [Logging.log_id.in_(matching)] if rarity.is_rare(self.db, matching) else []

    def _type_conditions(self) -> list[Any]:
        """Return the conditions on type and action, which have indexes in order of time."""
        if self.p.is_given("action"):
            log, _, action = self.p.text("action").partition("/")
            return [Logging.log_type == log, Logging.log_action == action]
        return [Logging.log_type == self.p.text("type")] if self.p.is_given("type") else []

    def _filters(self) -> list[Any]:
        """Return the conditions of all parameters but those on time."""
        reader, hidden = self.context.user, Logging.log_deleted
        conditions = logs_visible_to(reader) + self._type_conditions()
        if self.p.numbers("ids"):
            conditions.append(Logging.log_id.in_(self.p.numbers("ids")))
        if self.p.is_given("tag"):
            tagged = tags.tagged_log_entries(self.p.text("tag"))
            conditions.append(tags.has_tag(Logging.log_id, tagged))
        if self.p.is_given("user"):
            conditions.append(is_user(self.p.text("user")))
            conditions += visible_to(reader, hidden, visibility.USER)
        ns, dbkey = Logging.log_namespace, Logging.log_title
        if self.p.is_given("title"):
            page = valid_title(self.site, self.p.text("title"))
            on_title = [ns == page.ns, dbkey == page.dbkey]
        else:
            on_title = self._title_conditions(bounds.unindexed(ns), bounds.unindexed(dbkey))
        if on_title:
            conditions += [*on_title, *visible_to(reader, hidden, visibility.ACTION)]
        return conditions

    def _title_conditions(self, ns: Any, dbkey: Any) -> list[Any]:
        """Return the conditions of ``namespace`` or ``prefix`` on two columns."""
        if self.p.is_given("namespace"):
            return [ns == self.p.number("namespace")]
        if self.p.is_given("prefix"):
            page = valid_title(self.site, self.p.text("prefix"))
            return [ns == page.ns, *bounds.with_prefix(dbkey, page.dbkey)]
        return []

    def _items(self, events: list[ListedEvent]) -> Iterator[Obj]:
        """Yield the item of each event."""
        props, site = frozenset(self.p.texts("prop")), self.site
        titles = [
            None
            if event.namespace is None or event.title is None
            else site.titles.make(event.namespace, event.title)
            for event, _ in events
        ]
        comments = zip((event.comment for event, _ in events), titles, strict=True)
        html = parsed_comments(self.context, props, comments)
        ids = [event.log_id for event, _ in events] if "tags" in props else ()
        tagged = tags.of_log_entries(self.db, ids)
        for (event, page_id), title, markup in zip(events, titles, html, strict=False):
            closed = event.deleted & ~event.readable
            item = Obj({"logid": event.log_id} if "ids" in props else {})
            if event.deleted & visibility.ACTION and not _OF_ACTION.isdisjoint(props):
                item["actionhidden"] = True
            if not closed & visibility.ACTION and not _OF_ACTION.isdisjoint(props):
                kind = (event.type, event.action)
                params, revision_id = entry_params(
                    site, kind, event.params or "", event.timestamp, self.context.language
                )
                if "title" in props and title:
                    item |= title_data(title)
                if "ids" in props:
                    item |= {"pageid": page_id or 0, "logpage": event.page_id or 0}
                    item |= {"revid": revision_id} if revision_id else {}
                if "details" in props:
                    item["params"] = params
            if "type" in props:
                item |= {"type": event.type, "action": event.action}
            item |= user_data(props, closed, event.user_id, event.user_name)
            if "timestamp" in props:
                item["timestamp"] = iso(event.timestamp)
            item |= comment_data(props, closed, event.comment, markup)
            item |= hidden_flags(props, event.readable)
            if "tags" in props:
                item["tags"] = Arr(tagged.get(event.log_id, ()), "tag")
            item |= suppressed_flag(event.deleted, item)
            yield item
