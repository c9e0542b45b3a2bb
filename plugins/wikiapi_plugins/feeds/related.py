"""Recent changes of the pages that are linked with one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.i18n.message import Message, Plain
from wikiapi.store.models import LinkTarget, Page, PageLinks, RecentChanges

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title


def related_keys(site: Site, name: str, *, to_it: bool) -> Any:
    """The condition that a change is of a page that a page links to, or that links to it.

    Raises:
        ApiError: ``invalidtitle``.
    """
    try:
        title = site.titles.parse(name)
    except InvalidTitle as error:
        raise ApiError(Message("apierror-invalidtitle", (Plain(name),)), "invalidtitle") from error
    return fn.EXISTS(_linking(title) if to_it else _linked(title))


def _linking(title: Title) -> Any:
    return (
        PageLinks.select(PageLinks.pl_from)
        .join_from(PageLinks, LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id))
        .where(
            PageLinks.pl_from == RecentChanges.rc_cur_id,
            LinkTarget.lt_namespace == title.ns,
            LinkTarget.lt_title == title.dbkey,
        )
    )


def _linked(title: Title) -> Any:
    return (
        PageLinks.select(PageLinks.pl_from)
        .join_from(PageLinks, LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id))
        .join_from(PageLinks, Page, on=(Page.page_id == PageLinks.pl_from))
        .where(
            Page.page_namespace == title.ns,
            Page.page_title == title.dbkey,
            LinkTarget.lt_namespace == RecentChanges.rc_namespace,
            LinkTarget.lt_title == RecentChanges.rc_title,
        )
    )
