"""Errors in the form of MediaWiki's REST API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from wikiapi.http import RETRY_LATER, Header
from wikiapi.languages import Message, Plain


class RestError(Exception):
    """An error, which is reported in the form of MediaWiki's REST API."""

    headers: tuple[Header, ...] = ()

    def __init__(
        self, status: int, key: str, *params: str, data: Mapping[str, Any] | None = None
    ) -> None:
        """Initialise the error.

        Args:
            status: the HTTP status.
            key: the key of the message.
            params: the parameters of the message.
            data: the fields of the answer, by default the key as its ``errorKey``.
        """
        super().__init__(key)
        self.status = status
        self.message = Message(key, tuple(Plain(param) for param in params))
        self.data = {"errorKey": key} if data is None else dict(data)


class WrongMethod(RestError):
    """A route does not answer requests of this method."""

    def __init__(self, method: str, allowed: Sequence[str]) -> None:
        """Take the method, and those that the route answers."""
        names = ", ".join(allowed)
        super().__init__(HTTPStatus.METHOD_NOT_ALLOWED, "rest-wrong-method", method, names, data={})
        self.headers = (("Allow", names),)


class Unavailable(RestError):
    """The wiki cannot answer at the moment; the same request may succeed later."""

    headers = (RETRY_LATER,)

    def __init__(self, reason: str) -> None:
        """Take the reason in a word, such as an error code of the Action API."""
        super().__init__(HTTPStatus.SERVICE_UNAVAILABLE, "rest-unavailable", reason)


def invalid_parameter(
    name: str, value: str | None, code: str, *params: str, data: Any = None
) -> RestError:
    """Return the error for a parameter whose value cannot be used."""
    fields = {
        "error": "parameter-validation-failed",
        "name": name,
        "value": value,
        "failureCode": code,
        "failureData": data,
        **(data if isinstance(data, dict) else {}),
        "errorKey": code,
    }
    status = HTTPStatus.BAD_REQUEST
    return RestError(status, f"rest-{code}", name, value or "", *params, data=fields)
