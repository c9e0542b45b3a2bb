"""``action=preview``: the beginning of a page as JSON, which is shown when one points at a link."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.http import Reply
from wikiapi.store.queries import redirects
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.pagerevision import load_page
from wikiapi_plugins.web.replies import NO_STORE, REVALIDATE, content_reply

_LONGEST = 320
_SHORTEST = 30
"""Number of characters from which a paragraph is taken for the lead, if there is a longer one."""
_NOT_PROSE = "style, script, .reference, .mw-editsection, .mw-empty-elt, .error, .no-picture"
_ASIDE = frozenset({"table", "figure", "aside", "nav"})
_NARROWEST = 100
"""The width in pixels from which a picture is not an icon."""


class Preview(NamedTuple):
    """The title of a page, its first paragraph without markup, and the URL of a picture in it."""

    title: str
    text: str
    picture: str = ""


def show_preview(context: ViewContext, title: Title) -> Reply:
    """Return the beginning of a page, or of the target of a redirect; status 404 for no page."""
    stored = load_page(context.site, title)
    if stored is not None and stored.row.is_redirect:
        row = redirects.targets(context.db, [stored.row.page_id]).get(stored.row.page_id)
        if row is not None and not row.interwiki and row.namespace >= 0:
            target = context.site.titles.make(row.namespace, row.title)
            stored = load_page(context.site, target) or stored
    rendering = context.rendering_of(stored) if stored else None
    if stored is None or rendering is None:
        return _json_reply({}, 404, NO_STORE)
    text, picture = _beginning(context.with_mount_point(rendering.html))
    preview = Preview(stored.title.prefixed_text, text, picture)
    written = context.language_of(stored.title, stored.model, stored.row.language)
    is_public = not context.account and not context.reader.is_private
    cache = REVALIDATE if is_public else NO_STORE
    return _json_reply(preview._asdict() | written._asdict(), 200, cache)


def _json_reply(data: dict[str, Any], status: int, cache: str) -> Reply:
    body = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    return content_reply(body, "application/json", status=status, cache=cache)


def _beginning(html: str) -> tuple[str, str]:
    """Return the first paragraph of a page, and the URL of its first picture that is no icon."""
    tree = LexborHTMLParser(html, is_fragment=True)
    picture = ""
    for image in tree.css("img"):
        width = image.attributes.get("width") or ""
        if width.isascii() and width.isdecimal() and int(width[:9]) >= _NARROWEST:
            picture = image.attributes.get("src") or ""
            break
    for node in tree.css(_NOT_PROSE):
        node.decompose()
    texts = [_text(node) for node in tree.css("p") if not _is_aside(node)]
    texts = [text for text in texts if text] or [_text(node) for node in tree.css("li, dd")[:5]]
    text = next((text for text in texts if len(text) >= _SHORTEST), "".join(texts[:1]))
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST].rpartition(' ')[0] or text[:_LONGEST]} …"
    return text, picture


def _text(node: LexborNode) -> str:
    return " ".join(node.text().split())


def _is_aside(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in _ASIDE:
            return True
        parent = parent.parent
    return False
