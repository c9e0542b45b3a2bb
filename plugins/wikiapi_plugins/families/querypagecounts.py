"""The special pages that count: what is linked most, what has the most of something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import JOIN, SQL, fn

from wikiapi.store.models import (
    Category,
    CategoryLinks,
    ImageLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    Revision,
    TemplateLinks,
)
from wikiapi.title.namespaces import CATEGORY, FILE, MEDIAWIKI, TEMPLATE, USER, USER_TALK
from wikiapi_plugins.families.querypage import QueryPage, all_of, no_redirects

if TYPE_CHECKING:
    from wikiapi_plugins.families.querypage import Namespaces

_PAGE = (Page.page_namespace, Page.page_title)
_TARGET = (LinkTarget.lt_namespace, LinkTarget.lt_title)
_NUMBER = fn.COUNT(SQL("*"))
_EXISTING = (Page.page_namespace == LinkTarget.lt_namespace) & (
    Page.page_title == LinkTarget.lt_title
)


def _counted(query: Any, *keys: Any, ascending: bool = False) -> Any:
    """Grouped, the largest number first; equal ones by the keys."""
    order = _NUMBER if ascending else _NUMBER.desc()
    return query.group_by(*keys).order_by(order, *keys)


def _rows_of_pages(model: Any, source: Any) -> Any:
    """How often a table names each page by id, where it does more than once."""

    def query(content: Namespaces) -> Any:
        joined = Page.select(*_PAGE, _NUMBER).join(model, on=(source == Page.page_id))
        articles = joined.where(Page.page_namespace.in_(content))
        return _counted(articles, *_PAGE).having(_NUMBER > 1)

    return query


def _revisions(*, ascending: bool) -> Any:
    def query(content: Namespaces) -> Any:
        joined = Page.select(*_PAGE, _NUMBER).join(Revision, on=(Revision.rev_page == Page.page_id))
        articles = joined.where(no_redirects(content))
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


def _shown_files(_: Namespaces) -> Any:
    query = ImageLinks.select(SQL(str(FILE)), ImageLinks.il_to, _NUMBER)
    return _counted(query, ImageLinks.il_to).having(_NUMBER > 1)


def _wanted(model: Any, target: Any, namespace: int) -> Any:
    """Titles of a namespace that a table names and that are no pages."""

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
    # Links from redirects alone make nobody want a page.
    more = fn.SUM(source.page_is_redirect) < _NUMBER
    return _counted(joined.where(missing), *_TARGET).having(more)


COUNTS = tuple(
    QueryPage(name, query, has_value=True)
    for name, query in (
        ("Fewestrevisions", _revisions(ascending=True)),
        ("Mostcategories", _rows_of_pages(CategoryLinks, CategoryLinks.cl_from)),
        ("Mostimages", _shown_files),
        ("Mostinterwikis", _rows_of_pages(LangLinks, LangLinks.ll_from)),
        ("Mostlinked", _linked),
        ("Mostlinkedcategories", _categories),
        ("Mostlinkedtemplates", _transcluded),
        ("Mostrevisions", _revisions(ascending=False)),
        ("Wantedcategories", _wanted(CategoryLinks, CategoryLinks.cl_target_id, CATEGORY)),
        ("Wantedpages", _wanted_pages),
        ("Wantedtemplates", _wanted(TemplateLinks, TemplateLinks.tl_target_id, TEMPLATE)),
    )
)
