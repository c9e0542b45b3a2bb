"""Creating and changing pages, and rendering texts that are not saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar

from wikiapi.languages import html_code
from wikiapi.rest import (
    RestCall,
    RestError,
    RestField,
    RestParam,
    RestReply,
    Route,
)
from wikiapi_plugins.web.rest.documents import DOCUMENT, html_of_text
from wikiapi_plugins.web.rest.pages import (
    REVISION_WITH_TEXT,
    TITLE,
    Page,
    encoded,
    find_page,
    page_data,
    source_of,
)

_STATUSES: Mapping[str, int] = MappingProxyType(
    {
        "articleexists": HTTPStatus.CONFLICT,
        "editconflict": HTTPStatus.CONFLICT,
        "missingtitle": HTTPStatus.NOT_FOUND,
        "nosuchrevid": HTTPStatus.NOT_FOUND,
        "ratelimited": HTTPStatus.TOO_MANY_REQUESTS,
        "badtoken": HTTPStatus.FORBIDDEN,
        "permissiondenied": HTTPStatus.FORBIDDEN,
        "blocked": HTTPStatus.FORBIDDEN,
        "cantchangecontentmodel": HTTPStatus.FORBIDDEN,
        "noedit": HTTPStatus.FORBIDDEN,
        "noedit-anon": HTTPStatus.FORBIDDEN,
        "writeapidenied": HTTPStatus.FORBIDDEN,
        "assertuserfailed": HTTPStatus.FORBIDDEN,
    }
)
"""The HTTP statuses of the errors of ``action=edit``.

Pages are protected in many ways, each with its own code, such as ``customjsprotected``: these are
forbidden too. All others are bad requests.
"""


_SOURCE = RestField("source", is_required=True, help="The new text of the page.")
_COMMENT = RestField("comment", is_required=True, help="What was changed, for the history.")
_MODEL = RestField("content_model", help="The content model of a new page, such as wikitext.")
_TOKEN = RestField("token", help="The CSRF token of a session with cookies.")
_TITLE = RestField("title", is_required=True, help="The title of the new page.")
_LATEST = RestField(
    "latest",
    "object",
    help="The revision that was changed, as its id: it must still be the page's latest, or the"
    " changes of others are merged. Without it, the page is created.",
)


def _save(call: RestCall, title: str, body: Mapping[str, Any], **options: Any) -> None:
    """Save a text with ``action=edit``.

    Raises:
        RestError: the text was not saved.
    """
    answer = call.ask(
        action="edit",
        title=title,
        text=body["source"],
        summary=body["comment"],
        contentmodel=body["content_model"],
        token=body["token"] or "+\\",
        **options,
    )
    if answer.codes:
        code = answer.codes[0]
        default = HTTPStatus.FORBIDDEN if "protected" in code else HTTPStatus.BAD_REQUEST
        status = _STATUSES.get(code, default)
        raise RestError(status, "rest-edit-failed", answer.reasons[0], data={"errorKey": code})


def _saved(call: RestCall, title: str, status: int) -> RestReply:
    saved = replace(call, values={"title": title})
    page = find_page(saved, revision_properties=REVISION_WITH_TEXT)
    data = {**page_data(saved, page), "source": source_of(page.revision)}
    location = call.path(f"/v1/page/{encoded(page.key)}") if status == HTTPStatus.CREATED else ""
    return RestReply(data, modified=page.revision["timestamp"], status=status, location=location)


class NewPage(Route):
    """Creating a page."""

    path = "/v1/page"
    fields = (_TITLE, _SOURCE, _COMMENT, _MODEL, _TOKEN)

    def post(self, call: RestCall) -> RestReply:
        """Create a page and return it."""
        body = call.body()
        title = body["title"]
        _save(call, title, body, createonly=True)
        return _saved(call, title, HTTPStatus.CREATED)


class ChangedPage(Page):
    """A page, which can be changed."""

    fields = (_SOURCE, _LATEST, _COMMENT, _MODEL, _TOKEN)

    def put(self, call: RestCall) -> RestReply:
        """Change a page, or create it if the request names no revision that it is based on."""
        body, title = call.body(), call.text("title")
        base = (body["latest"] or {}).get("id")
        if base is not None and type(base) is not int:
            raise _LATEST.invalid("badvalue")
        options = {"createonly": True} if base is None else {"nocreate": True, "baserevid": base}
        _save(call, title, body, **options)
        return _saved(call, title, HTTPStatus.CREATED if base is None else HTTPStatus.OK)


class Transform(Route):
    """Rendering a text that is not saved."""

    path = "/v1/transform/{from}/to/{format}"
    params: ClassVar[Sequence[RestParam]] = (
        RestParam(
            "from",
            values=("wikitext", "html"),
            is_required=True,
            help="What is transformed: wikitext.",
        ),
        RestParam(
            "format",
            values=("html", "wikitext", "lint"),
            is_required=True,
            help="What it becomes: HTML.",
        ),
    )
    fields = (
        RestField("wikitext", is_required=True, help="The text."),
        RestField("title", help="The page that the text is rendered as."),
        RestField("body_only", "boolean", help="Whether to leave out the head of the document."),
    )

    def post(self, call: RestCall) -> RestReply:
        """Return the HTML of the wikitext in the body of the request."""
        if (call.text("from"), call.text("format")) != ("wikitext", "html"):
            raise RestError(HTTPStatus.NOT_IMPLEMENTED, "rest-transform-unsupported")
        body = call.body()
        name = call.values.get("title") or body["title"]
        title = call.site.titles.try_parse(name) if name else call.site.main_page
        if title is None or title.interwiki:
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-invalid-title", name)
        is_whole = not body["body_only"]
        html = html_of_text(call, body["wikitext"], title, is_whole=is_whole)
        language = ("Content-Language", html_code(call.site.language))
        return RestReply(html, has_etag=False, media_type=DOCUMENT, headers=(language,))


class TransformForPage(Transform):
    """Rendering a text that is not saved, as that of a page."""

    path = "/v1/transform/{from}/to/{format}/{title}"
    params = (*Transform.params, TITLE)
