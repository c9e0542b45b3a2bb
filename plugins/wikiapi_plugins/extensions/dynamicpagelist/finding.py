"""Finds the pages of a list with one query, and what is shown beside them with a few more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from peewee import SQL, NodeList, Value, fn

from wikiapi.store import Database
from wikiapi.store.models import Actor, CategoryLinks, LinkTarget, Page, Redirect, Revision
from wikiapi.store.queries.links import (
    CATEGORIES,
    IMAGES,
    PAGES,
    TEMPLATES,
    LinkTable,
    in_schema,
    target_in,
)
from wikiapi.store.queries.visibility import USER, is_hidden, shown
from wikiapi.title import CATEGORY, Title
from wikiapi_plugins.extensions.dynamicpagelist.options import Options


class Found(NamedTuple):
    """A page of the list; ``timestamp`` and ``user`` are those of its latest revision.

    The name of a user who is hidden is empty.
    """

    page_id: int
    ns: int
    dbkey: str
    is_redirect: bool
    size: int
    touched: str
    timestamp: str = ""
    user: str = ""
    added: str = ""


_BASE = (
    Page.page_id,
    Page.page_namespace,
    Page.page_title,
    Page.page_is_redirect,
    Page.page_len,
    Page.page_touched,
)
_MAX_CATEGORIES = 1_000_000
_BY_REVISION = frozenset({"lastedit", "user"})
_BY_CATEGORY = frozenset({"sortkey", "category", "categoryadd", "categorysortkey"})


class Finder:
    """Finds the pages that the parameters of a list select."""

    def __init__(self, db: Database, options: Options, own: Title) -> None:
        """Search ``db``; ``own`` is the page that contains the list, and may be left out of it."""
        self._db = db
        self._options = options
        self._own = own

    def pages(self, most: int) -> list[Found]:
        """Return at most ``most`` pages, in the order of the list."""
        options = self._options
        methods = set(options.order_methods)
        revised = bool(methods & _BY_REVISION or options.flag("addeditdate")
                       or options.flag("adduser"))  # fmt: skip
        sorted_in = self._first_category() if self._needs_category(methods) else None
        columns: list[Any] = [*_BASE]
        if revised:
            columns += [Revision.rev_timestamp, Actor.actor_name, Revision.rev_deleted]
        if sorted_in is not None:
            columns += [fn.MIN(CategoryLinks.cl_timestamp)]
        query = Page.select(*columns)
        if revised:
            query = query.join_from(Page, Revision, on=(Revision.rev_id == Page.page_latest))
            query = query.join_from(Revision, Actor, on=(Actor.actor_id == Revision.rev_actor))
        if sorted_in is not None:
            on = (CategoryLinks.cl_from == Page.page_id) & CategoryLinks.cl_target_id.in_(sorted_in)
            query = query.join_from(Page, CategoryLinks, on=on)
            query = query.group_by(*columns[:-1])
        query = query.where(*self._conditions()).order_by(*self._order(sorted_in is not None))
        query = query.limit(most).offset(options.numbers.get("offset", 0))
        return [_found(row, revised=revised) for row in self._db.execute(query)]

    def _needs_category(self, methods: set[str]) -> bool:
        categories = self._options.categories
        natural = not methods or methods == {"none"}
        wanted = methods & _BY_CATEGORY or self._options.flag("addfirstcategorydate") or natural
        return bool(categories and categories[0] and wanted)

    def _first_category(self) -> Any:
        names = self._options.categories[0]
        return LinkTarget.select(LinkTarget.lt_id).where(
            (LinkTarget.lt_namespace == CATEGORY) & LinkTarget.lt_title.in_(names)
        )

    # Conditions

    def _conditions(self) -> list[Any]:
        options = self._options
        conditions = [SQL("1 = 1"), *self._of_categories(), *self._of_titles(), *self._of_people()]
        if options.namespaces:
            conditions.append(Page.page_namespace.in_(options.namespaces))
        if options.not_namespaces:
            conditions.append(Page.page_namespace.not_in(options.not_namespaces))
        if options.redirects != "include":
            conditions.append(Page.page_is_redirect == int(options.redirects == "only"))
        if not options.flag("includesubpages", default=True):
            conditions.append(~_like(Page.page_title, "%/%"))
        if options.flag("skipthispage", default=True):
            own = (Page.page_namespace == self._own.ns) & (Page.page_title == self._own.dbkey)
            conditions.append(~own)
        return conditions

    def _of_categories(self) -> Iterable[Any]:
        options = self._options
        table = CATEGORIES
        for names in options.categories:
            yield Page.page_id.in_(self._sources(table, [(CATEGORY, name) for name in names]))
        if options.not_categories:
            keys = [(CATEGORY, name) for name in options.not_categories]
            yield Page.page_id.not_in(self._sources(table, keys))
        least, most = options.category_counts
        if least is not None or most is not None:
            own = CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from)).where(
                CategoryLinks.cl_from == Page.page_id
            )
            yield NodeList((own, SQL("BETWEEN"), Value(least or 0), SQL("AND"), Value(
                _MAX_CATEGORIES if most is None else most)))  # fmt: skip
        if options.uncategorised:
            yield Page.page_id.not_in(CategoryLinks.select(CategoryLinks.cl_from))

    def _sources(self, table: LinkTable, keys: Sequence[tuple[int, str]]) -> Any:
        return table.select_links.select(table.source).where(target_in(table, keys))

    def _of_titles(self) -> Iterable[Any]:
        for name, groups in self._options.titles.items():
            for titles in groups:
                condition = self._of_group(name.removeprefix("not"), titles)
                yield ~condition if name.startswith("not") else condition
        for name, patterns in self._options.patterns.items():
            if name.endswith("categorymatch"):
                condition = Page.page_id.in_(_in_categories_like(patterns))
            else:
                condition = _any(_like(Page.page_title, pattern) for pattern in patterns)
            yield ~condition if name.startswith("not") else condition
        if start := self._options.text("titlegt"):
            yield Page.page_title > start.replace(" ", "_")
        if end := self._options.text("titlelt"):
            yield Page.page_title < end.replace(" ", "_")
        if length := self._options.numbers.get("titlemaxlength"):
            yield fn.LENGTH(Page.page_title) <= length

    def _of_group(self, name: str, titles: Sequence[Title]) -> Any:
        if name in ("linksto", "uses", "imageused"):
            table = in_schema(self._db, _TABLES[name])
            return Page.page_id.in_(self._sources(table, [title.key for title in titles]))
        if name == "title":
            return _any(_is_page(title) for title in titles)
        table = in_schema(self._db, _TABLES[name])
        holder = Page.alias("holder")
        inside = (
            table.select_links.select(table.source)
            .join_from(table.model, holder, on=(holder.page_id == table.source))
            .where(
                (table.title == Page.page_title)
                & _same_namespace(table)
                & _any(
                    (holder.page_namespace == title.ns) & (holder.page_title == title.dbkey)
                    for title in titles
                )
            )
        )
        return fn.EXISTS(inside)

    def _of_people(self) -> Iterable[Any]:
        for name, person in self._options.people.items():
            kind = name.removeprefix("not")
            query = Revision.select(Revision.rev_page).join(
                Actor, on=(Actor.actor_id == Revision.rev_actor)
            )
            query = query.where(Actor.actor_name == person, shown(Revision.rev_deleted, USER))
            if kind == "createdby":
                query = query.where(Revision.rev_parent_id == 0)
            if kind == "lastmodifiedby":
                newest = query.select(Revision.rev_id)
                condition = Page.page_latest.in_(newest)
            else:
                condition = Page.page_id.in_(query)
            yield ~condition if name.startswith("not") else condition

    # Order

    def _order(self, in_category: bool) -> list[Any]:
        """Return the columns to order by; the default is the order of the index that is used."""
        columns: list[Any] = []
        for method in self._options.order_methods:
            columns += _ORDERS.get(method, ())
        if not columns:
            return self._natural(in_category)
        if not in_category and any(m in _BY_CATEGORY for m in self._options.order_methods):
            columns = [Page.page_title, Page.page_id]
        down = self._options.descending
        return [column.desc() if down else column.asc() for column in (*columns, Page.page_id)]

    def _natural(self, in_category: bool) -> list[Any]:
        options = self._options
        columns: list[Any]
        if in_category:
            columns = [fn.MIN(CategoryLinks.cl_type), fn.MIN(CategoryLinks.cl_sortkey)]
        elif "imageused" in options.titles:
            columns = [Page.page_title]
        elif options.titles.keys() & {"linksto", "uses"}:
            columns = []
        elif options.redirects == "only" and not options.patterns:
            columns = [Page.page_namespace, Page.page_len]
        else:
            columns = [Page.page_namespace, Page.page_title]
        down = options.descending
        return [column.desc() if down else column.asc() for column in (*columns, Page.page_id)]


_TABLES = {
    "linksto": PAGES,
    "linksfrom": PAGES,
    "uses": TEMPLATES,
    "usedby": TEMPLATES,
    "imageused": IMAGES,
    "imagecontainer": IMAGES,
}
_ORDERS: dict[str, tuple[Any, ...]] = {
    "title": (Page.page_title,),
    "titlewithoutnamespace": (Page.page_title,),
    "fulltitle": (Page.page_namespace, Page.page_title),
    "sortkey": (fn.MIN(CategoryLinks.cl_sortkey),),
    "category": (fn.MIN(CategoryLinks.cl_sortkey),),
    "categorysortkey": (fn.MIN(CategoryLinks.cl_sortkey),),
    "categoryadd": (fn.MIN(CategoryLinks.cl_timestamp),),
    "lastedit": (Revision.rev_timestamp,),
    "user": (Actor.actor_name,),
    "firstedit": (Page.page_id,),
    "created": (Page.page_id,),
    "size": (Page.page_len,),
    "length": (Page.page_len,),
    "pagetouched": (Page.page_touched,),
}


def _found(row: Sequence[Any], *, revised: bool) -> Found:
    more = list(row[6:])
    timestamp = user = ""
    if revised:
        timestamp, name, bits, *more = more
        user = "" if is_hidden(bits, USER) else name
    added = str(more[0]) if more else ""
    base = (row[0], row[1], row[2], bool(row[3]), row[4], str(row[5]))
    return Found(*base, str(timestamp), user, added)


def _any(conditions: Iterable[Any]) -> Any:
    found = SQL("0 = 1")
    for condition in conditions:
        found = condition | found
    return found


def _is_page(title: Title) -> Any:
    return (Page.page_namespace == title.ns) & (Page.page_title == title.dbkey)


def _same_namespace(table: LinkTable) -> Any:
    fixed = table.fixed_namespace
    return Page.page_namespace == (table.namespace if fixed is None else fixed)


def _like(title: Any, pattern: str) -> Any:
    """Return the condition that a title matches a pattern, in which ``%`` stands for any text."""
    return NodeList((SQL("("), title, SQL("LIKE"), Value(pattern), SQL(")")))


def _in_categories_like(patterns: Iterable[str]) -> Any:
    """Return a query for the ids of pages in a category whose name matches a pattern."""
    query = CATEGORIES.select_links.select(CATEGORIES.source)
    return query.where(_any(_like(CATEGORIES.title, pattern) for pattern in patterns))


def categories_of(db: Database, page_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the sorted categories of pages by page id. Takes one query."""
    ids = list(page_ids)
    if not ids:
        return {}
    query = CATEGORIES.select_links.select(CategoryLinks.cl_from, LinkTarget.lt_title)
    found: dict[int, list[str]] = {}
    for page_id, name in db.execute(query.where(CategoryLinks.cl_from.in_(ids))):
        found.setdefault(page_id, []).append(name)
    return {page_id: sorted(names) for page_id, names in found.items()}


def redirect_targets(db: Database, page_ids: Iterable[int]) -> dict[int, tuple[int, str]]:
    """Return the targets of redirects, as namespace and key, by page id. Takes one query."""
    ids = list(page_ids)
    if not ids:
        return {}
    query = Redirect.select(Redirect.rd_from, Redirect.rd_namespace, Redirect.rd_title)
    rows = db.execute(query.where(Redirect.rd_from.in_(ids)))
    return {page_id: (namespace, name) for page_id, namespace, name in rows}
