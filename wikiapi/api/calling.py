"""Asking a wiki's own API from Python, without HTTP."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wikiapi.accounts.user import Session, User
from wikiapi.api import dispatch, tokens
from wikiapi.api.context import RequestContext
from wikiapi.api.registries import registries
from wikiapi.api.request import ApiRequest
from wikiapi.api.result import to_version2
from wikiapi.errors import ApiError, ApiErrors, RequestFailed
from wikiapi.site import Site

Value = str | int | bool | None | list[str] | tuple[str, ...]
"""The value of a parameter in Python: lists are joined, ``True`` sets a flag, and parameters that
are ``None`` or ``False`` are left out."""
Answer = dict[str, Any]


def call(
    site: Site, params: Mapping[str, Value], user: User | None = None, /, **named: Value
) -> Answer:
    """Return the answer of the site's own API, in format version 2.

    An action that needs a token gets one. Exceptions that are not errors of the API, such as
    :class:`~wikiapi.errors.StoreError`, are not converted.

    Args:
        site: the wiki.
        params: the parameters of the request.
        user: who asks; by default a visitor on this machine.
        named: more parameters.

    Raises:
        RequestFailed: the answer is an error.
    """
    session = Session(secrets.token_hex(16), key=secrets.token_bytes(32))
    session.user_id = user.id if user else 0
    fields = encoded({**params, **named})
    action = registries(site).actions.get(fields.get("action", ""))
    if action is not None and action.needs_token:
        token = tokens.issue(session, action.needs_token, site.clock())
        fields.setdefault(f"{action.prefix}token", token)
    context = RequestContext.of(site, ApiRequest("POST", fields), session, user)
    try:
        with dispatch.limited(context):
            dispatch.perform(context)
    except (ApiError, ApiErrors) as error:
        dispatch.fail(context, error)
        raise failure(_plain(context.result.root)) from error
    answer: Answer = _plain(context.result.answer)
    return answer


def walk(
    site: Site, params: Mapping[str, Value], user: User | None = None, /, **named: Value
) -> Iterator[Answer]:
    """Yield the answers to a query one after another, following ``continue``.

    Raises:
        RequestFailed: an answer is an error.
    """
    query: dict[str, Value] = {**params, **named}
    continuation: dict[str, Value] = {}
    while True:
        answer = call(site, {**query, **continuation}, user)
        yield answer
        if "continue" not in answer:
            return
        continuation = answer["continue"]


def _plain(root: Any) -> Any:
    """Return a response tree as a client gets it from JSON."""
    return json.loads(json.dumps(to_version2(root)))


def is_error(answer: Answer) -> bool:
    """Return whether an answer is an error, in any error format."""
    return bool(answer.get("error") or answer.get("errors"))


def failure(answer: Answer) -> RequestFailed:
    """Return the exception for an answer that is an error."""
    error = answer.get("error") or answer["errors"][0]
    text = error.get("info") or error.get("text") or error.get("html") or ""
    return RequestFailed(str(error.get("code", "")), str(text), answer)


def encoded(params: Mapping[str, Value]) -> dict[str, str]:
    """Return parameters as they are sent in a request."""
    fields = {}
    for name, value in params.items():
        if isinstance(value, list | tuple):
            fields[name] = _joined(value)
        elif value is not None and value is not False:
            fields[name] = "1" if value is True else str(value)
    return fields


def _joined(values: Iterable[str]) -> str:
    """Return values joined by ``|``, or by U+001F if they contain it."""
    values = list(values)
    if any("|" in value for value in values):
        return "".join(f"\x1f{value}" for value in values)
    return "|".join(values)
