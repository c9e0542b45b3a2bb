"""Protection of pages and of titles that do not exist, and cascading protection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from wikiapi.expiry import INFINITY
from wikiapi.store.database import Database
from wikiapi.store.models import (
    ImageLinks,
    LinkTarget,
    Page,
    PageRestrictions,
    ProtectedTitles,
    TemplateLinks,
)
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByKeys, ByValues
from wikiapi.title.namespaces import FILE


class Restriction(NamedTuple):
    """A restriction of a page. ``expiry`` is ``infinity`` or 14 digits, and may be in the past.

    ``cascade`` is 0 or 1.
    """

    type: str
    level: str
    expiry: str
    cascade: int


class CascadeSource(NamedTuple):
    """A page whose cascading protection applies to the pages that it transcludes."""

    page_id: int
    namespace: int
    title: str
    type: str
    level: str
    expiry: str
    is_shown: bool = False
    """Whether the page shows the title as a file, instead of transcluding its text."""


class TitleProtection(NamedTuple):
    """The protection of a title from creation; ``level`` is the right required."""

    level: str
    expiry: str


_SOURCE = (
    Page.page_id,
    Page.page_namespace,
    Page.page_title,
    PageRestrictions.pr_type,
    PageRestrictions.pr_level,
    PageRestrictions.pr_expiry,
)


_RESTRICTIONS = ByValues(
    PageRestrictions.select(
        PageRestrictions.pr_page,
        PageRestrictions.pr_type,
        PageRestrictions.pr_level,
        PageRestrictions.pr_expiry,
        PageRestrictions.pr_cascade,
    ).order_by(PageRestrictions.pr_id),
    PageRestrictions.pr_page,
)

_TITLES = ByKeys(
    ProtectedTitles.select(
        ProtectedTitles.pt_namespace,
        ProtectedTitles.pt_title,
        ProtectedTitles.pt_create_perm,
        ProtectedTitles.pt_expiry,
    ),
    ProtectedTitles.pt_namespace,
    ProtectedTitles.pt_title,
)

_BY_TEMPLATES = ByKeys(
    LinkTarget.select(LinkTarget.lt_namespace, LinkTarget.lt_title, *_SOURCE)
    .join(TemplateLinks, on=(TemplateLinks.tl_target_id == LinkTarget.lt_id))
    .join(PageRestrictions, on=(PageRestrictions.pr_page == TemplateLinks.tl_from))
    .join(Page, on=(Page.page_id == TemplateLinks.tl_from))
    .where(PageRestrictions.pr_cascade == 1),
    LinkTarget.lt_namespace,
    LinkTarget.lt_title,
)

_BY_IMAGES = ByValues(
    ImageLinks.select(ImageLinks.il_from_namespace, ImageLinks.il_to, *_SOURCE)
    .join(PageRestrictions, on=(PageRestrictions.pr_page == ImageLinks.il_from))
    .join(Page, on=(Page.page_id == ImageLinks.il_from))
    .where(PageRestrictions.pr_cascade == 1),
    ImageLinks.il_to,
)


def of_pages(db: Database, page_ids: Iterable[int]) -> dict[int, list[Restriction]]:
    """Return the restrictions of the pages that have any, in order of their ids. One query."""
    restrictions: dict[int, list[Restriction]] = {}
    for page_id, kind, level, expiry, cascade in _RESTRICTIONS.rows(db, page_ids):
        row = Restriction(kind, level, expiry or INFINITY, cascade)
        restrictions.setdefault(page_id, []).append(row)
    return restrictions


def of_titles(db: Database, keys: Iterable[Key]) -> dict[Key, TitleProtection]:
    """Return the protection of titles that do not exist. One query."""
    rows = _TITLES.rows(db, keys)
    return {(row[0], row[1]): TitleProtection(row[2], row[3] or INFINITY) for row in rows}


def cascade_sources(db: Database, keys: Iterable[Key]) -> dict[Key, list[CascadeSource]]:
    """Return the pages whose cascading protection applies to each of the titles.

    It applies to what a page transcludes and to the files that it shows. One query, two if there
    are files.
    """
    titles = list(keys)
    sources: dict[Key, list[CascadeSource]] = {}
    for row in _BY_TEMPLATES.rows(db, titles):
        sources.setdefault((row[0], row[1]), []).append(_source(row))
    names = [title for namespace, title in titles if namespace == FILE]
    for row in _BY_IMAGES.rows(db, names):
        sources.setdefault((FILE, row[1]), []).append(_source(row)._replace(is_shown=True))
    return sources


def _source(row: tuple[Any, ...]) -> CascadeSource:
    page_id, namespace, title, kind, level, expiry = row[2:8]
    return CascadeSource(page_id, namespace, title, kind, level, expiry or INFINITY)
