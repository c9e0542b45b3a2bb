"""Sends requests to the API in the same process, for commands that show its answers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wikiapi.cli.support.advice import Failure
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.config import Config
    from wikiapi.http.wsgiclient import Received
    from wikiapi.site import Site

LOOPBACK = "127.0.0.1"
_JSON = {"format": "json", "formatversion": "2", "errorformat": "plaintext"}


def without_debug_info(config: Config) -> Config:
    """Return the configuration without debuginfo in answers, unless it is always on."""
    if config.http.debug_info == "on":
        return config
    return replace(config, http=replace(config.http, debug_info="off"))


def with_read_right(config: Config) -> Config:
    """Return the configuration with the right to read, since the user can read the store anyway."""
    rights = dict.fromkeys((*config.permissions.anonymous_rights, "read"))
    return replace(config, permissions=replace(config.permissions, anonymous_rights=tuple(rights)))


def send(site: Site, method: str, query: str, form: Mapping[str, str] | None = None) -> Received:
    """Send a request to api.php and return the reply."""
    path = f"{site.config.site.script_path}/api.php"
    return InProcess(make_app(site), LOOPBACK).send(method, path, query, form=form)


def answer(site: Site, **params: str) -> dict[str, Any]:
    """Return the answer to a request, as JSON in format version 2.

    Raises:
        Failure: the answer is an error.
    """
    reply = send(site, "POST", "", {**params, **_JSON})
    data: dict[str, Any] = json.loads(reply.text)
    if errors := data.get("errors"):
        raise Failure(errors[0]["text"])
    return data
