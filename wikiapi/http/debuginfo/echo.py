"""The request as debuginfo repeats it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.values import clean
from wikiapi.api.result import Obj

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.request import ApiRequest

REDACTED = "(not shown)"
_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization"})


def shown_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by upper-case name, without those that let somebody in."""
    return {
        name.upper(): REDACTED if name in _SECRET_HEADERS else _text(value)
        for name, value in headers.items()
    }


def echo(request: ApiRequest) -> Obj:
    """Method, address, headers and decoded parameters."""
    params = ((_text(name), clean(value)[0]) for name, value in request.params.items())
    return Obj(
        {
            "method": request.method,
            "url": request.url,
            "headers": Obj(shown_headers(request.headers)),
            "params": Obj(params),
        }
    )


def first_line(request: ApiRequest) -> str:
    """The first entry of ``debugLog``: what was asked, from where, with which headers."""
    headers = (f"{name}: {value}" for name, value in shown_headers(request.headers).items())
    start = f"Start request {request.method} {request.url}"
    return "\n".join([start, f"IP: {request.remote_address}", "HTTP HEADERS:", *headers])


def _text(value: str) -> str:
    """A text from the request without what UTF-8 cannot hold."""
    return value.encode("utf-8", "replace").decode()
