"""The beginning of an HTML document that shows a page, up to and with ``<body>``."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.wikitext.html.entities import escape_attribute, escape_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site
    from wikiapi.title.title import Title

_TAGS = re.compile(r"<[^<>]*>")
_NOT_IN_CLASSES = re.compile(r"[\x00-,./:-@\[-^`{-\x7f]+")


def head_html(
    site: Site, title: Title, shown: str, language: str, skin: str, items: Iterable[str]
) -> str:
    """The head. It loads no style sheets or scripts, because this server has none.

    Args:
        site: the wiki.
        title: the page.
        shown: its display title, as HTML.
        language: code of the interface language.
        skin: name of the skin.
        items: what the page wants to have in the head.
    """
    way = direction(language)
    name = escape_text(f"{unescape(_TAGS.sub('', shown))} - {site.config.site.name}")
    generator = escape_attribute(site.config.site.generator)
    lines = [
        "<!DOCTYPE html>",
        f'<html class="client-nojs" lang="{html_code(language)}" dir="{way}">',
        '<head>\n<meta charset="UTF-8">',
        f"<title>{name}</title>",
        f'<meta name="generator" content="{generator}">',
        *items,
        "</head>",
        f'<body class="{_body_classes(site, title, way, skin)}">',
    ]
    return "\n".join(lines)


def _body_classes(site: Site, title: Title, way: str, skin: str) -> str:
    root = title.prefixed_text
    if title.namespace.subpages:
        root = root.partition("/")[0]
    kind = "ns-talk" if title.namespace.is_talk else "ns-subject"
    names = [
        *("mediawiki", way, f"sitedir-{direction(site.language)}", "mw-hide-empty-elt"),
        *(f"ns-{title.ns}", kind, _escaped(f"page-{title.prefixed_text}")),
        *(_escaped(f"rootpage-{root}"), f"skin-{skin}", "action-view"),
    ]
    return escape_attribute(" ".join(names))


def _escaped(name: str) -> str:
    """A name as part of a class: runs of what classes cannot hold become one underscore."""
    return _NOT_IN_CLASSES.sub("_", name)
