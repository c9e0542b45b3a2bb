"""The parameters of modules about one page, which is given by its title or its id."""

from __future__ import annotations

from wikiapi.api import Module, Param, integer, string
from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.i18n import Message, Plain, plain_list
from wikiapi.store.queries import pages
from wikiapi.title import Title


def title_or_id_params(title: str, page_id: str) -> tuple[Param, ...]:
    """Return the parameters ``title`` and ``pageid`` with these help texts."""
    return string("title", title), integer("pageid", page_id)


def title_or_id(module: Module) -> Title:
    """Return the page that the parameters name. An id takes one query.

    Raises:
        ApiError: ``missingparam``, ``invalidparammix``, ``invalidtitle``, ``pagecannotexist``,
            ``nosuchpageid``.
    """
    title, page_id = module.p.text_or_none("title"), module.p.number_or_none("pageid")
    names = [module.full("title"), module.full("pageid")]
    if title is not None and page_id is not None:
        message = Message("apierror-invalidparammix", (plain_list(names),))
        raise ApiError(message, "invalidparammix")
    if title is not None:
        return _by_title(module, title)
    if page_id is None:
        message = Message("apierror-missingparam-at-least-one-of", (plain_list(names), len(names)))
        raise ApiError(message, "missingparam")
    row = pages.by_ids(module.db, [page_id]).get(page_id) if page_id > 0 else None
    if row is None:
        raise ApiError(Message("apierror-nosuchpageid", (page_id,)), "nosuchpageid")
    return module.site.titles.make(row.namespace, row.title)


def _by_title(module: Module, text: str) -> Title:
    try:
        title = module.site.titles.parse(text)
    except InvalidTitle as error:
        raise _invalid(text) from error
    if title.interwiki:
        raise _invalid(text)
    if title.namespace.is_virtual or not title.dbkey:
        raise ApiError(Message("apierror-pagecannotexist"), "pagecannotexist")
    return title


def _invalid(text: str) -> ApiError:
    return ApiError(Message("apierror-invalidtitle", (Plain(text),)), "invalidtitle")
