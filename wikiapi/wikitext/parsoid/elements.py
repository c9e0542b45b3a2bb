"""Invisible elements for categories, language links and behaviour switches."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.entities import finished_attributes
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.links import interwiki_href
from wikiapi.wikitext.parsoid.sources import UNQUOTED, local_href

DISPLAY_SPACE = '<span typeof="mw:DisplaySpace">&#160;</span>'
"""A space that is not broken only where the page is shown."""


def category_element(title: Title, sort_key: str) -> str:
    """Return the element for a category, with its sort key as the fragment of the URL."""
    href = local_href(title)
    if sort_key:
        href += "#" + quote(sort_key.strip("\n"), safe=UNQUOTED)
    return _element("link", rel="mw:PageProp/Category", href=href)


def language_element(title: Title, target: str, site: Wiki) -> str:
    """Return the element for a link to the page in another language.

    ``target`` is the target of the link as the source has it.
    """
    return _element("link", rel="mw:PageProp/Language", href=interwiki_href(title, target, site))


def switch_element(name: str) -> str:
    """Return the element for a behaviour switch."""
    return _element("meta", property=f"mw:PageProp/{name}")


def include_element(name: str, *, source: str = "", is_end: bool = False) -> str:
    """Return the element for an include tag, with the wikitext that it hides as ``source``."""
    attributes = {"typeof": f"mw:Includes/{name}{'/End' if is_end else ''}"}
    if source:
        attributes["data-mw"] = as_json({"src": source})
    return _element("meta", **attributes)


def error_element(key: str, params: Sequence[str], html: str, **attributes: str) -> str:
    """Return the element for an error of an extension tag.

    Args:
        key: the key of the message.
        params: its parameters.
        html: the message.
        attributes: further attributes of the element.
    """
    error: dict[str, object] = {"key": key, **({"params": list(params)} if params else {})}
    written = {
        "typeof": "mw:I18n mw:Error",
        **attributes,
        "data-mw": as_json({"errors": [error]}),
        "data-mw-i18n": as_json({"/": {"lang": "x-user", "params": [], **error}}),
    }
    return f"<span{finished_attributes(written)}>{html}</span>"


def _element(tag: str, **attributes: str) -> str:
    return f"<{tag}{finished_attributes(attributes)} />"
