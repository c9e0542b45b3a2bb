"""A wikiapi plugin that counts words: ``prop=wordcount`` and ``wikiapi wordcount``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi_wordcount.command import wordcount
from wikiapi_wordcount.prop import WordCount

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click

    from wikiapi.api.query.module import QueryModule


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """The module of this plugin."""
    return [WordCount]


@hookimpl
def register_commands(cli: click.Group) -> None:
    """The command of this plugin."""
    cli.add_command(wordcount)
