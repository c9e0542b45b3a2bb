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
from wikiapi.title import Title
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    logs_visible_to,
    parsed_comments,
    readable_entry_bits,
    user_data,
    visible_to,
)
from wikiapi_plugins.query.changes.logformats import entry_params
from wikiapi_plugins.query.timeline import Timeline, is_descending, timeline_params
from wikiapi_plugins.query.userfilter import KINDS, is_user, refuse_mixes

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
_HIDDEN = frozenset({"actionhidden", "userhidden", "commenthidden"})


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
        refuse_mixes(self, "title", "prefix", "namespace")
        events = self._events()
        self.emit(self._items(events[: self.limit]), events, _continue_value)

    def _events(self) -> list[ListedEvent]:
        here = (Page.page_namespace == Logging.log_namespace) & (
            Page.page_title == Logging.log_title
        )
        query = logs.SELECT_LOG_ENTRIES.select_extend(Page.page_id).join_from(
            Logging, Page, JOIN.LEFT_OUTER, on=here
        )
        filters, walk, few = self._filters(), _TIMELINE.conditions(self), self._rare()
        conditions = [*few, *filters, *walk]
        query = query.where(*conditions) if conditions else query
        has_filter = any(self.p[name] is not None for name in ("namespace", "prefix", "tag"))
        # Indexes find the events of a page, and those with given ids.
        if has_filter and not few and not self.p.is_given("title") and not self.p.numbers("ids"):
            query = self._bounded(query, walk)
        rows = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        seen = readable_entry_bits(self.context.user)
        return [ListedEvent(logs.read(row, seen), page_id=row[-1]) for row in rows]

    def _bounded(self, query: Any, walk: list[Any]) -> Any:
        columns = [Logging.log_timestamp, Logging.log_id]
        places: Any = Logging.select(*columns)
        conditions = [*walk, *self._kinds()]
        if self.p.is_given("user"):
            places = places.join(Actor, on=(Actor.actor_id == Logging.log_actor))
            conditions.append(is_user(self.p.text("user")))
        places = places.where(*conditions) if conditions else places
        return self.bounded(query, places, columns, descending=is_descending(self))

    def _rare(self) -> list[Any]:
        """Return the condition of a filter that few events match, if there is such a filter."""
        if self.p.is_given("tag"):
            found = tags.tagged_log_entries(self.p.text("tag"))
        elif self.p.is_given("namespace") or self.p.is_given("prefix"):
            table = Logging.alias()
            about = self._about_some(table.log_namespace, table.log_title)
            found = table.select(table.log_id).where(*about)
        else:
            return []
        return [Logging.log_id.in_(found)] if rarity.is_rare(self.db, found) else []

    def _kinds(self) -> list[Any]:
        """Return the conditions on type and action, which have indexes in order of time."""
        if self.p.is_given("action"):
            log, _, action = self.p.text("action").partition("/")
            return [Logging.log_type == log, Logging.log_action == action]
        return [Logging.log_type == self.p.text("type")] if self.p.is_given("type") else []

    def _filters(self) -> list[Any]:
        reader, hidden = self.context.user, Logging.log_deleted
        conditions = logs_visible_to(reader) + self._kinds()
        if self.p.numbers("ids"):
            conditions.append(Logging.log_id.in_(self.p.numbers("ids")))
        if self.p.is_given("tag"):
            tagged = tags.tagged_log_entries(self.p.text("tag"))
            conditions.append(tags.has_tag(Logging.log_id, tagged))
        if self.p.is_given("user"):
            conditions += [
                is_user(self.p.text("user")),
                *visible_to(reader, hidden, visibility.USER),
            ]
        about = self._about()
        return [
            *conditions,
            *about,
            *(visible_to(reader, hidden, visibility.ACTION) if about else ()),
        ]

    def _about(self) -> list[Any]:
        """Return the conditions on the page that an event is about."""
        space, name = Logging.log_namespace, Logging.log_title
        if self.p.is_given("title"):
            page = valid_title(self.site, self.p.text("title"))
            return [space == page.ns, name == page.dbkey]
        return self._about_some(bounds.unindexed(space), bounds.unindexed(name))

    def _about_some(self, space: Any, name: Any) -> list[Any]:
        """Return the conditions on a namespace or a prefix, for these two columns."""
        if self.p.is_given("namespace"):
            return [space == self.p.number("namespace")]
        if self.p.is_given("prefix"):
            page = valid_title(self.site, self.p.text("prefix"))
            return [space == page.ns, *bounds.with_prefix(name, page.dbkey)]
        return []

    def _title(self, event: LogRow) -> Title | None:
        if event.namespace is None or event.title is None:
            return None
        return self.site.titles.make(event.namespace, event.title)

    def _items(self, events: list[ListedEvent]) -> Iterator[Obj]:
        """Yield the item of each event."""
        props, site = frozenset(self.p.texts("prop")), self.site
        titles = [self._title(listed.event) for listed in events]
        comments = zip((listed.event.comment for listed in events), titles, strict=True)
        html = parsed_comments(site, props, comments)
        ids = [listed.event.log_id for listed in events] if "tags" in props else ()
        tagged = tags.of_log_entries(self.db, ids)
        for (event, page_id), page, markup in zip(events, titles, html, strict=False):
            closed = event.deleted & ~event.readable
            item = Obj({"logid": event.log_id} if "ids" in props else {})
            if not _OF_ACTION.isdisjoint(props):
                if event.deleted & visibility.ACTION:
                    item["actionhidden"] = True
                if not closed & visibility.ACTION:
                    self._add_action(item, event, page, page_id)
            if "type" in props:
                item["type"] = event.type
                if event.action is not None:
                    item["action"] = event.action
            item |= user_data(props, closed, event.user_id, event.user_name)
            if "timestamp" in props:
                item["timestamp"] = iso(event.timestamp)
            item |= comment_data(props, closed, event.comment, markup)
            item |= hidden_flags(props, event.readable)
            if "tags" in props:
                item["tags"] = Arr(tagged.get(event.log_id, ()), "tag")
            if event.deleted & visibility.RESTRICTED and not _HIDDEN.isdisjoint(item):
                item["suppressed"] = True
            yield item

    def _add_action(
        self, item: Obj, event: LogRow, page: Title | None, page_id: int | None
    ) -> None:
        props = self.p.texts("prop")
        kind = (event.type, event.action or "")
        params, revision_id = entry_params(
            self.site, kind, event.params or "", event.timestamp, self.context.language
        )
        if "title" in props and page:
            item |= title_data(page)
        if "ids" in props:
            item |= {"pageid": page_id or 0, "logpage": event.page_id or 0}
            item |= {"revid": revision_id} if revision_id else {}
        if "details" in props:
            item["params"] = params


def _continue_value(listed: ListedEvent) -> str:
    return f"{listed.event.timestamp}|{listed.event.log_id}"
