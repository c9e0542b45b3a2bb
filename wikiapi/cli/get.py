"""``wikiapi get``: one request without a server."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click

from wikiapi.cli.options import configured
from wikiapi.cli.sites import existing_site
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess

if TYPE_CHECKING:
    from wikiapi.config import Config
    from wikiapi.http.wsgiclient import Received

LOOPBACK = "127.0.0.1"
DEFAULTS = {"format": "json", "formatversion": "2"}


@click.command("get")
@configured
@click.argument("parameters", metavar="NAME=VALUE...", nargs=-1, required=True)
def command(config: Config, parameters: tuple[str, ...]) -> None:
    """Send one request to the API and print the answer.

    Each argument is a parameter, like action=query titles='Main Page'. Unless a format is given,
    the answer is JSON of format version 2, indented. Status 1 when the answer is an error.
    """
    values = dict(_pair(parameter) for parameter in parameters)
    pretty = "format" not in values
    query = urlencode({**DEFAULTS, **values} if pretty else values)
    with existing_site(_without_debug_info(config)) as site:
        path = f"{config.site.script_path}/api.php"
        reply = InProcess(make_app(site), LOOPBACK).send("GET", path, query)
    sys.stdout.write(_shown(reply, pretty))
    if reply.status >= 400 or "mediawiki-api-error" in reply.headers:
        sys.exit(1)


def _without_debug_info(config: Config) -> Config:
    """Whoever asks here sees the answer alone, unless the configuration insists."""
    if config.http.debug_info == "on":
        return config
    return replace(config, http=replace(config.http, debug_info="off"))


def _pair(parameter: str) -> tuple[str, str]:
    name, separator, value = parameter.partition("=")
    if not separator:
        raise click.UsageError(f"{parameter!r} is no parameter: write name=value")
    return name, value


def _shown(reply: Received, pretty: bool) -> str:
    text = reply.text
    if pretty and reply.headers.get("content-type", "").startswith("application/json"):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    return text if text.endswith("\n") else text + "\n"
