"""Creating and changing pages, and rendering texts that are not saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar

from wikiapi.http import ApiReply
from wikiapi_plugins.web.rest.pages import (
    REVISION_WITH_TEXT,
    TITLE,
    Page,
    encoded,
    find_page,
    page_data,
    source_of,
)
from wikiapi_plugins.web.rest.routing import (
    RestCall,
    RestError,
    RestParam,
    RestReply,
    Route,
    invalid_parameter,
    json_body,
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


def _text(body: Mapping[str, Any], name: str) -> str | None:
    """Return a text in the body of a request; ``None`` if it has none of this name.

    Raises:
        RestError: the value is not a text.
    """
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise _invalid_body(name, None, "badvalue")
    return value


def _required(body: Mapping[str, Any], name: str) -> str:
    value = _text(body, name)
    if value is None:
        raise _invalid_body(name, None, "missingparam")
    return value


def _invalid_body(name: str, value: str | None, code: str) -> RestError:
    error = invalid_parameter(name, value, code)
    error.data["errorKey"] = "rest-body-validation-error"
    return error


def _save(call: RestCall, title: str, body: Mapping[str, Any], **options: Any) -> None:
    """Save a text with ``action=edit``.

    Raises:
        RestError: the text was not saved.
    """
    answer = call.ask(
        action="edit",
        title=title,
        text=_required(body, "source"),
        summary=_required(body, "comment"),
        contentmodel=_text(body, "content_model"),
        token=_text(body, "token") or "+\\",
        **options,
    )
    _raise_failure(answer)


def _raise_failure(answer: ApiReply) -> None:
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

    def post(self, call: RestCall) -> RestReply:
        """Create a page and return it."""
        body = json_body(call)
        title = _required(body, "title")
        _save(call, title, body, createonly=True)
        return _saved(call, title, HTTPStatus.CREATED)


class ChangedPage(Page):
    """A page, which can be changed."""

    def put(self, call: RestCall) -> RestReply:
        """Change a page, or create it if the request names no revision that it is based on."""
        body, title = json_body(call), call.text("title")
        _required(body, "source")
        latest = body.get("latest")
        base = latest.get("id") if isinstance(latest, dict) else None
        if base is not None and type(base) is not int:
            raise _invalid_body("latest", None, "badvalue")
        options = {"createonly": True} if base is None else {"nocreate": True, "baserevid": base}
        _save(call, title, body, **options)
        return _saved(call, title, HTTPStatus.CREATED if base is None else HTTPStatus.OK)


class Transform(Route):
    """Rendering a text that is not saved."""

    path = "/v1/transform/{from}/to/{format}"
    params: ClassVar[Sequence[RestParam]] = (
        RestParam("from", values=("wikitext", "html"), is_required=True),
        RestParam("format", values=("html", "wikitext", "lint"), is_required=True),
    )

    def post(self, call: RestCall) -> RestReply:
        """Return the HTML of the wikitext in the body of the request."""
        if (call.text("from"), call.text("format")) != ("wikitext", "html"):
            raise RestError(HTTPStatus.NOT_IMPLEMENTED, "rest-transform-unsupported")
        body = json_body(call)
        answer = call.ask(
            action="parse",
            text=_required(body, "wikitext"),
            title=call.values.get("title") or _text(body, "title"),
            contentmodel="wikitext",
            prop="text",
            parser="parsoid",
        )
        _raise_failure(answer)
        return RestReply(answer.data["parse"]["text"], has_etag=False)


class TransformForPage(Transform):
    """Rendering a text that is not saved, as that of a page."""

    path = "/v1/transform/{from}/to/{format}/{title}"
    params = (*Transform.params, TITLE)
