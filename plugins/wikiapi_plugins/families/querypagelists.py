"""The special pages that list pages for what they have not, or for their age or length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import JOIN

from wikiapi.store.models import (
    CategoryLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    PageProps,
    Revision,
    TemplateLinks,
    Watchlist,
)
from wikiapi.title.namespaces import CATEGORY, FILE, MEDIAWIKI, TEMPLATE
from wikiapi_plugins.families.querypage import QueryPage, all_of, no_redirects

if TYPE_CHECKING:
    from wikiapi_plugins.families.querypage import Namespaces

_TITLE = (Page.page_namespace, Page.page_title)


def _ancient(content: Namespaces) -> Any:
    query = Page.select(*_TITLE, Revision.rev_timestamp)
    joined = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    articles = joined.where(no_redirects(content))
    return articles.order_by(Revision.rev_timestamp, Page.page_len, Page.page_id)


def _short(content: Namespaces) -> Any:
    query = Page.select(*_TITLE, Page.page_len).where(no_redirects(content))
    return query.order_by(Page.page_len, Page.page_id)


def _long(content: Namespaces) -> Any:
    query = Page.select(*_TITLE, Page.page_len).where(no_redirects(content))
    return query.order_by(Page.page_len.desc(), Page.page_id.desc())


def _lacking(model: Any, column: Any, namespaces: Namespaces) -> Any:
    """Pages without a row of a table that names them by id."""
    query = Page.select(*_TITLE).join(model, JOIN.LEFT_OUTER, on=(column == Page.page_id))
    return query.where(no_redirects(namespaces), column.is_null()).order_by(*_TITLE)


def _dead_end(content: Namespaces) -> Any:
    return _lacking(PageLinks, PageLinks.pl_from, content)


def _uncategorised(*namespaces: int) -> Any:
    def query(content: Namespaces) -> Any:
        wanted = namespaces or content
        return _lacking(CategoryLinks, CategoryLinks.cl_from, wanted)

    return query


def _without_languages(content: Namespaces) -> Any:
    return _lacking(LangLinks, LangLinks.ll_from, content)


def _with_target(*columns: Any) -> Any:
    here = (LinkTarget.lt_namespace == Page.page_namespace) & (
        LinkTarget.lt_title == Page.page_title
    )
    return Page.select(*columns).join(LinkTarget, JOIN.LEFT_OUTER, on=here)


def _lonely(content: Namespaces) -> Any:
    query = (
        _with_target(*_TITLE)
        .join_from(
            LinkTarget, PageLinks, JOIN.LEFT_OUTER, on=(PageLinks.pl_target_id == LinkTarget.lt_id)
        )
        .join_from(
            LinkTarget,
            TemplateLinks,
            JOIN.LEFT_OUTER,
            on=(TemplateLinks.tl_target_id == LinkTarget.lt_id),
        )
    )
    alone = all_of(PageLinks.pl_from.is_null(), TemplateLinks.tl_from.is_null())
    return query.where(no_redirects(content), alone).order_by(*_TITLE)


def _unused(namespace: int, model: Any, target: Any, source: Any, switch: str) -> Any:
    """Pages that nothing uses, unless they say themselves that this is as it should be."""

    def query(_: Namespaces) -> Any:
        expected = (PageProps.pp_page == Page.page_id) & (PageProps.pp_propname == switch)
        joined = (
            _with_target(*_TITLE)
            .join_from(LinkTarget, model, JOIN.LEFT_OUTER, on=(target == LinkTarget.lt_id))
            .join_from(Page, PageProps, JOIN.LEFT_OUTER, on=expected)
        )
        unused = all_of(source.is_null(), PageProps.pp_page.is_null())
        return joined.where(no_redirects((namespace,)), unused).order_by(*_TITLE)

    return query


def _unwatched(_: Namespaces) -> Any:
    same = (Watchlist.wl_namespace == Page.page_namespace) & (Watchlist.wl_title == Page.page_title)
    query = Page.select(*_TITLE).join(Watchlist, JOIN.LEFT_OUTER, on=same)
    kinds = (Page.page_is_redirect == 0) & (Page.page_namespace != MEDIAWIKI)
    return query.where(kinds, Watchlist.wl_id.is_null()).order_by(*_TITLE)


PAGE_LISTS = (
    QueryPage("Ancientpages", _ancient, has_value=True, is_moment=True),
    QueryPage("Deadendpages", _dead_end),
    QueryPage("Lonelypages", _lonely),
    QueryPage("Longpages", _long, has_value=True),
    QueryPage("Shortpages", _short, has_value=True),
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
