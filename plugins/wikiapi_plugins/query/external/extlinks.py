"""``prop=extlinks``."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from wikiapi.api import (
    Obj,
    Param,
    PropModule,
    QueryModule,
    boolean,
    continuation,
    enum,
    limit,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi.store.models import ExternalLinks
from wikiapi.store.queries import externallinks

_WEB = ("http://", "https://")
_NUMBER = re.compile(r"[0-9]{1,18}\Z", re.ASCII)


def url_filter_params() -> tuple[Param, ...]:
    """Return the parameters ``protocol`` and ``query``."""
    return (
        enum("protocol", choices=lambda site: ("", *_protocols(site)), default="",
             help="Only links of this protocol; together with query, empty means http and https."),
        string("query", "Only links that match this host and beginning of a path, without the "
               "protocol; * stands for any first labels of the host."),
    )  # fmt: skip


def _protocols(site: Site) -> dict[str, str]:
    """Return the protocols of external links by their names, in alphabetical order."""
    recognised = site.parser.link_rules.protocols.recognised
    return {protocol.rstrip("/").rstrip(":"): protocol for protocol in recognised}


def url_conditions(module: QueryModule, domain: Any = externallinks.DOMAIN) -> list[Any]:
    """Return the conditions of a module's parameters on the table of external links.

    ``domain`` is the column of domains, or an expression to be compared in its place.

    Raises:
        ApiError: ``badquery``; the value of ``query`` is not a valid pattern.
    """
    protocol = _protocols(module.site).get(module.p.text("protocol"))
    pattern = module.p.text_or_none("query")
    if not pattern:
        return [] if protocol is None else [externallinks.of_protocol(protocol, domain)]
    condition = externallinks.matching(pattern, _WEB if protocol is None else (protocol,), domain)
    if condition is None:
        raise ApiError("badquery", "apierror-badquery")
    return [condition]


class ExternalLink(NamedTuple):
    """An external link on a page; its URL is stored in two parts."""

    page_id: int
    link_id: int
    domain_index: str
    path: str

    @property
    def url(self) -> str:
        """The whole URL."""
        return externallinks.url_of(self.domain_index, self.path)


class ExtLinks(PropModule):
    """List the external links on the pages; interwiki links are not among them."""

    name = "extlinks"
    prefix = "el"
    element = "el"
    params = (
        limit(),
        continuation(),
        *url_filter_params(),
        boolean("expandurl", "Add the canonical protocol to URLs without one.", deprecated=True),
    )
    examples = (("action=query&prop=extlinks&titles=Main%20Page", "The links of the main page"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Extlinks",)

    def execute(self) -> None:
        """List the links of each page, in the order in which they were stored."""
        if not self.page_set.good:
            return
        conditions = url_conditions(self)
        start = self.p.text_or_none("continue")
        if start is not None:
            if not _NUMBER.match(start):
                return  # MediaWiki compares it as text, which sorts after all numbers on SQLite.
            conditions.append(ExternalLinks.el_id >= int(start))
        query = externallinks.external(list(self.page_set.good))
        query = query.where(*conditions) if conditions else query
        query = query.order_by(ExternalLinks.el_id).limit(self.p.number("limit") + 1)
        links = [ExternalLink(*row) for row in self.rows(query)]
        items = ((link.page_id, Obj({"url": link.url}, content="url")) for link in links)
        self.emit(items, links, lambda link: str(link.link_id))
