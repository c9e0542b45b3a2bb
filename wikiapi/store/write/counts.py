"""Updates counters by counting the rows of other tables in SQL."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from peewee import Case, fn

from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import BoundStatement
from wikiapi.store.models import (
    Actor,
    Archive,
    Category,
    CategoryLinks,
    Image,
    LinkTarget,
    Page,
    PageLinks,
    RecentChanges,
    Revision,
    SiteStats,
    User,
)
from wikiapi.store.sql.batches import BATCH, chunked
from wikiapi.store.sql.compiled import CompiledQuery
from wikiapi.store.write.ids import insert_missing, next_id
from wikiapi.title.contentmodel import WIKITEXT
from wikiapi.title.namespaces import CATEGORY

_STATS = {
    "edits": "ss_total_edits",
    "articles": "ss_good_articles",
    "pages": "ss_total_pages",
    "users": "ss_users",
    "active_users": "ss_active_users",
    "images": "ss_images",
}
_COLUMNS = ("cat_id", "cat_title", "cat_pages", "cat_subcats", "cat_files")


def recount_categories(db: Database) -> None:
    """Update the category table from the links, and delete categories without members and page."""
    with db.atomic():
        _add_missing_categories(db)
        members = CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from)).join(
            LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
        )
        members = members.where(LinkTarget.lt_namespace == CATEGORY)
        members = members.where(LinkTarget.lt_title == Category.cat_title)
        db.execute_write(
            Category.update(
                cat_pages=members,
                cat_subcats=members.where(CategoryLinks.cl_type == "subcat"),
                cat_files=members.where(CategoryLinks.cl_type == "file"),
            )
        )
        titles = Page.select(Page.page_title).where(Page.page_namespace == CATEGORY)
        db.execute_write(
            Category.delete().where((Category.cat_pages == 0) & Category.cat_title.not_in(titles))
        )


def count(
    db: Database, *, edits: int = 0, pages: int = 0, articles: int = 0, edits_of: int = 0
) -> None:
    """Add to the wiki's statistics when the transaction ends.

    ``edits_of`` is the id of a user who has made an edit; 0 for none.
    """
    with db.atomic():
        counters = db.at_end(_Counters, partial(_Counters, db))
        for name, number in (("edits", edits), ("pages", pages), ("articles", articles)):
            counters.site[name] += number
        if edits_of:
            counters.users[edits_of] += 1


_COUNT_EDITS = CompiledQuery(
    lambda user_id, number: User.update(
        user_editcount=fn.COALESCE(User.user_editcount, 0) + number
    ).where(User.user_id == user_id)
)


_COUNTED = ("edits", "pages", "articles")


def _counted(columns: Iterable[Any], more: Iterable[Any], less: Iterable[Any]) -> Any:
    """Return the statement that adds to columns; ``less`` are the same numbers, negated.

    Articles that were not counted may cease to be articles: no number becomes negative.
    """
    return SiteStats.update(
        {
            column: Case(None, [(column <= least, 0)], column + number)
            for column, number, least in zip(columns, more, less, strict=True)
        }
    )


_COUNT = CompiledQuery(
    lambda *numbers: _counted(
        (getattr(SiteStats, _STATS[name]) for name in _COUNTED), numbers[:3], numbers[3:]
    )
)


class _Counters:
    """Counters that nearly all writers change, and by how much the transaction changes them."""

    place = 1

    def __init__(self, db: Database) -> None:
        self._db = db
        self.site: Counter[str] = Counter()
        self.users: Counter[int] = Counter()

    def statements(self) -> Iterator[BoundStatement]:
        for user, number in sorted(self.users.items()):
            yield self._db.bound(_COUNT_EDITS(user, number))
        changes = [self.site[name] for name in _COUNTED]
        if any(changes):
            yield self._db.bound(_COUNT(*changes, *(-more for more in changes)))


class PageCounts:
    """The counts to which pages contribute: of articles, and of the members of categories.

    Create it before the pages' rows and links are changed, and call :meth:`update` afterwards.
    """

    def __init__(
        self,
        db: Database,
        content_namespaces: Iterable[int],
        page_ids: Iterable[int],
        article_ids: Iterable[int] | None = None,
    ) -> None:
        """Note how much the pages contribute now. At most two queries.

        ``article_ids`` are the pages that may become or cease to be articles, by default all.
        """
        self._db = db
        self._content_namespaces = list(content_namespaces)
        self._page_ids = list(page_ids)
        self._article_ids = self._page_ids if article_ids is None else list(article_ids)
        self._articles = self._count_articles()
        self._categories = self._category_names()

    def update(self) -> None:
        """Count what has changed since."""
        more = self._count_articles() - self._articles
        if more:
            count(self._db, articles=more)
        recount_categories_of(self._db, self._categories | self._category_names())

    def _count_articles(self) -> int:
        if not self._article_ids:
            return 0
        # As in MediaWiki, links make no article of a page of another content model until all
        # articles are counted again.
        model = Page.page_content_model
        articles = _articles(self._content_namespaces).where(model.is_null() | (model == WIKITEXT))
        return int(self._db.scalar(articles.where(Page.page_id.in_(self._article_ids))))

    def _category_names(self) -> set[str]:
        if not self._page_ids:
            return set()
        query = (
            CategoryLinks.select(LinkTarget.lt_title)
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(CategoryLinks.cl_from.in_(self._page_ids))
        )
        return {title for (title,) in self._db.execute(query)}


def recount_categories_of(db: Database, names: Collection[str]) -> None:
    """Update the category table for some categories as :func:`recount_categories` does for all.

    At most five statements for every 500 categories. If others can write during the transaction,
    the rows are locked before their members are counted, and there are some statements more.
    """
    columns = [getattr(Category, name) for name in _COLUMNS]
    for batch in chunked(sorted(names), BATCH):
        query = Category.select(*columns).where(Category.cat_title.in_(batch))
        if db.is_sharing:
            there = {row[1] for row in db.execute(query)}
            if absent := [(name, 0, 0, 0) for name in batch if name not in there]:
                insert_missing(db, Category.cat_id, absent, _COLUMNS[1:])
        rows = db.execute(query.order_by(Category.cat_title), locks=True)
        stored = {name: (category_id, *counts) for category_id, name, *counts in rows}
        pages = Page.select(Page.page_title).where(
            Page.page_namespace == CATEGORY, Page.page_title.in_(batch)
        )
        members: dict[str, Counter[str]] = {name: Counter() for (name,) in db.execute(pages)}
        by_type = (
            CategoryLinks.select(
                LinkTarget.lt_title, CategoryLinks.cl_type, fn.COUNT(CategoryLinks.cl_from)
            )
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(LinkTarget.lt_namespace == CATEGORY, LinkTarget.lt_title.in_(batch))
            .group_by(LinkTarget.lt_title, CategoryLinks.cl_type)
        )
        for name, kind, number in db.execute(by_type):
            members.setdefault(name, Counter())[kind] = number
        if gone := sorted(stored.keys() - members.keys()):
            # Others may be waiting for these rows, to add members.
            db.exclude_others()
            db.execute_write(Category.delete().where(Category.cat_title.in_(gone)))
        is_any_new = not members.keys() <= stored.keys()
        new_ids = itertools.count(next_id(db, Category.cat_id) if is_any_new else 1)
        changed = []
        for name, counts in members.items():
            row = (counts.total(), counts["subcat"], counts["file"])
            if name in stored and stored[name][1:] != row:
                changed.append((stored[name][0], name, *row))
            elif name not in stored:
                changed.append((next(new_ids), name, *row))
        if changed and db.is_sharing:
            for number, _, *counted in changed:
                update = Category.update(dict(zip(columns[2:], counted, strict=True)))
                db.execute_write(update.where(Category.cat_id == number))
        elif changed:
            db.insert_many(Category, changed, _COLUMNS, on_conflict="replace")


def recount_site(
    db: Database, content_namespaces: Sequence[int] = (0,), active_since: str = ""
) -> None:
    """Update site_stats from the tables that it counts.

    An article is a page in a content namespace that is not a redirect and links to a page. Active
    users are those with changes since ``active_since`` (14 digits).
    """
    values = site_counts(db, content_namespaces, active_since)
    with db.atomic():
        db.execute_write(SiteStats.delete())
        columns = [_STATS[name] for name in values]
        db.insert_many(SiteStats, [(1, *values.values())], ["ss_row_id", *columns])


def site_counts(
    db: Database, content_namespaces: Sequence[int] = (0,), active_since: str = ""
) -> dict[str, int]:
    """Return the correct values of site_stats by the fields of ``sitestats.Statistics``."""
    return {
        "edits": _count(db, Revision) + _count(db, Archive),
        "articles": int(db.scalar(_articles(content_namespaces))),
        "pages": _count(db, Page),
        "users": _count(db, User),
        "active_users": int(db.scalar(_active_users(active_since))),
        "images": _count(db, Image),
    }


def _add_missing_categories(db: Database) -> None:
    used = (
        LinkTarget.select(LinkTarget.lt_title)
        .where(LinkTarget.lt_namespace == CATEGORY)
        .where(LinkTarget.lt_id.in_(CategoryLinks.select(CategoryLinks.cl_target_id).distinct()))
        .where(LinkTarget.lt_title.not_in(Category.select(Category.cat_title)))
        .order_by(LinkTarget.lt_title)
    )
    start = next_id(db, Category.cat_id)
    titles = db.execute(used)
    rows = ((start + i, title, 0, 0, 0) for i, (title,) in enumerate(titles))
    db.insert_many(Category, rows)


def _count(db: Database, model: Any) -> int:
    return int(db.scalar(model.select(fn.COUNT(model._meta.sorted_fields[0]))))


def _articles(namespaces: Sequence[int]) -> Any:
    links = PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_from == Page.page_id)
    query = Page.select(fn.COUNT(Page.page_id)).where(Page.page_namespace.in_(list(namespaces)))
    return query.where((Page.page_is_redirect == 0) & fn.EXISTS(links))


def _active_users(since: str) -> Any:
    table = RecentChanges
    query = table.select(fn.COUNT(table.rc_actor.distinct()))
    query = query.join(Actor, on=(Actor.actor_id == table.rc_actor))
    not_new = table.rc_log_type.is_null() | (table.rc_log_type != "newusers")
    return query.where(
        Actor.actor_user.is_null(False) & (table.rc_bot == 0) & (table.rc_timestamp >= since)
    ).where(not_new)
