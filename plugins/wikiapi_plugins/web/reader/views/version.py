"""``Special:Version``: the software and its extensions. Archiving tools request this page first."""

from __future__ import annotations

import platform
from typing import NamedTuple

from wikiapi import __version__
from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.query.site.siteinstall import extension_credits
from wikiapi_plugins.web.reader.context import ViewContext


class Software(NamedTuple):
    """A program and its version."""

    name: str
    version: str


def show_version(context: ViewContext, _: Title) -> Reply:
    """Show the MediaWiki version reported to clients, the software versions and the extensions."""
    name, _space, version = context.site.config.site.generator.partition(" ")
    return context.render(
        "version.html",
        context.text("version"),
        software=[
            Software(name, version),
            Software("wikiapi", __version__),
            Software("Python", platform.python_version()),
            Software(str(context.db.dialect.name), ""),
        ],
        extensions=extension_credits(context.site),
    )
