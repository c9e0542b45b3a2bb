"""What is missing for pages to look as on the original wiki: extensions, files, templates, Lua."""

from __future__ import annotations

import importlib.util
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from peewee import JOIN, fn

from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Content,
    ContentModels,
    Image,
    ImageLinks,
    LinkTarget,
    Page,
    PageProps,
    TemplateLinks,
)
from wikiapi.title import MODULE
from wikiapi.wikitext.unknown import PROPERTY, extension_of, unknown_names

_MAX_VALUES = 10_000
_PAGES_AT_ONCE = 20
_LUA_MODEL = "Scribunto"


class UnknownName(NamedTuple):
    """An unknown tag or parser function as it is written, ``<tabber>`` or ``{{#vardefine:}}``.

    ``pages`` is the number of pages that use it, ``extension`` the extension that usually provides
    it, or empty if none is known.
    """

    name: str
    pages: int
    extension: str


class Sample(NamedTuple):
    """The unknown names found in the first ``parsed`` of a store's ``pages``."""

    names: list[UnknownName]
    parsed: int
    pages: int


class Missing(NamedTuple):
    """The ``total`` number of pages or files that pages use, and how many are not in the store."""

    missing: int
    total: int


def recorded_names(db: Database) -> list[UnknownName]:
    """Return the unknown names recorded when links were derived, the most frequent first."""
    values = (
        PageProps.select(PageProps.pp_value, fn.COUNT(PageProps.pp_page))
        .where(PageProps.pp_propname == PROPERTY)
        .group_by(PageProps.pp_value)
        .limit(_MAX_VALUES)
    )
    return _count_names((str(value), count) for value, count in db.execute(values))


def sample_names(site: Site, seconds: float, clock: Callable[[], float] = time.monotonic) -> Sample:
    """Parse pages for some seconds, and return the unknown names in them; nothing is written.

    This is for the databases of a MediaWiki, where no names have been recorded.
    """
    end = clock() + seconds
    deriver, values, parsed, last = LinkDeriver(site), Counter[str](), 0, 0
    pages = Page.select(Page.page_id, Page.page_namespace, Page.page_title)
    pages = pages.order_by(Page.page_id).limit(_PAGES_AT_ONCE)
    while clock() < end and (rows := list(site.db.execute(pages.where(Page.page_id > last)))):
        for links in deriver.derive([(namespace, title) for _, namespace, title in rows]):
            if value := links.properties.get(PROPERTY):
                values[value] += 1
        parsed += len(rows)
        last = rows[-1][0]
    total = int(site.db.scalar(Page.select(fn.COUNT(Page.page_id))))
    return Sample(_count_names(values.items()), parsed, total)


def missing_files(db: Database) -> Missing:
    """Return how many files are shown and missing; those of other wikis count as missing."""
    name = fn.COUNT(ImageLinks.il_to.distinct())
    total = int(db.scalar(ImageLinks.select(name)))
    stored = ImageLinks.select(name).join(Image, on=(Image.img_name == ImageLinks.il_to))
    return Missing(total - int(db.scalar(stored)), total)


def missing_templates(db: Database) -> Missing:
    """Return how many templates and modules pages call, and how many of these do not exist.

    The documentation that the page of a module would show does not count if it does not exist.
    """
    name = fn.COUNT(TemplateLinks.tl_target_id.distinct())
    total = int(db.scalar(TemplateLinks.select(name)))
    stored = (
        TemplateLinks.select(name)
        .join(LinkTarget, on=(LinkTarget.lt_id == TemplateLinks.tl_target_id))
        .join(
            Page,
            on=(Page.page_namespace == LinkTarget.lt_namespace)
            & (Page.page_title == LinkTarget.lt_title),
        )
    )
    caller, target = Page.alias(), Page.alias()
    other_calls = (
        TemplateLinks.select()
        .join(caller, on=(caller.page_id == TemplateLinks.tl_from))
        .where(
            TemplateLinks.tl_target_id == LinkTarget.lt_id,
            caller.page_namespace != MODULE,
        )
    )
    documentation = (
        Page.select(fn.COUNT(LinkTarget.lt_id.distinct()))
        .join(TemplateLinks, on=(TemplateLinks.tl_from == Page.page_id))
        .join(LinkTarget, on=(LinkTarget.lt_id == TemplateLinks.tl_target_id))
        .join(
            target,
            JOIN.LEFT_OUTER,
            on=(target.page_namespace == LinkTarget.lt_namespace)
            & (target.page_title == LinkTarget.lt_title),
        )
        .where(
            Page.page_namespace == MODULE,
            LinkTarget.lt_namespace == MODULE,
            target.page_id.is_null(),
            ~fn.EXISTS(other_calls),
        )
    )
    total -= int(db.scalar(documentation))
    return Missing(total - int(db.scalar(stored)), total)


def lua_modules(db: Database) -> int:
    """Return the number of stored contents that are Lua modules."""
    query = Content.select(fn.COUNT(Content.content_id)).join(
        ContentModels, on=(ContentModels.model_id == Content.content_model)
    )
    return int(db.scalar(query.where(ContentModels.model_name == _LUA_MODEL)))


def runs_lua() -> bool:
    """Return whether the library that runs Lua is installed."""
    return importlib.util.find_spec("lupa") is not None


def _count_names(values: Iterable[tuple[str, int]]) -> list[UnknownName]:
    pages = Counter[str]()
    for value, count in values:
        for name in unknown_names(value):
            pages[name] += count
    names = [UnknownName(name, count, extension_of(name)) for name, count in pages.items()]
    return sorted(names, key=lambda unknown: (-unknown.pages, unknown.name))
