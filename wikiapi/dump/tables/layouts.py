"""The tables that can be loaded, and what older or private layouts of them have otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikiapi.dump.tables import conversions as convert
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

if TYPE_CHECKING:
    from wikiapi.dump.tables.conversions import Conversion


@dataclass(frozen=True, slots=True)
class Layout:
    """A table of the store's.

    ``dropped`` are columns of dumps that are passed over. A conversion takes the place of columns
    that the dump lacks; one that is ``always`` done, of those that it has as well. ``needs`` are
    the tables that must have been loaded before, ``empties`` those that name rows of this one.
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
        (convert.EXTERNAL_LINKS,),
    ),
    Layout(
        CategoryLinks,
        ("cl_collation", "cl_to"),
        (convert.CATEGORIES, convert.SORT_KEYS, convert.COLLATION),
        needs=(Page,),
    ),
    Layout(PageLinks, ("pl_namespace", "pl_title"), (convert.PAGES,)),
    Layout(TemplateLinks, ("tl_namespace", "tl_title"), (convert.TEMPLATES,)),
    Layout(ExistenceLinks),
    Layout(ImageLinks, ("il_target_id",), (convert.FILES,)),
    Layout(UserGroups),
    Layout(UserFormerGroups),
    Layout(ChangeTag, needs=(ChangeTagDef,)),
    Layout(Image, (), (convert.UPLOADERS,)),
)

LAYOUTS: dict[str, Layout] = {layout.name: layout for layout in _ALL}
"""By name, in an order in which all of them can be loaded."""
