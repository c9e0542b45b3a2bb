"""The pages that parameters of a request name, with their texts."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api.module import Module
from wikiapi.api.params.declaration import Param, integer, string
from wikiapi.api.writeparams import at_most_one_of, one_of
from wikiapi.errors import ApiError
from wikiapi.languages.message import Plain, plain_list
from wikiapi.site import Site
from wikiapi.store import Database, PageRow
from wikiapi.store.queries import pages, texts
from wikiapi.title import Title
from wikiapi.title.contentmodel import default_model


class CurrentPage(NamedTuple):
    """A page as it is now. ``row`` and ``text`` are ``None`` if it does not exist.

    ``text`` is empty if it is hidden from readers (``is_hidden``).
    """

    title: Title
    row: PageRow | None
    model: str
    text: str | None
    is_hidden: bool = False


def invalid_title(text: str) -> ApiError:
    """Return the error for a text that is not a valid title, or not one that can be used."""
    return ApiError("invalidtitle", "apierror-invalidtitle", Plain(text))


def valid_title(site: Site, text: str, *, interwiki: bool = False) -> Title:
    """Return the title in a text.

    Args:
        site: the wiki.
        text: the text.
        interwiki: whether it may be a title of another wiki.

    Raises:
        ApiError: ``invalidtitle``.
    """
    title = site.titles.try_parse(text)
    if title is None or (title.interwiki and not interwiki):
        raise invalid_title(text)
    return title


def parse_title(module: Module, text: str) -> Title:
    """Return the title that a parameter contains, without a fragment.

    Raises:
        ApiError: ``invalidtitle``, also for titles of other wikis.
    """
    title = valid_title(module.site, text)
    if not title.dbkey:
        raise invalid_title(text)
    return title.without_fragment()


def storable_title(site: Site, text: str) -> Title:
    """Return a title under which a page of the wiki can be stored.

    Raises:
        ApiError: ``invalidtitle`` or ``pagecannotexist``.
    """
    title = valid_title(site, text)
    if title.namespace.is_virtual or not title.dbkey:
        raise ApiError("pagecannotexist", "apierror-pagecannotexist")
    return title


def page_of_id(db: Database, page_id: int) -> PageRow:
    """Return the page with an id. One query.

    Raises:
        ApiError: ``nosuchpageid``.
    """
    row = pages.by_ids(db, [page_id]).get(page_id) if page_id > 0 else None
    if row is None:
        raise ApiError("nosuchpageid", "apierror-nosuchpageid", page_id)
    return row


def named_page(module: Module, title_param: str, id_param: str) -> Title:
    """Return the title of the page that one of two parameters names. One query for an id.

    Raises:
        ApiError: ``missingparam``, ``invalidparammix``, ``invalidtitle``, ``nosuchpageid``.
    """
    if one_of(module, title_param, id_param) == title_param:
        return parse_title(module, module.p.text(title_param))
    row = page_of_id(module.db, module.p.number(id_param))
    return module.site.titles.make(row.namespace, row.title)


def title_or_id_params(title: str, page_id: str) -> tuple[Param, ...]:
    """Return the parameters ``title`` and ``pageid`` with these help texts."""
    return string("title", title), integer("pageid", page_id)


def title_or_id(module: Module, *, can_exist: bool = True) -> Title:
    """Return the page that ``title`` or ``pageid`` names. One query for an id.

    ``can_exist`` is whether the page must be one that can be stored, not a special page.

    Raises:
        ApiError: ``missingparam``, ``invalidparammix``, ``invalidtitle``, ``pagecannotexist``,
            ``nosuchpageid``.
    """
    at_most_one_of(module, "title", "pageid")
    title, page_id = module.p.text_or_none("title"), module.p.number_or_none("pageid")
    if title is not None:
        return storable_title(module.site, title) if can_exist else parse_title(module, title)
    if page_id is None:
        names = plain_list([module.full("title"), module.full("pageid")])
        raise ApiError("missingparam", "apierror-missingparam-at-least-one-of", names, 2)
    row = page_of_id(module.db, page_id)
    return module.site.titles.make(row.namespace, row.title)


def current_page(module: Module, title: Title) -> CurrentPage:
    """Return a page with its text. At most two queries."""
    key = title.key
    row = pages.by_titles(module.db, [key]).get(key)
    if row is None:
        return CurrentPage(title, None, default_model(title), None)
    content = texts.current(module.db, [key]).get(key)
    if content is None:
        return CurrentPage(title, row, row.content_model or default_model(title), None)
    return CurrentPage(title, row, content.model, content.text or "", content.text is None)
