"""The filters of requests for recent changes, as conditions on the joined tables.

The marks of patrolled changes are only for users who may patrol.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from peewee import JOIN, fn

from wikiapi.api import QueryModule, invalid_mix, valid_title
from wikiapi.errors import ApiError
from wikiapi.pages import AUTOPATROLLED, UNPATROLLED
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Page, RecentChanges, SlotRoles, Slots
from wikiapi.store.queries import rarity, recentchanges, tags, visibility
from wikiapi_plugins.query.authorship import visible_to
from wikiapi_plugins.query.userfilter import by_user

PATROL_FLAGS = frozenset(
    {"patrolled", "!patrolled", "unpatrolled", "autopatrolled", "!autopatrolled"}
)
"""The values of ``show`` that filter by the marks of patrolled changes."""
SOURCES = {
    "edit": "mw.edit",
    "new": "mw.new",
    "log": recentchanges.LOG_SOURCE,
    "categorize": "mw.categorize",
}
"""The types of changes: their names in requests, and in the store. All others are external."""
EXTERNAL = "external"
SHOW_VALUES = (
    "!anon", "!autopatrolled", "!bot", "!minor", "!patrolled", "!redirect", "anon",
    "autopatrolled", "bot", "minor", "patrolled", "redirect", "unpatrolled",
)  # fmt: skip
_EXCLUSIVE = (
    ("patrolled", "unpatrolled"),
    ("!patrolled", "unpatrolled"),
    ("autopatrolled", "unpatrolled"),
    ("autopatrolled", "!patrolled"),
)
_FILTERS = ("namespace", "user", "excludeuser", "tag", "show", "toponly", "slot")
_Table = RecentChanges


def change_conditions(module: QueryModule) -> list[Any]:
    """Return the conditions of a request's parameters, except those on time.

    Raises:
        ApiError: parameters exclude each other, or require a right that the user does not have.
    """
    conditions, namespaces = _type_conditions(module), module.p.numbers("namespace")
    if module.p.is_given("title"):
        page = valid_title(module.site, module.p.text("title"))
        if namespaces and page.ns not in namespaces:
            raise invalid_mix(module, "title", "namespace")
        conditions += [_Table.rc_namespace == page.ns, _Table.rc_title == page.dbkey]
    elif namespaces:
        conditions.append(bounds.unindexed(_Table.rc_namespace).in_(namespaces))
    if namespaces or module.p.is_given("title"):
        conditions += _visible_page_conditions(module)
    conditions += _show_conditions(module)
    conditions += by_user(module, _Table.rc_deleted, visibility.USER)
    if "patrolled" in module.p.texts("prop"):
        require_patrol(module)
    if module.p.is_given("tag"):
        tagged = tags.tagged_recent_changes(module.p.text("tag"))
        conditions.append(tags.has_tag(_Table.rc_id, tagged))
    if module.p.flag("toponly"):
        conditions.append(_Table.rc_this_oldid == Page.page_latest)
    if module.p.is_given("slot"):
        types = module.p.texts("type")
        sources = [SOURCES[name] for name in ("edit", "new") if name in types]
        conditions.append(bounds.unindexed(_Table.rc_source).in_(sources))
        conditions.append(_changes_slot(module.p.text("slot")))
    return conditions


def watched_conditions(module: QueryModule) -> list[Any]:
    """Return the conditions of a request for changes of watched pages, except those on time.

    Raises:
        ApiError: parameters exclude each other, or require a right that the user does not have.
    """
    if "patrol" in module.p.texts("prop"):
        require_patrol(module, "patrol")
    namespaces = module.p.numbers("namespace")
    return [
        *_type_conditions(module),
        *([_Table.rc_namespace.in_(namespaces)] if namespaces else []),
        *_show_conditions(module),
        *by_user(module, _Table.rc_deleted, visibility.USER),
        *_visible_page_conditions(module),
    ]


def has_filters(module: QueryModule) -> bool:
    """Return whether filters may skip any number of changes between those that are listed.

    They cannot for a single page, whose changes have an index.
    """
    if module.p.is_given("title"):
        return False
    return any(module.p[name] for name in _FILTERS) or not {*SOURCES} <= {*module.p.texts("type")}


def rare_condition(module: QueryModule) -> list[Any]:
    """Return the condition of a filter that few changes match, if the request has such a filter.

    Up to three queries.
    """
    table, types = _Table.alias(), {*module.p.texts("type")}
    any_source = EXTERNAL in types or types >= {*SOURCES}
    sources = [] if any_source else [SOURCES[name] for name in SOURCES if name in types]
    for column, values in (
        (table.rc_namespace, module.p.numbers("namespace")),
        (table.rc_source, sources),
    ):
        matching = table.select(table.rc_id).where(column.in_(values))
        if values and rarity.is_rare(module.db, matching):
            return [_Table.rc_id.in_(matching)]
    if module.p.is_given("tag"):
        tagged = tags.tagged_recent_changes(module.p.text("tag"))
        return [_Table.rc_id.in_(tagged)] if rarity.is_rare(module.db, tagged) else []
    return []


def needs_page(module: QueryModule) -> bool:
    """Return whether the current page has to be joined."""
    names = {*module.p.texts("show"), *module.p.texts("prop")}
    return module.p.flag("toponly") or not names.isdisjoint(("redirect", "!redirect"))


def require_patrol(module: QueryModule, code: str = "permissiondenied") -> None:
    """Raise an error if the user may not see the marks of patrolled changes.

    Raises:
        ApiError: with ``code``, which depends on the module in MediaWiki.
    """
    if not module.context.user.can("patrol", "patrolmarks"):
        raise ApiError(code, "apierror-permissiondenied-patrolflag")


def patrol_conditions(column: Any, show: Collection[str]) -> list[Any]:
    """Return the conditions of values of ``show`` on the column of marks."""
    conditions = {
        "patrolled": column != UNPATROLLED,
        "!patrolled": column == UNPATROLLED,
        "unpatrolled": column == UNPATROLLED,
        "autopatrolled": column == AUTOPATROLLED,
        "!autopatrolled": column != AUTOPATROLLED,
    }
    return [condition for value, condition in conditions.items() if value in show]


def refuse_contradictions(show: Collection[str], more: Iterable[tuple[str, str]] = ()) -> None:
    """Raise an error if ``show`` contains a value and its negation (``!``), or a pair of ``more``.

    Raises:
        ApiError: ``show``.
    """
    opposites = ((value, f"!{value}") for value in show)
    for one, other in (*opposites, *more):
        if one in show and other in show:
            raise ApiError("show", "apierror-show")


def _type_conditions(module: QueryModule) -> list[Any]:
    types = module.p.texts("type")
    sources = [SOURCES[name] for name in types if name in SOURCES]
    if not sources:
        # Only external changes are requested. MediaWiki, which makes none itself, does not filter.
        return []
    source = bounds.unindexed(_Table.rc_source)
    condition, others = source.in_(sources), source.not_in(list(SOURCES.values()))
    return [condition | others if EXTERNAL in types else condition]


def _show_conditions(module: QueryModule) -> list[Any]:
    show = frozenset(module.p.texts("show"))
    if not show:
        return []
    refuse_contradictions(show, _EXCLUSIVE)
    if not PATROL_FLAGS.isdisjoint(show):
        require_patrol(module)
    is_redirect = bounds.unindexed(Page.page_is_redirect)
    conditions = {
        "minor": _Table.rc_minor != 0,
        "!minor": _Table.rc_minor == 0,
        "bot": _Table.rc_bot != 0,
        "!bot": _Table.rc_bot == 0,
        "anon": Actor.actor_user.is_null(),
        "!anon": Actor.actor_user.is_null(False),
        "redirect": is_redirect == 1,
        "!redirect": is_redirect.is_null() | (is_redirect == 0),
    }
    requested = [condition for value, condition in conditions.items() if value in show]
    return requested + patrol_conditions(_Table.rc_patrolled, show)


def _visible_page_conditions(module: QueryModule) -> list[Any]:
    """Return the conditions under which the reader may see which page a change is about."""
    visible = visible_to(module.context.user, _Table.rc_deleted, visibility.ACTION)
    return [(_Table.rc_source != recentchanges.LOG_SOURCE) | condition for condition in visible]


def _changes_slot(role: str) -> Any:
    """Return the condition that a change wrote the slot, or restored earlier content of it."""
    parent = Slots.alias()
    before = (parent.slot_revision_id == _Table.rc_last_oldid) & (
        parent.slot_role_id == Slots.slot_role_id
    )
    is_own = Slots.slot_origin == Slots.slot_revision_id
    is_other = parent.slot_content_id.is_null() | (parent.slot_content_id != Slots.slot_content_id)
    changed = (
        Slots.select(Slots.slot_revision_id)
        .join_from(Slots, SlotRoles, on=(SlotRoles.role_id == Slots.slot_role_id))
        .join_from(Slots, parent, JOIN.LEFT_OUTER, on=before)
        .where(
            Slots.slot_revision_id == _Table.rc_this_oldid,
            SlotRoles.role_name == role,
            is_own | is_other,
        )
    )
    return fn.EXISTS(changed)
