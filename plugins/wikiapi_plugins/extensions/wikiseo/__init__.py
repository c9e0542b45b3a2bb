"""WikiSEO: ``{{#seo:}}`` and ``<seo>`` describe a page to search engines, without visible output.

Their arguments become ``<meta>`` elements, which are among the head items and in the ``headhtml``
of ``action=parse``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.wikitext import (
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    ParseState,
    TagCall,
    encode_attributes,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension

_NAMES = frozenset({"description", "keywords", "robots", "author", "google-site-verification",
                    "theme-color", "rating"})  # fmt: skip
_OPEN_GRAPH = {
    "title": "og:title",
    "description": "og:description",
    "type": "og:type",
    "image": "og:image",
    "image_alt": "og:image:alt",
    "locale": "og:locale",
    "site_name": "og:site_name",
    "published_time": "article:published_time",
    "modified_time": "article:modified_time",
    "section": "article:section",
}
_TWITTER = re.compile(r"twitter[_:]([a-z_]{1,30})")
_LONGEST = 2000


def seo(call: FunctionCall) -> str:
    """Add the elements of ``{{#seo:|title=...|description=...}}`` to the page's head."""
    pairs = (argument.partition("=") for argument in call.args)
    _note({name: value for name, mark, value in pairs if mark}, call.state)
    return ""


def seo_tag(call: TagCall) -> str:
    """Add the elements of ``<seo title="..." description="..." />`` to the page's head."""
    _note(call.attributes, call.state)
    return ""


def _note(values: Mapping[str, str], state: ParseState) -> None:
    items = state.output.head_items
    for name, value in values.items():
        for attributes in _metas(trim(name).lower(), trim(value)[:_LONGEST]):
            key = next(iter(attributes.values()))
            items[f"wikiseo-{key}"] = f"<meta{encode_attributes(attributes)} />"


def _metas(name: str, value: str) -> Iterable[dict[str, str]]:
    """Yield the attributes of the elements for a parameter; none if it is unknown."""
    if not value:
        return
    if name in _NAMES:
        yield {"name": name, "content": value}
    if name in _OPEN_GRAPH:
        yield {"property": _OPEN_GRAPH[name], "content": value}
    if match := _TWITTER.fullmatch(name):
        yield {"name": f"twitter:{match[1].replace('_', ':')}", "content": value}


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "WikiSEO",
            description="Pages described for searches",
            tags=(ExtensionTag("seo", seo_tag),),
            functions=(ParserFunction("#seo", seo),),
        ),
    )
