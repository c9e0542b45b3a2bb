"""HTML documents of texts: https://www.mediawiki.org/wiki/Specs/HTML.

Texts are rendered here and not by ``action=parse``, which returns Parsoid's HTML as it is when a
page is viewed. What may be read is for the callers to ask.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from wikiapi.languages import direction, html_code
from wikiapi.rest import RestCall, RestError, RestReply
from wikiapi.site import Site
from wikiapi.timestamps import parse_moment
from wikiapi.title import Title
from wikiapi.wikitext import (
    NO_REVISION,
    ParserOptions,
    ParserOutput,
    Revision,
    StoredRevision,
    escape_all,
    finished_attributes,
)

PAGE_CACHE = "max-age=5"
_WIKITEXT = "wikitext"
_VERSION = "2.8.0"
DOCUMENT = (
    f'text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/{_VERSION}"'
)
"""The media type of HTML."""
_BODY_CLASSES = "mw-body-content parsoid-body mediawiki mw-parser-output"
_BODY_ID = "mwAA"
_PREFIX = "dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/"
_WRAPPER = re.compile(
    r'<div class="[^"<>]{0,200}"[^<>]{0,200}( data-mw-parsoid-version=[^<>]{0,200})>'
)
"""Matches the element around the HTML of a page, which the body of the document replaces."""
_STYLES = (
    "mediawiki.skinning.content.parsoid",
    "mediawiki.skinning.interface",
    "site.styles",
)
"""The style sheets of every document."""
_UNRESERVED = "!'()*~"
_NO_DATA: Mapping[str, Any] = MappingProxyType({})


def html_of(
    call: RestCall, page: Mapping[str, Any], revision: Mapping[str, Any], source: str
) -> str:
    """Return a revision as an HTML document; as a fragment, if it is not wikitext.

    Raises:
        RestError: texts of this content model cannot be rendered.
        BudgetExceeded: rendering takes more than a request may use.
    """
    site = call.site
    model = revision["slots"]["main"]["contentmodel"]
    content = site.content_models.get(model)
    if content is None:
        raise RestError(
            HTTPStatus.FORBIDDEN, "rest-permission-denied-revision", str(revision["revid"])
        )
    title = site.titles.parse(page["title"])
    rendered = Revision(
        revision["revid"],
        parse_moment(revision["timestamp"]),
        revision.get("user", ""),
        revision["size"],
    )
    options = _options(model, rendered)

    def render() -> ParserOutput:
        return content.render(site.parser, source, title, options)

    stored = StoredRevision(page["pageid"], revision["revid"], page["touched"])
    with site.answering():
        output = site.page_cache.output(stored, options, render)
    if not options.parsoid:
        return output.html
    digest = hashlib.sha1(source.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    return _document(site, output, title, page, {**revision, "sha1": digest})


def html_of_text(call: RestCall, text: str, title: Title, *, is_whole: bool) -> str:
    """Return wikitext that is not stored as an HTML document, or as what is in its body.

    Raises:
        BudgetExceeded: rendering takes more than a request may use.
    """
    with call.site.answering():
        output = call.site.parser.parse(text, title, _options(_WIKITEXT))
    return _document(call.site, output, title) if is_whole else _split(output.html)[1]


def _options(model: str, revision: Revision = NO_REVISION) -> ParserOptions:
    is_wikitext = model == _WIKITEXT
    return ParserOptions(
        edit_sections=False,
        limit_report=False,
        redirect_note=not is_wikitext,
        parsoid=is_wikitext,
        for_view=not is_wikitext,
        revision=revision,
    )


def cache_of(revision: Mapping[str, Any]) -> str:
    """Return how long replies about a revision are cached: not at all if parts are hidden."""
    is_hidden = any(f"{part}hidden" in revision for part in ("text", "user", "comment"))
    return "" if is_hidden else PAGE_CACHE


def html_reply(
    call: RestCall, html: str, page: Mapping[str, Any], revision: Mapping[str, Any]
) -> RestReply:
    """Return the reply that is the HTML of a revision."""
    return RestReply(
        html,
        cache_of(revision),
        page["touched"],
        media_type=DOCUMENT,
        headers=(
            ("Content-Language", html_code(call.site.language)),
            ("Content-Revision-Id", str(revision["revid"])),
        ),
    )


def _split(html: str) -> tuple[str, str]:
    """Return the attributes for versions of the element around HTML, and what is in it."""
    wrapper = _WRAPPER.match(html)
    if wrapper is None:
        return "", html
    return wrapper[1], html[wrapper.end() :].rstrip().removesuffix("</div>")


def _document(
    site: Site,
    output: ParserOutput,
    title: Title,
    page: Mapping[str, Any] = _NO_DATA,
    revision: Mapping[str, Any] = _NO_DATA,
) -> str:
    """Return the HTML of a text with the head and the body that Parsoid gives it.

    Args:
        site: the wiki.
        output: the rendering.
        title: the title of the page that the text is rendered as.
        page: the page, if the text is that of a revision.
        revision: the revision, with the digest of its text.
    """
    pages = f"{site.config.site.server}{site.config.site.article_path}"
    special = pages.replace("$1", "Special:Redirect/")
    root = {"prefix": _PREFIX}
    if revision:
        root["about"] = f"{special}revision/{revision['revid']}"
    head = "".join(_head(site, output, title, page, revision))
    side = direction(site.language)
    versions, content = _split(output.html)
    body = {
        "lang": html_code(site.language),
        "class": f"mw-content-{side} sitedir-{side} {side} {_BODY_CLASSES}",
        "dir": side,
    }
    return (
        f"<!DOCTYPE html>\n<html{finished_attributes(root)}>"
        f"<head{finished_attributes({'prefix': f'mwr: {special}'})}>{head}</head>"
        f'<body{finished_attributes(body)}{versions} id="{_BODY_ID}">{content}</body></html>'
    )


def _head(
    site: Site,
    output: ParserOutput,
    title: Title,
    page: Mapping[str, Any],
    revision: Mapping[str, Any],
) -> Iterator[str]:
    """Yield the elements of the head of a document."""
    pages = f"{site.config.site.server}{site.config.site.article_path}"
    language = html_code(site.language)
    yield '<meta charset="utf-8"/>'
    if revision:
        yield _property("mw:pageId", str(page["pageid"]))
        yield _property("mw:pageNamespace", str(page["ns"]))
        parent = f"mwr:revision/{revision['parentid']}"
        yield f"<link{finished_attributes({'rel': 'dc:replaces', 'resource': parent})}/>"
        yield _property("mw:revisionSHA1", revision["sha1"])
        yield _property("dc:modified", revision["timestamp"].replace("Z", ".000Z"))
    yield _property("mw:htmlVersion", _VERSION)
    yield _property("mw:html:version", _VERSION)
    address = pages.replace("$1", quote(title.prefixed_dbkey, safe=_UNRESERVED))
    yield f"<link{finished_attributes({'rel': 'dc:isVersionOf', 'href': address})}/>"
    # Links in the body are relative to this address.
    yield f"<base{finished_attributes({'href': pages.replace('$1', '')})}/>"
    yield f"<title>{escape_all(title.prefixed_text)}</title>"
    for name, modules in (
        ("mw:generalModules", output.modules),
        ("mw:moduleStyles", output.module_styles),
    ):
        if modules:
            yield _property(name, "|".join(modules))
    names = quote("|".join((*output.module_styles, *_STYLES)), safe=_UNRESERVED)
    folder = site.config.site.script_path.rstrip("/")
    styles = f"{folder}/load.php?lang={language}&modules={names}&only=styles&skin=vector"
    yield f"<link{finished_attributes({'rel': 'stylesheet', 'href': styles})}/>"
    for name, value in (("content-language", language), ("vary", "Accept")):
        yield f"<meta{finished_attributes({'http-equiv': name, 'content': value})}/>"


def _property(name: str, value: str) -> str:
    return f"<meta{finished_attributes({'property': name, 'content': value})}/>"
