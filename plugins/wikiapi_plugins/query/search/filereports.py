"""The maintenance reports about files, and those about redirects."""

from __future__ import annotations

from typing import Any

from peewee import JOIN, SQL, fn

from wikiapi.api import Namespaces, QueryPage
from wikiapi.store import Row
from wikiapi.store.models import Image, ImageLinks, Page, Redirect
from wikiapi.title import FILE, MEDIA
from wikiapi_plugins.query.search.pagereports import all_of

_NUMBER = fn.COUNT(SQL("*"))
_TARGET = (Redirect.rd_namespace, Redirect.rd_title, Redirect.rd_fragment)
_TARGET_NAMES = ("rd_namespace", "rd_title", "rd_fragment")


def _duplicated(_: Namespaces) -> Any:
    name = fn.MIN(Image.img_name)
    query = Image.select(SQL(str(FILE)), name, _NUMBER).group_by(Image.img_sha1)
    return query.having(_NUMBER > 1).order_by(_NUMBER.desc(), Image.img_sha1)


def _media(_: Namespaces) -> Any:
    kinds = (Image.img_media_type, Image.img_major_mime, Image.img_minor_mime)
    query = Image.select(SQL(str(MEDIA)), *kinds, _NUMBER, fn.SUM(Image.img_size))
    query = query.group_by(*kinds)
    return query.order_by(kinds[0].desc(), _NUMBER.desc(), kinds[1].desc(), kinds[2].desc())


def _read_media(row: Row) -> Row:
    """Return a type of files in place of a title: ``BITMAP;image/png;number;bytes``."""
    namespace, kind, major, minor, number, size = row
    return namespace, f"{kind};{major}/{minor};{number};{size}", 1


def _unused_files(_: Namespaces) -> Any:
    query = Image.select(SQL(str(FILE)), Image.img_name, Image.img_timestamp)
    joined = query.join(ImageLinks, JOIN.LEFT_OUTER, on=(ImageLinks.il_to == Image.img_name))
    unused = joined.where(ImageLinks.il_from.is_null())
    return unused.order_by(Image.img_timestamp)


def _wanted_files(_: Namespaces) -> Any:
    """Return the query for names that pages show and that are no files or redirects to files."""
    other = Image.alias()
    page = (Page.page_namespace == FILE) & (Page.page_title == ImageLinks.il_to)
    redirect = all_of(
        Redirect.rd_from == Page.page_id,
        Redirect.rd_namespace == FILE,
        Redirect.rd_interwiki == "",
    )
    query = (
        ImageLinks.select(SQL(str(FILE)), ImageLinks.il_to, _NUMBER)
        .join_from(ImageLinks, Image, JOIN.LEFT_OUTER, on=(Image.img_name == ImageLinks.il_to))
        .join_from(ImageLinks, Page, JOIN.LEFT_OUTER, on=page)
        .join_from(Page, Redirect, JOIN.LEFT_OUTER, on=redirect)
        .join_from(Redirect, other, JOIN.LEFT_OUTER, on=(other.img_name == Redirect.rd_title))
    )
    missing = all_of(Image.img_name.is_null(), other.img_name.is_null())
    grouped = query.where(missing).group_by(ImageLinks.il_to)
    return grouped.order_by(_NUMBER.desc(), ImageLinks.il_to)


def _broken(_: Namespaces) -> Any:
    target = Page.alias()
    existing = all_of(
        target.page_namespace == Redirect.rd_namespace, target.page_title == Redirect.rd_title
    )
    query = (
        Redirect.select(Page.page_namespace, Page.page_title, *_TARGET)
        .join_from(Redirect, Page, on=(Page.page_id == Redirect.rd_from))
        .join_from(Redirect, target, JOIN.LEFT_OUTER, on=existing)
    )
    here = (Redirect.rd_interwiki == "") | Redirect.rd_interwiki.is_null()
    broken = all_of(Redirect.rd_namespace >= 0, target.page_namespace.is_null(), here)
    return query.where(broken).order_by(*_TARGET[:2], Redirect.rd_from)


def _double(_: Namespaces) -> Any:
    second, middle = Redirect.alias(), Page.alias()
    same = all_of(
        middle.page_namespace == Redirect.rd_namespace, middle.page_title == Redirect.rd_title
    )
    columns = (
        middle.page_namespace,
        middle.page_title,
        Redirect.rd_fragment,
        second.rd_namespace,
        second.rd_title,
        second.rd_fragment,
        second.rd_interwiki,
    )
    query = (
        Redirect.select(Page.page_namespace, Page.page_title, *columns)
        .join_from(Redirect, Page, on=(Page.page_id == Redirect.rd_from))
        .join_from(Redirect, middle, on=same)
        .join_from(middle, second, on=(second.rd_from == middle.page_id))
    )
    here = (Redirect.rd_interwiki == "") | Redirect.rd_interwiki.is_null()
    return query.where(here).order_by(*_TARGET[:2], Redirect.rd_from)


def _redirects(_: Namespaces) -> Any:
    columns = (*_TARGET, Redirect.rd_interwiki)
    query = Page.select(Page.page_namespace, Page.page_title, *columns).join_from(
        Page, Redirect, JOIN.LEFT_OUTER, on=(Redirect.rd_from == Page.page_id)
    )
    listed = query.where(Page.page_is_redirect == 1)
    return listed.order_by(Page.page_namespace, Page.page_title)


MEDIA_STATISTICS = QueryPage("MediaStatistics", _media, has_value=True, read=_read_media)
"""The number and the bytes of files, by type."""

FILES_AND_REDIRECTS = (
    QueryPage("BrokenRedirects", _broken, more=_TARGET_NAMES),
    QueryPage(
        "DoubleRedirects",
        _double,
        more=(
            "b_namespace",
            "b_title",
            "b_fragment",
            "c_namespace",
            "c_title",
            "c_fragment",
            "c_interwiki",
        ),
    ),
    QueryPage("ListDuplicatedFiles", _duplicated, has_value=True, is_descending=True),
    QueryPage("Listredirects", _redirects, more=(*_TARGET_NAMES, "rd_interwiki")),
    MEDIA_STATISTICS,
    QueryPage("Unusedimages", _unused_files, has_value=True, is_timestamp=True),
    QueryPage("Wantedfiles", _wanted_files, has_value=True, is_descending=True),
)
