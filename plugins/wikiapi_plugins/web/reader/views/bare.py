"""``action=raw`` and ``action=render``: the source or the HTML of a page, without the skin."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from wikiapi.http import Reply
from wikiapi.title import MEDIAWIKI, USER, WIKITEXT, Title
from wikiapi.wikitext import ParserOptions, Target, escape_text, section_text
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.pagerevision import PageRevision, load_page, neighbour_of
from wikiapi_plugins.web.reader.pagerevision import load_revision as load_by_id
from wikiapi_plugins.web.replies import HTML, REVALIDATE, content_reply

_JAVASCRIPT = "javascript"
_WIKITEXT_TYPE = "text/x-wiki"
_SCRIPT_TYPE = "text/javascript"
_TYPES = frozenset(
    {_WIKITEXT_TYPE, _SCRIPT_TYPE, "text/css", "application/x-zope-edit", "application/json"}
)


def show_raw(context: ViewContext, title: Title) -> Reply:
    """Send the text of a revision or of a section of it; an empty 404 response if there is none.

    ``templates=expand`` expands the templates, and ``ctype`` is the media type.

    Raises:
        ViewError: the text is suppressed, or is requested as a script but must not be run.
    """
    media_type = context.param("ctype")
    if media_type not in _TYPES:
        media_type = _WIKITEXT_TYPE
    content_type = f"{media_type}; charset=UTF-8"
    number, direction = context.number("oldid"), context.param("direction")
    if not number or direction == "cur":
        stored = load_page(context.site, title)
    else:
        if direction in ("next", "prev"):
            number = neighbour_of(context.site, number, direction)
        stored = load_by_id(context.site, number) if number else None
    text = _raw_text(context, stored) if stored else None
    if stored is None or text is None:
        return content_reply(b"", content_type, status=404)
    # Scripts are pages that only their own user or administrators can edit.
    is_own_script = stored.title.ns == USER and stored.model == _JAVASCRIPT
    is_script = stored.title.ns == MEDIAWIKI or is_own_script
    if media_type == _SCRIPT_TYPE and not is_script:
        raise ViewError(403, "reader-no-script")
    is_expanded = context.param("templates") == "expand"
    etag = "" if is_expanded else f"raw-{stored.revision.rev_id}-{context.number('section')}"
    if is_expanded:
        options = ParserOptions(
            target=Target.WIKITEXT, limit_report=False, revision=stored.parser_revision
        )
        text, _ = context.site.parser.expand_output(text, stored.title, options)
    body = text.encode("utf-8", "replace")
    return content_reply(body, content_type, cache=REVALIDATE, etag=etag)


def _raw_text(context: ViewContext, stored: PageRevision) -> str | None:
    """Return the text or the requested section of it; ``None`` if there is no such section."""
    section = context.number("section")
    if section is None:
        return stored.visible_text
    if stored.model != WIKITEXT:
        return None
    preprocessor = context.site.parser.preprocessor
    return section_text(stored.visible_text, str(section), preprocessor)


def show_render(context: ViewContext, title: Title) -> Reply:
    """Send the HTML of a page without the skin; its links are absolute URLs.

    Raises:
        ViewError: the revision does not exist, or its text is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is None:
        text = f"{context.sentence('no-such-page')}\n"
        return content_reply(text.encode("utf-8", "replace"), HTML, status=404)
    rendering = context.rendering_of(stored)
    if rendering is None:
        html = f"<pre>{escape_text(stored.visible_text)}</pre>"
    else:
        html = context.with_mount_point(rendering.html)
    # Links to this server become absolute URLs.
    tree = LexborHTMLParser(html, is_fragment=True)
    for node in tree.css('a[href^="/"]'):
        url = node.attributes["href"] or ""
        if not url.startswith("//"):
            node.attrs["href"] = context.site.config.site.server + url
    body = (tree.html or "").encode("utf-8", "replace")
    headers = [("Content-Security-Policy", context.reader.skin.policy)]
    return content_reply(body, HTML, cache=REVALIDATE, headers=headers)
