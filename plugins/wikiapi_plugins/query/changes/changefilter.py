"""The filters of requests for recent changes, as conditions on the joined tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from peewee import JOIN, fn

from wikiapi.api import QueryModule, valid_title
from wikiapi.errors import ApiError
from wikiapi.store import bounds
from wikiapi.store.models import Actor, Page, RecentChanges, SlotRoles, Slots
from wikiapi.store.queries import rarity, recentchanges, tags, visibility
from wikiapi_plugins.query.authorship import shown_to
from wikiapi_plugins.query.changes.patrol import FLAGS, marked, require_patrol
from wikiapi_plugins.query.userfilter import by_user, invalid_mix

SOURCES = {
    "edit": "mw.edit",
    "new": "mw.new",
    "log": recentchanges.LOG_SOURCE,
    "categorize": "mw.categorize",
}
"""The types of changes: their names in requests, and in the store. All others are external."""
EXTERNAL = "external"
SHOWN = (
    "!anon", "!autopatrolled", "!bot", "!minor", "!patrolled", "!redirect", "anon",
    "autopatrolled", "bot", "minor", "patrolled", "redirect", "unpatrolled",
)  # fmt: skip
_EXCLUSIVE = (
    ("patrolled", "unpatrolled"),
    ("!patrolled", "unpatrolled"),
    ("autopatrolled", "unpatrolled"),
    ("autopatrolled", "!patrolled"),
)
_Table = RecentChanges


def conditions(module: QueryModule) -> list[Any]:
    """Return the conditions of a request's parameters, except those on time.

    Raises:
        ApiError: parameters exclude each other, or require a right that the user does not have.
    """
    found = [
        *_of_type(module),
        *_about(module),
        *_shown(module),
        *by_user(module, _Table.rc_deleted, visibility.USER),
    ]
    if "patrolled" in module.p.texts("prop"):
        require_patrol(module)
    return [*found, *_more(module)]


_FILTERS = ("namespace", "user", "excludeuser", "tag", "show", "toponly", "slot")


def has_filters(module: QueryModule) -> bool:
    """Return whether filters may skip any number of changes between those that are listed.

    They cannot for a single page, whose changes have an index.
    """
    if module.p.is_given("title"):
        return False
    return any(module.p[name] for name in _FILTERS) or not {*SOURCES} <= {*module.p.texts("type")}


def rare(module: QueryModule) -> list[Any]:
    """Return the condition of a filter that few changes match, if the request has such a filter.

    Up to three queries.
    """
    table = _Table.alias()
    for column, values in (
        (table.rc_namespace, module.p.numbers("namespace")),
        (table.rc_source, _sources(module)),
    ):
        found = table.select(table.rc_id).where(column.in_(values))
        if values and rarity.is_rare(module.db, found):
            return [_Table.rc_id.in_(found)]
    if module.p.is_given("tag"):
        tagged = tags.tagged_recent_changes(module.p.text("tag"))
        return [_Table.rc_id.in_(tagged)] if rarity.is_rare(module.db, tagged) else []
    return []


def watched_conditions(module: QueryModule) -> list[Any]:
    """Return the conditions of a request for changes of watched pages, except those on time.

    Raises:
        ApiError: parameters exclude each other, or require a right that the user does not have.
    """
    if "patrol" in module.p.texts("prop"):
        require_patrol(module)
    numbers = module.p.numbers("namespace")
    return [
        *_of_type(module),
        *([_Table.rc_namespace.in_(numbers)] if numbers else []),
        *_shown(module),
        *by_user(module, _Table.rc_deleted, visibility.USER),
        *_about_seen(module),
    ]


def needs_page(module: QueryModule) -> bool:
    """Return whether the current page has to be joined."""
    names = {*module.p.texts("show"), *module.p.texts("prop")}
    return module.p.flag("toponly") or not names.isdisjoint(("redirect", "!redirect"))


def _sources(module: QueryModule) -> list[str]:
    """Return the sources to list; empty if any source is listed."""
    types = {*module.p.texts("type")}
    if EXTERNAL in types or types >= {*SOURCES}:
        return []
    return [SOURCES[name] for name in SOURCES if name in types]


def _of_type(module: QueryModule) -> list[Any]:
    types = module.p.texts("type")
    sources = [SOURCES[name] for name in types if name in SOURCES]
    if not sources:
        # Only external changes are requested. MediaWiki, which makes none itself, does not filter.
        return []
    source = bounds.unindexed(_Table.rc_source)
    condition, others = source.in_(sources), source.not_in(list(SOURCES.values()))
    return [condition | others if EXTERNAL in types else condition]


def _shown(module: QueryModule) -> list[Any]:
    shown_only = frozenset(module.p.texts("show"))
    if not shown_only:
        return []
    refuse_contradictions(shown_only, _EXCLUSIVE)
    if not FLAGS.isdisjoint(shown_only):
        require_patrol(module)
    is_redirect = bounds.unindexed(Page.page_is_redirect)
    known = {
        "minor": _Table.rc_minor != 0,
        "!minor": _Table.rc_minor == 0,
        "bot": _Table.rc_bot != 0,
        "!bot": _Table.rc_bot == 0,
        "anon": Actor.actor_user.is_null(),
        "!anon": Actor.actor_user.is_null(False),
        "redirect": is_redirect == 1,
        "!redirect": is_redirect.is_null() | (is_redirect == 0),
    }
    return [known[name] for name in known if name in shown_only] + marked(
        _Table.rc_patrolled, shown_only
    )


def _about(module: QueryModule) -> list[Any]:
    """Return conditions on the changed page; entries that hide their page do not match."""
    found: list[Any] = []
    namespaces = module.p.numbers("namespace")
    if module.p.is_given("title"):
        page = valid_title(module.site, module.p.text("title"))
        if namespaces and page.ns not in namespaces:
            raise invalid_mix(module, "title", "namespace")
        found += [_Table.rc_namespace == page.ns, _Table.rc_title == page.dbkey]
    elif namespaces:
        found.append(bounds.unindexed(_Table.rc_namespace).in_(namespaces))
    if found:
        found += _about_seen(module)
    return found


def _about_seen(module: QueryModule) -> list[Any]:
    """Return the conditions under which the reader may see which page a change is about."""
    seen = shown_to(module.context.user, _Table.rc_deleted, visibility.ACTION)
    return [(_Table.rc_source != recentchanges.LOG_SOURCE) | condition for condition in seen]


def _more(module: QueryModule) -> list[Any]:
    found: list[Any] = []
    if module.p.is_given("tag"):
        tagged = tags.tagged_recent_changes(module.p.text("tag"))
        found.append(tags.has_tag(_Table.rc_id, tagged))
    if module.p.flag("toponly"):
        found.append(_Table.rc_this_oldid == Page.page_latest)
    if module.p.is_given("slot"):
        edits = bounds.unindexed(_Table.rc_source).in_(_edits(module))
        found += [edits, _touches(module.p.text("slot"))]
    return found


def _edits(module: QueryModule) -> list[str]:
    """Return the sources of the changes that touch content."""
    return [SOURCES[name] for name in ("edit", "new") if name in module.p.texts("type")]


def _touches(role: str) -> Any:
    """Return the condition that a change wrote the slot, or restored earlier content of it."""
    parent = Slots.alias()
    before = (parent.slot_revision_id == _Table.rc_last_oldid) & (
        parent.slot_role_id == Slots.slot_role_id
    )
    is_own = Slots.slot_origin == Slots.slot_revision_id
    is_other = parent.slot_content_id.is_null() | (parent.slot_content_id != Slots.slot_content_id)
    touched = (
        Slots.select(Slots.slot_revision_id)
        .join_from(Slots, SlotRoles, on=(SlotRoles.role_id == Slots.slot_role_id))
        .join_from(Slots, parent, JOIN.LEFT_OUTER, on=before)
        .where(
            Slots.slot_revision_id == _Table.rc_this_oldid,
            SlotRoles.role_name == role,
            is_own | is_other,
        )
    )
    return fn.EXISTS(touched)


def refuse_contradictions(shown: Collection[str], more: Iterable[tuple[str, str]] = ()) -> None:
    """Raise an error if ``shown`` contains a value and its negation (``!``), or one of ``more``.

    Raises:
        ApiError: ``show``.
    """
    opposites = ((value, f"!{value}") for value in shown)
    for one, other in (*opposites, *more):
        if one in shown and other in shown:
            raise ApiError("show", "apierror-show")
