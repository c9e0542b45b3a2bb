"""``/v1/page/{title}`` and what belongs to a page: its text, HTML and links."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from wikiapi.rest import RestCall, RestError, RestParam, RestReply, Route
from wikiapi.title import FILE, MAIN, MEDIA
from wikiapi_plugins.web.rest.documents import PAGE_CACHE, html_of, html_reply

TITLE = RestParam("title", is_required=True, help="The title of the page.")
_REDIRECT = RestParam(
    "redirect",
    is_boolean=True,
    default=True,
    help="Whether a redirect leads to its target.",
)
_NO_REDIRECT = {"redirect": "no"}
_REDIRECT_CACHE = "max-age=60"
REVISION = "ids|timestamp|flags|size|user|userid|comment|contentmodel"
REVISION_WITH_TEXT = f"{REVISION}|content"
_SEPARATOR = "\x1f"
"""Separates titles in place of ``|``, which a request may contain."""
LICENSE = {"url": "", "title": ""}
"""Where the API says under which licence the text may be used; wikis say it on a page."""


class PageData(NamedTuple):
    """An existing page, and its latest revision."""

    page: Mapping[str, Any]
    revision: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The title with underscores."""
        return key_of(self.page["title"])


def key_of(title: str) -> str:
    """Return a title with underscores."""
    return title.replace(" ", "_")


def encoded(text: str) -> str:
    """Return a text as one part of a path."""
    return quote(text, safe="", errors="replace")


def find_page(
    call: RestCall,
    *,
    wrong_title: str = "rest-nonexistent-title",
    revision_properties: str = REVISION,
) -> PageData:
    """Return the page that a request names.

    Args:
        call: the request.
        wrong_title: the key of the error for titles that no page can have.
        revision_properties: what to ask about the latest revision (``rvprop``).

    Raises:
        RestError: there is no such page, or the sender may not read it.
    """
    page = look_up(call, revision_properties)
    if page is None or page["ns"] < 0:
        raise RestError(HTTPStatus.NOT_FOUND, wrong_title, call.text("title"))
    return existing(call, page)


def look_up(
    call: RestCall, revision_properties: str = REVISION, default_namespace: int = MAIN
) -> Mapping[str, Any] | None:
    """Return what the API tells about the title in a request; ``None`` if it cannot be a page's.

    Titles without a namespace are in ``default_namespace``.
    """
    title = call.text("title")
    parsed = call.site.titles.try_parse(title, default_namespace)
    if parsed is not None and not parsed.interwiki:
        # "Media" stands for the page of a file, as in links.
        if parsed.ns == MEDIA:
            title = call.site.titles.make(FILE, parsed.dbkey).prefixed_text
        elif parsed.ns == default_namespace != MAIN:
            title = parsed.prefixed_text
    query = call.query(
        titles=f"{_SEPARATOR}{title}",
        prop="info|revisions",
        rvprop=revision_properties,
        rvslots="main",
    )
    page: Mapping[str, Any] | None = next(iter(query.get("pages", ())), None)
    return None if page is None or "invalid" in page else page


def existing(call: RestCall, page: Mapping[str, Any]) -> PageData:
    """Return a page and its latest revision.

    Raises:
        RestError: the page does not exist.
    """
    if not page.get("revisions"):
        raise RestError(HTTPStatus.NOT_FOUND, "rest-nonexistent-title", call.text("title"))
    return PageData(page, page["revisions"][0])


def normalized(call: RestCall, title: str, *, below: str = "", cache: str = "") -> RestReply | None:
    """Return a redirect if the request spells a title differently from the wiki; else ``None``."""
    if call.text("title") == key_of(title):
        return None
    path = call.path(f"/v1/page/{encoded(key_of(title))}{below}", call.request.params)
    return RestReply(status=HTTPStatus.MOVED_PERMANENTLY, location=path, cache=cache)


def page_data(call: RestCall, current: PageData) -> dict[str, Any]:
    """Return what all forms of a page tell, with the address of the target of a redirect."""
    page, revision = current
    data = {
        "id": page["pageid"],
        "key": current.key,
        "title": page["title"],
        "latest": {"id": revision["revid"], "timestamp": revision["timestamp"]},
        "content_model": revision.get("slots", {}).get("main", {}).get("contentmodel", ""),
        "license": LICENSE,
    }
    if target := _target(call, page):
        data["redirect_target"] = call.path(f"/v1/page/{target}", _NO_REDIRECT)
    return data


def _target(call: RestCall, page: Mapping[str, Any]) -> str | None:
    """Return the title to which a page redirects, as a part of a path; ``None`` for none."""
    if not page.get("redirect"):
        return None
    query = call.query(pageids=page["pageid"], redirects=True)
    redirect = next(iter(query.get("redirects", ())), None)
    if not redirect or redirect.get("tointerwiki") or redirect["to"] == page["title"]:
        return None
    return encoded(key_of(redirect["to"]))


def source_of(revision: Mapping[str, Any]) -> str:
    """Return the text of a revision that was asked for with it (``REVISION_WITH_TEXT``).

    Raises:
        RestError: the text is hidden from the sender of the request.
    """
    slot = revision.get("slots", {}).get("main", {})
    if "content" not in slot:
        raise RestError(
            HTTPStatus.FORBIDDEN, "rest-permission-denied-revision", str(revision["revid"])
        )
    text: str = slot["content"]
    return text


class Page(Route):
    """The source of a page."""

    path = "/v1/page/{title}"
    params = (TITLE, _REDIRECT)
    examples = ("/v1/page/Jupiter",)

    def get(self, call: RestCall) -> RestReply:
        """Return the page with its source."""
        page = find_page(
            call, wrong_title="rest-invalid-title", revision_properties=REVISION_WITH_TEXT
        )
        if moved := normalized(call, page.page["title"], cache=_REDIRECT_CACHE):
            return moved
        data = {**page_data(call, page), "source": source_of(page.revision)}
        return RestReply(data, PAGE_CACHE, page.revision["timestamp"])


class BarePage(Route):
    """A page without its text."""

    path = "/v1/page/{title}/bare"
    params = (TITLE, _REDIRECT)
    examples = ("/v1/page/Jupiter/bare",)

    def get(self, call: RestCall) -> RestReply:
        """Return the page with the address of its HTML."""
        current = find_page(call, wrong_title="rest-invalid-title")
        if moved := normalized(call, current.page["title"], below="/bare", cache=_REDIRECT_CACHE):
            return moved
        html = call.address(f"/v1/page/{encoded(current.page['title'])}/html")
        return RestReply(
            {**page_data(call, current), "html_url": html},
            PAGE_CACHE,
            current.revision["timestamp"],
        )


class _RenderedPage(Route):
    params = (TITLE, _REDIRECT)
    form: str

    def get(self, call: RestCall) -> RestReply:
        """Return the rendered page; a redirect leads to its target, unless ``redirect=no``."""
        page, below = look_up(call, REVISION_WITH_TEXT), f"/{self.form}"
        if page is None:
            title = call.text("title")
            raise RestError(HTTPStatus.FORBIDDEN, "rest-permission-denied-title", title)
        if call.values["redirect"]:
            moved = normalized(call, page["title"], below=below, cache=_REDIRECT_CACHE)
            if moved is not None:
                return moved
            if target := _target(call, page):
                return RestReply(
                    status=HTTPStatus.TEMPORARY_REDIRECT,
                    location=call.path(f"/v1/page/{target}{below}", _NO_REDIRECT),
                    cache=_REDIRECT_CACHE,
                )
        current = existing(call, page)
        html = html_of(call, current.page, current.revision, source_of(current.revision))
        if self.form == "html":
            return html_reply(call, html, current.page, current.revision)
        data = {**page_data(call, current), "html": html}
        return RestReply(data, PAGE_CACHE, current.page["touched"])


class PageHtml(_RenderedPage):
    """The HTML of a page."""

    path = "/v1/page/{title}/html"
    examples = ("/v1/page/Jupiter/html",)
    form = "html"


class PageWithHtml(_RenderedPage):
    """A page with its HTML."""

    path = "/v1/page/{title}/with_html"
    examples = ("/v1/page/Jupiter/with_html",)
    form = "with_html"


class LanguageLinks(Route):
    """The pages in other languages to which a page links."""

    path = "/v1/page/{title}/links/language"
    params = (TITLE,)
    examples = ("/v1/page/Jupiter/links/language",)

    def get(self, call: RestCall) -> RestReply:
        """Return the links, in the order of the page."""
        current = find_page(call)
        query = call.query(
            pageids=current.page["pageid"],
            prop="langlinks",
            lllimit="max",
            llprop="langname|autonym",
        )
        links = []
        for link in query["pages"][0].get("langlinks", ()):
            # As in MediaWiki, titles are spelled as those of this wiki, and name no section.
            target = call.site.titles.try_parse(link["title"])
            title = link["title"] if target is None else target.prefixed_text
            code, name = link["lang"], link["autonym"]
            links.append({"code": code, "name": name, "key": key_of(title), "title": title})
        return RestReply(links, modified=current.page["touched"])
