"""What mwoffliner asks of a wiki to copy it for reading offline, without mwoffliner itself.

The requests and what is read from their answers are those of its renderer for ``action=parse``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urljoin

from selectolax.lexbor import LexborHTMLParser

from wikiapi.http.wsgiclient import Received

Get = Callable[[str], Received]
"""Requests an address below the server's root."""

SKIN = "vector-2022"
_CONFIG = re.compile(r';RLCONF=({".*?});\s?RLSTATE=')
_REGISTER = re.compile(r";mw\.loader\.register\((\[\[.*?\]\])\);+\s?mw\.", re.DOTALL)
_ALWAYS_STYLES = ("site.styles", "noscript")
_PROBLEM = re.compile(r"Problematic modules: (\{.*\})")


@dataclass
class Copy:
    """What was copied of a wiki, and what was not there."""

    pages: dict[str, str] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


def copy_wiki(get: Get, script_path: str, titles: list[str] | None = None) -> Copy:
    """Copy the pages of a wiki, those of the titles or all, with all that they load."""
    copy = Copy()
    api, load = f"{script_path}/api.php", f"{script_path}/load.php"
    general = _json(get, api, action="query", meta="siteinfo", siprop="general|namespaces")
    assert general["query"]["general"]["generator"].startswith("MediaWiki 1.")
    registered = _startup(get, load)
    scripts, styles = set[str](), set(_ALWAYS_STYLES)
    for title in titles if titles is not None else _titles(get, api):
        parsed = _json(get, api, **_request(title))["parse"]
        assert isinstance(parsed["redirects"], list)
        assert json.loads(_group(_CONFIG, parsed["headhtml"]))["wgPageName"]
        head = LexborHTMLParser(parsed["headhtml"])
        assert f"skin-{SKIN}" in (head.css_first("body").attributes["class"] or "")
        scripts.update(parsed["modules"])
        styles.update(parsed["modulestyles"])
        copy.pages[parsed["title"]] = parsed["text"] + parsed["categorieshtml"]
        copy.files.update(_files(parsed["text"]))
    _copy_modules(copy, get, load, styles, only="styles")
    for name in list(scripts):
        scripts.update(_dependencies(name, registered))
    _copy_modules(copy, get, load, scripts)
    for address in copy.files:
        if address.startswith("/") and get(address).status != 200:
            copy.problems.append(f"no file: {address}")
    return copy


def _request(title: str) -> dict[str, str]:
    return {
        "action": "parse",
        "prop": "modules|jsconfigvars|headhtml|text|displaytitle|subtitle|categorieshtml",
        "usearticle": "1",
        "disableeditsection": "1",
        "disablelimitreport": "1",
        "page": title,
        "useskin": SKIN,
        "redirects": "1",
    }


def _startup(get: Get, load: str) -> list[list[Any]]:
    assert get(f"{load}?lang=en&modules=startup&only=scripts").status == 200
    reply = get(f"{load}?lang=en&modules=startup&only=scripts&raw=1&skin={SKIN}")
    registered = json.loads(_group(_REGISTER, reply.text))
    assert isinstance(registered, list)
    return registered


def _dependencies(name: str, registered: list[list[Any]]) -> Iterator[str]:
    entry = next((entry for entry in registered if entry[0] == name), None)
    for number in entry[2] if entry else ():
        yield registered[number][0]
        yield from _dependencies(registered[number][0], registered)


def _titles(get: Get, api: str) -> Iterator[str]:
    """Yield the pages that are no redirects, as they come with their redirects and revisions."""
    more: dict[str, str] = {}
    while True:
        answer = _json(
            get,
            api,
            action="query",
            generator="allpages",
            gapfilterredir="nonredirects",
            gaplimit="max",
            prop="redirects|revisions",
            rdlimit="max",
            rawcontinue="true",
            gapnamespace="0",
            rdnamespace="0",
            **more,
        )
        yield from (page["title"] for page in answer.get("query", {}).get("pages", ()))
        more = answer.get("query-continue", {}).get("allpages", {})
        if not more:
            return


def _copy_modules(copy: Copy, get: Get, load: str, names: set[str], only: str = "") -> None:
    for name in sorted(names):
        query = {"lang": "en", "modules": name, **({"only": only} if only else {}), "skin": SKIN}
        reply = get(f"{load}?{urlencode(query)}")
        assert reply.status == 200
        if _PROBLEM.search(reply.text) or '"missing"' in reply.text:
            copy.problems.append(f"no module: {name}")
        copy.modules.add(name)


def _files(html: str) -> set[str]:
    tree = LexborHTMLParser(html)
    addresses = (node.attributes.get("src") for node in tree.css("img[src]"))
    return {urljoin("/", address) for address in addresses if address}


def _json(get: Get, api: str, **params: str) -> Any:
    reply = get(f"{api}?{urlencode({**params, 'format': 'json', 'formatversion': '2'})}")
    answer = json.loads(reply.text)
    assert "error" not in answer, answer
    return answer


def _group(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    assert match, pattern.pattern
    return match[1]
