"""``localurl``, ``fullurl``, ``canonicalurl`` and their E forms: a page's address."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wikiapi.title.namespaces import FILE, MEDIA
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.html.entities import decode_references, escape_attribute

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall


def _full(site: Site, title: Title, query: str) -> str:
    return site.page_url(title, query)


def _local(site: Site, title: Title, query: str) -> str:
    return site.page_url(title, query).removeprefix(site.config.site.server)


def _address(build: Callable[[Site, Title, str], str], call: FunctionCall) -> str | None:
    titles = call.site.titles
    title = titles.try_parse(decode_references(call.first)) or titles.try_parse(unquote(call.first))
    if title is None:
        return None
    if title.ns == MEDIA:
        title = call.site.titles.make(FILE, title.dbkey)
    return build(call.site, title, call.arg(1))


def _escaped(build: Callable[[Site, Title, str], str], call: FunctionCall) -> str | None:
    url = _address(build, call)
    return None if url is None else escape_attribute(url)


DECLARATIONS = (
    ParserFunction("localurl", partial(_address, _local)),
    ParserFunction("localurle", partial(_escaped, _local)),
    ParserFunction("fullurl", partial(_address, _full)),
    ParserFunction("fullurle", partial(_escaped, _full)),
    ParserFunction("canonicalurl", partial(_address, _full)),
    ParserFunction("canonicalurle", partial(_escaped, _full)),
)
