"""The maintenance reports about pages: those that count something, and those that only list.

A report is one query, which ``list=querypage`` and a special page of MediaWiki show. Numbers are
strings in the answers, because MediaWiki's SQLite layer returns them as strings.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any

from peewee import JOIN, SQL, Value, fn

from wikiapi.api import Namespaces, QueryPage
from wikiapi.store.models import (
    Category,
    CategoryLinks,
    ImageLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    PageProps,
    Revision,
    TemplateLinks,
    Watchlist,
)
from wikiapi.title import CATEGORY, FILE, MEDIAWIKI, TEMPLATE, USER, USER_TALK

_PAGE = (Page.page_namespace, Page.page_title)
_TARGET = (LinkTarget.lt_namespace, LinkTarget.lt_title)
_NUMBER = fn.COUNT(SQL("*"))
_EXISTING = (Page.page_namespace == LinkTarget.lt_namespace) & (
    Page.page_title == LinkTarget.lt_title
)


def all_of(*conditions: Any) -> Any:
    """Return the conjunction of the conditions."""
    return reduce(and_, conditions)


def _no_redirects(namespaces: Namespaces) -> Any:
    """Return the condition that a page is in one of the namespaces and is no redirect."""
    return Page.page_namespace.in_(namespaces) & (Page.page_is_redirect == 0)


def _counted(query: Any, *keys: Any, ascending: bool = False) -> Any:
    """Return the query grouped by the keys, in descending order of the number of rows."""
    order = _NUMBER if ascending else _NUMBER.desc()
    return query.group_by(*keys).order_by(order, *keys)


def _rows_of_pages(model: Any, source: Any) -> Any:
    """Return the query for the number of rows in a table about each page, if more than one."""

    def query(content: Namespaces) -> Any:
        joined = Page.select(*_PAGE, _NUMBER).join(model, on=(source == Page.page_id))
        articles = joined.where(Page.page_namespace.in_(content))
        return _counted(articles, *_PAGE).having(_NUMBER > 1)

    return query


def _revisions(*, ascending: bool) -> Any:
    def query(content: Namespaces) -> Any:
        joined = Page.select(*_PAGE, _NUMBER).join(Revision, on=(Revision.rev_page == Page.page_id))
        articles = joined.where(_no_redirects(content))
        return _counted(articles, *_PAGE, ascending=ascending)

    return query


def _linked(_: Namespaces) -> Any:
    joined = LinkTarget.select(*_TARGET, _NUMBER).join(
        PageLinks, on=(PageLinks.pl_target_id == LinkTarget.lt_id)
    )
    return _counted(joined, *_TARGET).having(_NUMBER > 1)


def _transcluded(_: Namespaces) -> Any:
    joined = LinkTarget.select(*_TARGET, _NUMBER).join(
        TemplateLinks, on=(TemplateLinks.tl_target_id == LinkTarget.lt_id)
    )
    return _counted(joined, *_TARGET)


def _categories(_: Namespaces) -> Any:
    query = Category.select(SQL(str(CATEGORY)), Category.cat_title, Category.cat_pages)
    counted = query.where(Category.cat_pages > 0)
    return counted.order_by(Category.cat_pages.desc(), Category.cat_id.desc())


def _used_files(_: Namespaces) -> Any:
    query = ImageLinks.select(SQL(str(FILE)), ImageLinks.il_to, _NUMBER)
    return _counted(query, ImageLinks.il_to).having(_NUMBER > 1)


def _wanted(model: Any, target: Any, namespace: int) -> Any:
    """Return the query for link targets in a namespace that do not exist."""

    def query(_: Namespaces) -> Any:
        joined = (
            LinkTarget.select(*_TARGET, _NUMBER)
            .join_from(LinkTarget, model, on=(target == LinkTarget.lt_id))
            .join_from(LinkTarget, Page, JOIN.LEFT_OUTER, on=_EXISTING)
        )
        missing = all_of(LinkTarget.lt_namespace == namespace, Page.page_id.is_null())
        return _counted(joined.where(missing), *_TARGET)

    return query


def _wanted_pages(_: Namespaces) -> Any:
    source = Page.alias()
    joined = (
        LinkTarget.select(*_TARGET, _NUMBER)
        .join_from(LinkTarget, PageLinks, on=(PageLinks.pl_target_id == LinkTarget.lt_id))
        .join_from(LinkTarget, Page, JOIN.LEFT_OUTER, on=_EXISTING)
        .join_from(PageLinks, source, JOIN.LEFT_OUTER, on=(source.page_id == PageLinks.pl_from))
    )
    missing = all_of(
        Page.page_namespace.is_null(),
        LinkTarget.lt_namespace.not_in([USER, USER_TALK]),
        source.page_namespace != MEDIAWIKI,
    )
    # A page to which only redirects link is not wanted.
    more = fn.SUM(source.page_is_redirect) < _NUMBER
    return _counted(joined.where(missing), *_TARGET).having(more)


COUNTS = (
    QueryPage("Fewestrevisions", _revisions(ascending=True), has_value=True),
    QueryPage(
        "Mostlinkedcategories", _categories, has_value=True, is_descending=True, is_expensive=False
    ),
    *(
        QueryPage(name, query, has_value=True, is_descending=True)
        for name, query in (
            ("Mostcategories", _rows_of_pages(CategoryLinks, CategoryLinks.cl_from)),
            ("Mostimages", _used_files),
            ("Mostinterwikis", _rows_of_pages(LangLinks, LangLinks.ll_from)),
            ("Mostlinked", _linked),
            ("Mostlinkedtemplates", _transcluded),
            ("Mostrevisions", _revisions(ascending=False)),
            ("Wantedcategories", _wanted(CategoryLinks, CategoryLinks.cl_target_id, CATEGORY)),
            ("Wantedpages", _wanted_pages),
            ("Wantedtemplates", _wanted(TemplateLinks, TemplateLinks.tl_target_id, TEMPLATE)),
        )
    ),
)


def _ancient(content: Namespaces) -> Any:
    query = Page.select(*_PAGE, Revision.rev_timestamp)
    joined = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    articles = joined.where(_no_redirects(content))
    return articles.order_by(Revision.rev_timestamp, Page.page_len, Page.page_id)


def _short(content: Namespaces) -> Any:
    query = Page.select(*_PAGE, Page.page_len).where(_no_redirects(content))
    return query.order_by(Page.page_len, Page.page_id)


def _long(content: Namespaces) -> Any:
    query = Page.select(*_PAGE, Page.page_len).where(_no_redirects(content))
    return query.order_by(Page.page_len.desc(), Page.page_id.desc())


def _lacking(model: Any, column: Any, namespaces: Namespaces) -> Any:
    """Return the query for pages without a row in a table."""
    query = Page.select(*_PAGE).join(model, JOIN.LEFT_OUTER, on=(column == Page.page_id))
    return query.where(_no_redirects(namespaces), column.is_null()).order_by(*_PAGE)


def _dead_end(content: Namespaces) -> Any:
    return _lacking(PageLinks, PageLinks.pl_from, content)


def _uncategorised(*namespaces: int) -> Any:
    def query(content: Namespaces) -> Any:
        chosen = namespaces or content
        return _lacking(CategoryLinks, CategoryLinks.cl_from, chosen)

    return query


def _without_languages(content: Namespaces) -> Any:
    return _lacking(LangLinks, LangLinks.ll_from, content)


def _with_target(*columns: Any) -> Any:
    here = (LinkTarget.lt_namespace == Page.page_namespace) & (
        LinkTarget.lt_title == Page.page_title
    )
    return Page.select(*columns).join(LinkTarget, JOIN.LEFT_OUTER, on=here)


def _lonely(content: Namespaces) -> Any:
    # Each kind of link is looked for by itself: in older layouts, both tables name their targets.
    here = (LinkTarget.lt_namespace == Page.page_namespace) & (
        LinkTarget.lt_title == Page.page_title
    )
    linked = (
        PageLinks.select(Value(1))
        .join(LinkTarget, on=(PageLinks.pl_target_id == LinkTarget.lt_id))
        .where(here)
    )
    used = (
        TemplateLinks.select(Value(1))
        .join(LinkTarget, on=(TemplateLinks.tl_target_id == LinkTarget.lt_id))
        .where(here)
    )
    alone = all_of(~fn.EXISTS(linked), ~fn.EXISTS(used))
    return Page.select(*_PAGE).where(_no_redirects(content), alone).order_by(*_PAGE)


def _unused(namespace: int, model: Any, target: Any, source: Any, switch: str) -> Any:
    """Return the query for pages that nothing uses, except those marked as meant to be unused."""

    def query(_: Namespaces) -> Any:
        expected = (PageProps.pp_page == Page.page_id) & (PageProps.pp_propname == switch)
        joined = (
            _with_target(*_PAGE)
            .join_from(LinkTarget, model, JOIN.LEFT_OUTER, on=(target == LinkTarget.lt_id))
            .join_from(Page, PageProps, JOIN.LEFT_OUTER, on=expected)
        )
        unused = all_of(source.is_null(), PageProps.pp_page.is_null())
        return joined.where(_no_redirects((namespace,)), unused).order_by(*_PAGE)

    return query


def _unwatched(_: Namespaces) -> Any:
    same = (Watchlist.wl_namespace == Page.page_namespace) & (Watchlist.wl_title == Page.page_title)
    query = Page.select(*_PAGE).join(Watchlist, JOIN.LEFT_OUTER, on=same)
    kinds = (Page.page_is_redirect == 0) & (Page.page_namespace != MEDIAWIKI)
    return query.where(kinds, Watchlist.wl_id.is_null()).order_by(*_PAGE)


PAGE_LISTS = (
    QueryPage("Ancientpages", _ancient, has_value=True, is_timestamp=True),
    QueryPage("Deadendpages", _dead_end),
    QueryPage("Lonelypages", _lonely),
    QueryPage("Longpages", _long, has_value=True, is_descending=True, is_expensive=False),
    QueryPage("Shortpages", _short, has_value=True, is_expensive=False),
    QueryPage("Uncategorizedcategories", _uncategorised(CATEGORY)),
    QueryPage("Uncategorizedimages", _uncategorised(FILE)),
    QueryPage("Uncategorizedpages", _uncategorised()),
    QueryPage("Uncategorizedtemplates", _uncategorised(TEMPLATE)),
    QueryPage(
        "Unusedcategories",
        _unused(
            CATEGORY,
            CategoryLinks,
            CategoryLinks.cl_target_id,
            CategoryLinks.cl_from,
            "expectunusedcategory",
        ),
    ),
    QueryPage(
        "Unusedtemplates",
        _unused(
            TEMPLATE,
            TemplateLinks,
            TemplateLinks.tl_target_id,
            TemplateLinks.tl_from,
            "expectunusedtemplate",
        ),
    ),
    QueryPage("Unwatchedpages", _unwatched, right="unwatchedpages"),
    QueryPage("Withoutinterwiki", _without_languages),
)
