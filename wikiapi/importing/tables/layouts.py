"""The tables that can be loaded, and the conversions from older or redacted layouts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from wikiapi.importing.tables.values import integer, text
from wikiapi.languages.collation import Collation
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Category,
    CategoryLinks,
    ChangeTag,
    ChangeTagDef,
    ExistenceLinks,
    ExternalLinks,
    Image,
    ImageLinks,
    Interwiki,
    IwLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    PageProps,
    PageRestrictions,
    Redirect,
    SiteStats,
    TemplateLinks,
    UserFormerGroups,
    UserGroups,
)
from wikiapi.store.queries.externallinks import split_url
from wikiapi.store.sql.batches import fetch_in
from wikiapi.store.write.ids import Actors, Comments, LinkTargets, Person
from wikiapi.store.write.links import collation_id
from wikiapi.title.namespaces import CATEGORY

Values = tuple[bytes, ...]
Made = Iterable[tuple[Any, ...] | None]
Convert = Callable[[Database, Sequence[Values]], Made]


_UNKNOWN = Person(0, "Unknown user")
_FILE_NAMESPACE = 6


@dataclass(frozen=True, slots=True)
class Conversion:
    """Computes ``outputs``, columns of the store, from ``inputs``, columns of the dump.

    ``convert`` is called with the inputs of many rows, and yields None for a row to leave out. A
    conversion is used if the dump lacks one of the outputs, or in any case if ``always`` is true.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    convert: Convert
    always: bool = False


def _titled(db: Database, rows: Sequence[Values]) -> Made:
    return _targets(db, [(integer(namespace), text(title)) for namespace, title in rows])


def _categories(db: Database, rows: Sequence[Values]) -> Made:
    return _targets(db, [(CATEGORY, text(title)) for (title,) in rows])


def _targets(db: Database, keys: Sequence[tuple[int, str]]) -> Made:
    ids = LinkTargets(db).ids(keys)
    return [(ids[key],) for key in keys]


def _sort_keys(collation: Collation, db: Database, rows: Sequence[Values]) -> Made:
    """Yield sort keys of this wiki's collation, since that of the dump's wiki may be another."""
    members = [(integer(page), text(prefix)) for page, prefix in rows]
    query = Page.select(Page.page_id, Page.page_title)
    titles: dict[int, str] = dict(fetch_in(db, query, Page.page_id, (page for page, _ in members)))
    for page, prefix in members:
        if title := titles.get(page):
            yield (collation.member_key(title.replace("_", " "), prefix),)
        else:
            yield None


def _collation(collation: Collation, db: Database, rows: Sequence[Values]) -> Made:
    return [(collation_id(db, collation.name),)] * len(rows)


def _files(db: Database, rows: Sequence[Values]) -> Made:
    targets = [integer(target) for (target,) in rows]
    query = LinkTarget.select(LinkTarget.lt_id, LinkTarget.lt_title)
    query = query.where(LinkTarget.lt_namespace == _FILE_NAMESPACE)
    names: dict[int, str] = dict(fetch_in(db, query, LinkTarget.lt_id, targets))
    return [(names[number],) if number in names else None for number in targets]


def _external_links(_: Database, rows: Sequence[Values]) -> Made:
    return [split_url(text(url)) for (url,) in rows]


def _uploaders(db: Database, rows: Sequence[Values]) -> Made:
    """Return placeholders, since Wikimedia publishes neither actors nor comments."""
    actor = Actors(db).ids([_UNKNOWN])[_UNKNOWN]
    comment = Comments(db).ids([""])[""]
    return [(actor, comment)] * len(rows)


PAGES = Conversion(("pl_namespace", "pl_title"), ("pl_target_id",), _titled)
TEMPLATES = Conversion(("tl_namespace", "tl_title"), ("tl_target_id",), _titled)
CATEGORIES = Conversion(("cl_to",), ("cl_target_id",), _categories)
FILES = Conversion(("il_target_id",), ("il_to",), _files)
EXTERNAL_LINKS = Conversion(("el_to",), ("el_to_domain_index", "el_to_path"), _external_links)
UPLOADERS = Conversion((), ("img_actor", "img_description_id"), _uploaders, always=True)


@dataclass(frozen=True, slots=True)
class Layout:
    """A table of the store, and how a dump of it is loaded.

    Attributes:
        model: the table.
        dropped: columns of dumps that are ignored.
        conversions: how to compute columns that the dump lacks or has in another form.
        needs: tables that must be loaded before this one.
        empties: tables that refer to rows of this one, emptied with it unless they were loaded.
    """

    model: Any
    dropped: tuple[str, ...] = ()
    conversions: tuple[Conversion, ...] = ()
    needs: tuple[Any, ...] = ()
    empties: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The table's name."""
        return str(self.model._meta.table_name)


_OF_TARGETS = (TemplateLinks, PageLinks, CategoryLinks, ExistenceLinks)

_ALL = (
    Layout(Interwiki),
    Layout(LinkTarget, empties=_OF_TARGETS),
    Layout(Page, ("page_restrictions", "page_counter", "page_no_title_convert")),
    Layout(ChangeTagDef, empties=(ChangeTag,)),
    Layout(SiteStats, ("ss_total_views", "ss_admins")),
    Layout(Category, ("cat_hidden",)),
    Layout(PageProps),
    Layout(PageRestrictions, ("pr_user",)),
    Layout(Redirect),
    Layout(LangLinks),
    Layout(IwLinks),
    Layout(
        ExternalLinks,
        ("el_index", "el_index_60", "el_to"),
        (EXTERNAL_LINKS,),
    ),
    Layout(CategoryLinks, ("cl_collation", "cl_to"), (CATEGORIES,), needs=(Page,)),
    Layout(PageLinks, ("pl_namespace", "pl_title"), (PAGES,)),
    Layout(TemplateLinks, ("tl_namespace", "tl_title"), (TEMPLATES,)),
    Layout(ExistenceLinks),
    Layout(ImageLinks, ("il_target_id",), (FILES,)),
    Layout(UserGroups),
    Layout(UserFormerGroups),
    Layout(ChangeTag, needs=(ChangeTagDef,)),
    Layout(Image, (), (UPLOADERS,)),
)

LAYOUTS: dict[str, Layout] = {layout.name: layout for layout in _ALL}
"""The tables by name, in an order in which all of them can be loaded."""


def sorted_by(layout: Layout, collation: Collation) -> Layout:
    """Return a layout in which the sort keys of categories are made by a collation."""
    if layout.model is not CategoryLinks:
        return layout
    inputs = ("cl_from", "cl_sortkey_prefix")
    keys = Conversion(inputs, ("cl_sortkey",), partial(_sort_keys, collation), always=True)
    names = Conversion((), ("cl_collation_id",), partial(_collation, collation), always=True)
    return replace(layout, conversions=(*layout.conversions, keys, names))
