"""Finds the pages of a list with one query, and what is shown beside them with a few more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from peewee import SQL, NodeList, Select, Value, fn

from wikiapi.store import ComparableSortKey, Database
from wikiapi.store.models import Actor, CategoryLinks, LinkTarget, Page, Redirect, Revision
from wikiapi.store.queries import LinkTable, links, visibility
from wikiapi.title import CATEGORY, MAIN, Title
from wikiapi_plugins.extensions.dynamicpagelist.options import BadOptions, Options


class PageRecord(NamedTuple):
    """A page of the list, with id 0 if it does not exist.

    ``timestamp`` and ``user`` are those of a revision, by default the latest; the name of a user
    who is hidden is empty. ``added`` is when the page was added to the first category.
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


_SORT_KEY = fn.MIN(ComparableSortKey(CategoryLinks.cl_sortkey))
_BASE = (
    Page.page_id,
    Page.page_namespace,
    Page.page_title,
    Page.page_is_redirect,
    Page.page_len,
    Page.page_touched,
)
_MAX_CATEGORIES = 1_000_000
_MAX_COUNTED = 100_000
"""The maximum number of pages that are counted, for the total of a list."""
_MAX_SUBCATEGORIES = 500
"""The maximum number of subcategories of a level in which pages are searched."""
_BY_REVISION = frozenset({"lastedit", "firstedit", "user"})
_REVISED = ("addeditdate", "adduser", "addlasteditor")
"""Parameters that show something of a revision."""
_BY_CATEGORY = frozenset({"sortkey", "category", "categoryadd", "categorysortkey"})


class Finder:
    """Finds the pages that the parameters of a list select."""

    def __init__(self, db: Database, options: Options, own: Title) -> None:
        """Search ``db``; ``own`` is the page that contains the list, and may be left out of it."""
        self._db = db
        self._options = options
        self._own = own
        self._categories, self._not_categories = options.categories, options.not_categories
        methods = set(options.order_methods)
        self._revised = bool(
            methods & _BY_REVISION or options.moments or any(map(options.flag, _REVISED))
        )
        natural = not methods or methods == {"none"}
        by_category = methods & _BY_CATEGORY or options.flag("addfirstcategorydate") or natural
        self._in_category = bool(options.categories and options.categories[0] and by_category)

    def pages(self, most: int) -> list[PageRecord]:
        """Return at most ``most`` pages, in the order of the list.

        Takes one query, and one more for each level of subcategories that are searched.

        Raises:
            BadOptions: there are too many subcategories.
        """
        self._categories, self._not_categories = self._with_subcategories()
        offset = self._options.numbers.get("offset", 0)
        query = self._query().order_by(*self._order(self._in_category)).limit(most).offset(offset)
        return [_record(row, revised=self._revised) for row in self._db.execute(query)]

    def total(self) -> int:
        """Return how many pages there are without ``count`` and ``offset``, at most 100,000.

        Call it after :meth:`pages`. Takes one query.
        """
        pages = self._query().limit(_MAX_COUNTED).alias("pages")
        return int(self._db.scalar(Select([pages], [fn.COUNT(SQL("1"))])))

    def _query(self) -> Any:
        columns: list[Any] = [*_BASE]
        if self._revised:
            columns += [Revision.rev_timestamp, Actor.actor_name, Revision.rev_deleted]
        query = Page.select(*columns)
        if self._revised:
            query = query.join_from(Page, Revision, on=(Revision.rev_id == self._shown_revision()))
            query = query.join_from(Revision, Actor, on=(Actor.actor_id == Revision.rev_actor))
        if self._in_category:
            names = self._categories[0]
            query = query.select_extend(fn.MIN(CategoryLinks.cl_timestamp))
            query = query.join_from(Page, CategoryLinks, on=(CategoryLinks.cl_from == Page.page_id))
            query = query.join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            query = query.where(LinkTarget.lt_namespace == CATEGORY, LinkTarget.lt_title.in_(names))
            query = query.group_by(*columns)
        options = self._options
        conditions = [
            SQL("1 = 1"),
            *self._of_categories(),
            *self._of_titles(),
            *self._of_people(),
            *self._of_revisions(),
        ]
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
        return query.where(*conditions)

    def _shown_revision(self) -> Any:
        """Return the id of the revision that is shown beside a page: by default its latest."""
        moments = self._options.moments
        if before := moments.get("lastrevisionbefore"):
            return _revision_of_page(lambda timestamp: timestamp < before, newest=True)
        if since := moments.get("firstrevisionsince"):
            return _revision_of_page(lambda timestamp: timestamp >= since)
        if "firstedit" in self._options.order_methods:
            return _revision_of_page()
        return Page.page_latest

    def _with_subcategories(self) -> tuple[list[list[str]], list[str]]:
        """Return the categories and those to leave out, with the subcategories that count as well.

        Takes one query for each level.
        """
        options = self._options
        level, below = {name: {name} for name in options.depths}, dict[str, set[str]]()
        for number in range(max(options.depths.values(), default=0)):
            level = {
                name: titles for name, titles in level.items() if options.depths[name] > number
            }
            children = _subcategories(
                self._db, {one for titles in level.values() for one in titles}
            )
            level = {
                name: {child for one in titles for child in children.get(one, ())}
                for name, titles in level.items()
            }
            for name, titles in level.items():
                below.setdefault(name, set()).update(titles)

        def with_more(names: Sequence[str]) -> list[str]:
            more = (child for name in names for child in sorted(below.get(name, ())))
            return list(dict.fromkeys((*names, *more)))

        return [with_more(names) for names in options.categories], with_more(options.not_categories)

    # Conditions

    def _of_categories(self) -> Iterable[Any]:
        options = self._options
        table = links.CATEGORIES
        for names in self._categories:
            yield Page.page_id.in_(self._sources(table, [(CATEGORY, name) for name in names]))
        if self._not_categories:
            keys = [(CATEGORY, name) for name in self._not_categories]
            yield Page.page_id.not_in(self._sources(table, keys))
        least, most = options.category_counts
        if least is not None or most is not None:
            own = CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from)).where(
                CategoryLinks.cl_from == Page.page_id
            )
            yield NodeList((own, SQL("BETWEEN"), Value(least or 0), SQL("AND"), Value(
                _MAX_CATEGORIES if most is None else most)))  # fmt: skip
        if options.article_categories:
            article = Page.alias("article")
            keys = [(CATEGORY, name) for name in options.article_categories]
            titles = article.select(article.page_title).where(
                (article.page_namespace == MAIN) & article.page_id.in_(self._sources(table, keys))
            )
            yield Page.page_title.in_(titles)
        if options.uncategorised:
            yield Page.page_id.not_in(CategoryLinks.select(CategoryLinks.cl_from))

    def _sources(self, table: LinkTable, keys: Sequence[tuple[int, str]]) -> Any:
        return table.select_links.select(table.source).where(links.target_in(table, keys))

    def _of_titles(self) -> Iterable[Any]:
        for name, groups in self._options.titles.items():
            for titles in groups:
                condition = self._of_group(name.removeprefix("not"), titles)
                yield ~condition if name.startswith("not") else condition
        for name, patterns in self._options.patterns.items():
            if name.endswith("categorymatch"):
                table = links.CATEGORIES
                query = table.select_links.select(table.source)
                likes = (_like(table.title, pattern) for pattern in patterns)
                condition = Page.page_id.in_(query.where(_any(likes)))
            else:
                condition = _any(_like(Page.page_title, pattern) for pattern in patterns)
            yield ~condition if name.startswith("not") else condition
        start, end = (self._options.text(name).replace(" ", "_") for name in ("titlegt", "titlelt"))
        if start:
            bound = start.removeprefix(_OR_EQUAL)
            yield Page.page_title > start if bound == start else Page.page_title >= bound
        if end:
            bound = end.removeprefix(_OR_EQUAL)
            yield Page.page_title < end if bound == end else Page.page_title <= bound

    def _of_group(self, name: str, titles: Sequence[Title]) -> Any:
        if name in ("linksto", "uses", "imageused"):
            table = links.in_schema(self._db, _TABLES[name])
            return Page.page_id.in_(self._sources(table, [title.key for title in titles]))
        if name == "title":
            return _any(
                ((Page.page_namespace == title.ns) & (Page.page_title == title.dbkey))
                for title in titles
            )
        table = links.in_schema(self._db, _TABLES[name])
        holder = Page.alias("holder")
        fixed = table.fixed_namespace
        same_namespace = Page.page_namespace == (table.namespace if fixed is None else fixed)
        inside = (
            table.select_links.select(table.source)
            .join_from(table.model, holder, on=(holder.page_id == table.source))
            .where(
                (table.title == Page.page_title)
                & same_namespace
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
            query = query.where(
                Actor.actor_name == person,
                visibility.not_hidden(Revision.rev_deleted, visibility.USER),
            )
            if kind == "createdby":
                query = query.where(Revision.rev_parent_id == 0)
            if kind == "lastmodifiedby":
                newest = query.select(Revision.rev_id)
                condition = Page.page_latest.in_(newest)
            else:
                condition = Page.page_id.in_(query)
            yield ~condition if name.startswith("not") else condition

    def _of_revisions(self) -> Iterable[Any]:
        """Yield conditions on the number of revisions, which read no more of them than needed."""
        options, numbers = self._options, self._options.numbers
        if least := numbers.get("minrevisions"):
            yield fn.EXISTS(_revisions_of_page().limit(1).offset(least - 1))
        if (most := numbers.get("maxrevisions")) is not None:
            yield ~fn.EXISTS(_revisions_of_page().limit(1).offset(most))
        if options.choices.get("minoredits") == "exclude":
            latest = _Chosen.rev_id == Page.page_latest
            minor = _Chosen.select(_Chosen.rev_id).where(latest, _Chosen.rev_minor_edit == 1)
            yield ~fn.EXISTS(minor)

    # Order

    def _order(self, in_category: bool) -> list[Any]:
        """Return the columns to order by; the default is the order of the index that is used."""
        options = self._options
        columns: list[Any] = []
        for method in options.order_methods:
            columns += _ORDERS.get(method, ())
        if not columns:
            if in_category:
                columns = [fn.MIN(CategoryLinks.cl_type), _SORT_KEY]
            elif "imageused" in options.titles:
                columns = [Page.page_title]
            elif options.titles.keys() & {"linksto", "uses"}:
                columns = []
            elif options.redirects == "only" and not options.patterns:
                columns = [Page.page_namespace, Page.page_len]
            else:
                columns = [Page.page_namespace, Page.page_title]
        elif not in_category and any(m in _BY_CATEGORY for m in options.order_methods):
            columns = [Page.page_title, Page.page_id]
        down = options.descending
        return [column.desc() if down else column.asc() for column in (*columns, Page.page_id)]


_TABLES = {
    "linksto": links.PAGES,
    "linksfrom": links.PAGES,
    "uses": links.TEMPLATES,
    "usedby": links.TEMPLATES,
    "imageused": links.IMAGES,
    "imagecontainer": links.IMAGES,
}
_ORDERS: dict[str, tuple[Any, ...]] = {
    "title": (Page.page_title,),
    "titlewithoutnamespace": (Page.page_title,),
    "fulltitle": (Page.page_namespace, Page.page_title),
    "sortkey": (_SORT_KEY,),
    "category": (_SORT_KEY,),
    "categorysortkey": (_SORT_KEY,),
    "categoryadd": (fn.MIN(CategoryLinks.cl_timestamp),),
    "lastedit": (Revision.rev_timestamp,),
    "user": (Actor.actor_name,),
    "firstedit": (Revision.rev_timestamp,),
    "created": (Page.page_id,),
    "size": (Page.page_len,),
    "length": (Page.page_len,),
    "pagetouched": (Page.page_touched,),
}


def _record(row: Sequence[Any], *, revised: bool) -> PageRecord:
    more = list(row[6:])
    timestamp = user = ""
    if revised:
        timestamp, name, bits, *more = more
        user = "" if visibility.is_hidden(bits, visibility.USER) else name
    added = str(more[0]) if more else ""
    base = (row[0], row[1], row[2], bool(row[3]), row[4], str(row[5]))
    return PageRecord(*base, str(timestamp), user, added)


def _revisions_of_page() -> Any:
    return _Chosen.select(_Chosen.rev_id).where(_Chosen.rev_page == Page.page_id)


def _revision_of_page(
    condition: Callable[[Any], Any] | None = None, *, newest: bool = False
) -> Any:
    """Return the id of a page's oldest or newest revision whose timestamp meets a condition."""
    query = _revisions_of_page()
    if condition is not None:
        query = query.where(condition(_Chosen.rev_timestamp))
    columns = (_Chosen.rev_timestamp, _Chosen.rev_id)
    return query.order_by(*(c.desc() if newest else c.asc() for c in columns)).limit(1)


_Chosen = Revision.alias("chosen")
_OR_EQUAL = "=_"
"""Before a bound of titles: the bound itself is included."""


def _any(conditions: Iterable[Any]) -> Any:
    either = SQL("0 = 1")
    for condition in conditions:
        either = condition | either
    return either


def _like(title: Any, pattern: str) -> Any:
    """Return the condition that a title matches a pattern, in which ``%`` stands for any text."""
    return NodeList((SQL("("), title, SQL("LIKE"), Value(pattern), SQL(")")))


def _subcategories(db: Database, names: set[str]) -> dict[str, list[str]]:
    """Return the subcategories of categories that have any. Takes one query.

    Raises:
        BadOptions: there are too many.
    """
    if not names:
        return {}
    query = links.CATEGORIES.select_links_of_pages.select(
        LinkTarget.lt_title, Page.page_title
    ).where(
        links.target_in(links.CATEGORIES, [(CATEGORY, name) for name in names])
        & (CategoryLinks.cl_type == "subcat")
    )
    rows = db.execute(query.limit(_MAX_SUBCATEGORIES + 1))
    if len(rows) > _MAX_SUBCATEGORIES:
        raise BadOptions("dpl-too-many-subcategories", str(_MAX_SUBCATEGORIES))
    children: dict[str, list[str]] = {}
    for parent, child in rows:
        children.setdefault(parent, []).append(child)
    return children


def editors_of(db: Database, page_ids: Iterable[int], *, first: bool) -> dict[int, str]:
    """Return the users of the first or last revisions of pages by page id, unless hidden.

    Takes one query.
    """
    ids = list(page_ids)
    if not ids:
        return {}
    chosen = _revision_of_page() if first else Page.page_latest
    query = (
        Page.select(Page.page_id, Actor.actor_name)
        .join_from(Page, Revision, on=(Revision.rev_id == chosen))
        .join_from(Revision, Actor, on=(Actor.actor_id == Revision.rev_actor))
        .where(Page.page_id.in_(ids), visibility.not_hidden(Revision.rev_deleted, visibility.USER))
    )
    return {row[0]: row[1] for row in db.execute(query)}


def categories_in(db: Database, page_ids: Iterable[int], *, descending: bool) -> list[PageRecord]:
    """Return the categories of pages, in the order of their names. Takes two queries."""
    names = {name for own in categories_of(db, page_ids).values() for name in own}
    if not names:
        return []
    query = Page.select(*_BASE).where(
        (Page.page_namespace == CATEGORY) & Page.page_title.in_(names)
    )
    stored = {row[2]: _record(row, revised=False) for row in db.execute(query)}
    missing = PageRecord(0, CATEGORY, "", is_redirect=False, size=0, touched="")
    return [
        stored.get(name, missing._replace(dbkey=name)) for name in sorted(names, reverse=descending)
    ]


def categories_of(db: Database, page_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the sorted categories of pages by page id. Takes one query."""
    ids = list(page_ids)
    if not ids:
        return {}
    query = links.CATEGORIES.select_links.select(CategoryLinks.cl_from, LinkTarget.lt_title)
    categories: dict[int, list[str]] = {}
    for page_id, name in db.execute(query.where(CategoryLinks.cl_from.in_(ids))):
        categories.setdefault(page_id, []).append(name)
    return {page_id: sorted(names) for page_id, names in categories.items()}


def redirect_targets(db: Database, page_ids: Iterable[int]) -> dict[int, tuple[int, str]]:
    """Return the targets of redirects, as namespace and key, by page id. Takes one query."""
    ids = list(page_ids)
    if not ids:
        return {}
    query = Redirect.select(Redirect.rd_from, Redirect.rd_namespace, Redirect.rd_title)
    rows = db.execute(query.where(Redirect.rd_from.in_(ids)))
    return {page_id: (namespace, name) for page_id, namespace, name in rows}
