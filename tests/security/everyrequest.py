"""Every request that the registries of a site know of, and every address for browsers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from wikiapi.api.module import Module
from wikiapi.api.params.declaration import Param
from wikiapi.api.query.module import GENERATOR_PREFIX
from wikiapi.api.registries import registries
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi.testing.client import URLENCODED, ApiClient

Params = dict[str, str]

NUMBERS = ("1", "3", "6")
FORMATS = ("xml", "php", "none", "jsonfm", "xmlfm", "rawfm")
_TOKEN = {"token": "+\\"}
_LIKELY = {
    "integer": NUMBERS,
    "boolean": ("1",),
    "limit": ("1",),
    "timestamp": ("20250101000000",),
    "password": ("x",),
}
"""Values by type of parameter; any other takes names."""
_MANY = 100
_PASSING = re.compile(
    rb"[0-9a-f]{32,40}\+\\\\"
    rb"|Transclusion expansion time report.*?-->"
    rb"|\"session\": ?[0-9]+"
    rb"|(CPU|Real) time usage: [0-9.]+"
    rb"|limitreport-(cpu|wall)time\W.*?\]",
    re.DOTALL,
)
"""Tokens that are made up anew, and times."""
_CHANGING = frozenset({"random"})
"""Modules whose answer is another each time."""
_CHANGES = frozenset({"set-cookie", "date", "content-length"})
VIEWS = (
    "", "view", "raw", "history", "info", "edit", "render", "delete", "protect", "credits",
    "purge", "submit", "markpatrolled", "watch",
)  # fmt: skip
SPECIAL = (
    "AllPages", "Search", "RecentChanges", "PrefixIndex", "WhatLinksHere", "Log",
    "Contributions", "Categories", "Version", "SpecialPages", "Statistics", "ListFiles",
    "ListUsers", "Export",
    "PermanentLink/3", "Diff/3", "Redirect/page/1", "Redirect/revision/3", "Redirect/user/1",
    "Redirect/file/Photo.png", "Redirect/logid/1", "FilePath/Photo.png", "MyPage", "ApiSandbox",
    "DeletedContributions", "Undelete", "BlockList", "LongPages", "RecentChangesLinked", "NewPages",
)  # fmt: skip
PLACES = (
    "/", "/wiki", "/wiki/", "/w/", "/w/index.php", "/w/rest.php", "/explore", "/explore/",
    "/openapi.json", "/openapi/query.json", "/openapi/query+info.json", "/metrics", "/health",
    "/healthz", "/robots.txt", "/favicon.ico", "/sitemap.xml", "/w/images/", "/images/",
    "/images/a/ab/Photo.png", "/w/images/a/ab/Photo.png", "/w/img_auth.php/a/ab/Photo.png",
    "/images/thumb/a/ab/Photo.png/9px-Photo.png",
    "/w/thumb.php", "/w/opensearch_desc.php", "/w/load.php", "/w/reader/", "/w/api.php/x",
)  # fmt: skip


def api_requests(site: Site, texts: Sequence[str]) -> Iterator[Params]:
    """Yield each module by each of its examples, and by each of its parameters with likely values.

    Args:
        site: whose modules they are.
        texts: names that parameters may take: of pages, users, tags.
    """
    yield {}
    for action in registries(site).actions.values():
        yield {"action": action.name}
        yield from _of_module(site, action, {"action": action.name}, action.prefix, texts)
    for name, module in registries(site).query_modules.items():
        if name in _CHANGING:
            continue
        base = {"action": "query", module.group: name}
        if module.group == "prop":
            base |= {"generator": "allpages", "gaplimit": "max"}
        yield from _of_module(site, module, base, module.prefix, texts)
        if module.can_generate():
            pages = {"titles": "|".join(texts)} if module.group == "prop" else {}
            base = {"action": "query", "generator": name, "prop": "info|revisions", **pages}
            yield from _of_module(site, module, base, GENERATOR_PREFIX + module.prefix, texts)


def reading_requests(site: Site, titles: Sequence[str]) -> Iterator[Params]:
    """Yield each module that does not write, by each of its examples and with what it can return.

    Args:
        site: whose modules they are.
        titles: the pages that modules are asked for, all together and one by one.
    """
    for action in registries(site).actions.values():
        if not action.is_write and action.name != "logout":
            yield from _whole(site, action, {"action": action.name}, action.prefix, titles)
    for name, module in registries(site).query_modules.items():
        base = {"action": "query", module.group: name}
        of_pages = ("|".join(titles), *titles) if module.group == "prop" else ("",)
        for names in of_pages:
            named = base | ({"titles": names} if names else {})
            yield from _whole(site, module, named, module.prefix, titles)
        if module.can_generate():
            base = {"action": "query", "generator": name, "titles": "|".join(titles)}
            base |= {"prop": "info|revisions|imageinfo|contributors", "rvprop": "user|comment"}
            yield from _whole(site, module, base, GENERATOR_PREFIX + module.prefix, titles)


_OF_AUTHORS = ("ids", "title", "user", "userid", "by", "byid", "comment", "parsedcomment")


def _whole(
    site: Site, module: type[Module], base: Params, prefix: str, texts: Sequence[str]
) -> Iterator[Params]:
    """Yield the examples of a module, and it with all properties, those of authors, or none.

    With all properties some modules are refused to those who lack a right.
    """
    for query, _ in module.examples:
        yield dict(parse_qsl(query, keep_blank_values=True))
    params = module.param_set(site, prefix).params
    whole = base | _required(params, prefix, texts)
    whole |= {prefix + p.name: "max" for p in params if p.name == "limit" and p.default != 50}
    yield whole
    for param in params:
        if param.name == "prop" and param.multi and (choices := param.type.choices(site)):
            yield whole | {prefix + param.name: "|".join(choices)}
            yield whole | {prefix + param.name: "|".join(set(choices) & {*_OF_AUTHORS})}


def _of_module(
    site: Site, module: type[Module], base: Params, prefix: str, texts: Sequence[str]
) -> Iterator[Params]:
    for query, _ in module.examples:
        yield dict(parse_qsl(query, keep_blank_values=True))
    params = module.param_set(site, prefix).params
    whole = base | _fullest(site, params, prefix, texts)
    yield whole
    yield {**whole, "format": FORMATS[len(module.name) % len(FORMATS)]}
    for param in params:
        yield from ({**whole, prefix + param.name: v} for v in _values(site, param, texts))


def _fullest(site: Site, params: Iterable[Param], prefix: str, texts: Sequence[str]) -> Params:
    """Return the parameters with as many values as possible."""
    arguments = _required(params, prefix, texts)
    for param in params:
        if param.name in ("prop", "show") and param.multi and param.type.choices(site):
            everything = "*" if param.name == "prop" else ""
            arguments |= {prefix + param.name: everything} if everything else {}
        if param.name == "limit":
            arguments[prefix + param.name] = "max"
    return arguments


def _required(params: Iterable[Param], prefix: str, texts: Sequence[str]) -> Params:
    return {prefix + p.name: texts[0] for p in params if p.required} | _TOKEN


def _values(site: Site, param: Param, texts: Sequence[str]) -> Iterator[str]:
    choices = param.type.choices(site)
    if choices is not None:
        yield from choices[:8] if len(choices) < _MANY else ()
        return
    yield from _LIKELY.get(param.type.type_name, texts)


def web_requests(
    texts: Sequence[str], numbers: Sequence[str] = NUMBERS
) -> Iterator[tuple[str, str]]:
    """Yield path and query of requests of browsers."""
    yield from ((place, "") for place in PLACES)
    for text in texts:
        quoted = urlencode({"": text})[1:]
        for view in VIEWS:
            yield "/w/index.php", urlencode({"title": text, "action": view})
        yield f"/wiki/{quoted}", ""
        yield "/w/index.php", urlencode({"search": text})
        yield "/w/index.php", urlencode({"search": text, "fulltext": "1"})
        yield from ((f"/wiki/Special:{name}", "") for name in SPECIAL)
        yield from ((f"/wiki/Special:{name}/{quoted}", "") for name in SPECIAL)
        yield from (("/wiki/Special:AllPages", urlencode({name: text})) for name in ("from", "to"))
    for number in NUMBERS:
        for name in ("curid", "oldid", "diff"):
            yield "/w/index.php", urlencode({name: number})
            yield "/w/index.php", urlencode({name: number, "action": "raw"})
        yield "/w/index.php", urlencode({"oldid": number, "diff": "prev"})
        yield "/w/index.php", urlencode({"oldid": number, "diff": "next"})
        yield "/w/index.php", urlencode({"oldid": "1", "diff": number})


def api_reply(client: ApiClient, params: Mapping[str, str]) -> Any:
    """Return the parts of a reply that depend on the store: status, headers, body."""
    body = urlencode({"format": "json", "formatversion": "2", **params}).encode()
    reply = client.raw("POST", body=body, content_type=URLENCODED)
    return reply.status, _telling(reply.headers), _PASSING.sub(b"", reply.body)


def web_reply(wsgi: InProcess, path: str, query: str) -> Any:
    """Return the same for a browser's request."""
    reply = wsgi.send("GET", path, query)
    return reply.status, _telling(reply.headers), reply.body


def _telling(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in _CHANGES}
