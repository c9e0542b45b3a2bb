"""Finding the pages that a request names, and loading their texts."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api import Module
from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi.store import PageRow
from wikiapi.store.queries import pages, texts
from wikiapi.title import Title
from wikiapi.title.contentmodel import default_model
from wikiapi_plugins.editing.parameters import one_of


class CurrentPage(NamedTuple):
    """A page as it is now. ``row`` and ``text`` are ``None`` if it does not exist.

    ``text`` is empty if it is hidden from readers (``is_hidden``).
    """

    title: Title
    row: PageRow | None
    model: str
    text: str | None
    is_hidden: bool = False


def parse_title(module: Module, text: str) -> Title:
    """Return the title that a parameter contains, without a fragment.

    Raises:
        ApiError: ``invalidtitle``, also for titles of other wikis.
    """
    title = module.site.titles.try_parse(text)
    if title is None or title.interwiki or not title.dbkey:
        raise ApiError.of("invalidtitle", "apierror-invalidtitle", Plain(text))
    return title.without_fragment()


def page_of(module: Module, title_param: str, id_param: str) -> Title:
    """Return the title of the page that one of two parameters names. One query for an id.

    Raises:
        ApiError: ``missingparam``, ``invalidparammix``, ``invalidtitle``, ``nosuchpageid``.
    """
    if one_of(module, title_param, id_param) == title_param:
        return parse_title(module, module.p.text(title_param))
    page_id = module.p.number(id_param)
    row = pages.by_ids(module.db, [page_id]).get(page_id) if page_id > 0 else None
    if row is None:
        raise ApiError.of("nosuchpageid", "apierror-nosuchpageid", page_id)
    return module.site.titles.make(row.namespace, row.title)


def current_page(module: Module, title: Title) -> CurrentPage:
    """Return a page with its text. At most two queries."""
    row = pages.by_titles(module.db, [title.key]).get(title.key)
    if row is None:
        return CurrentPage(title, None, default_model(title), None)
    found = texts.current(module.db, [title.key]).get(title.key)
    if found is None:
        return CurrentPage(title, row, row.content_model or default_model(title), None)
    return CurrentPage(title, row, found.model, found.text or "", found.text is None)
