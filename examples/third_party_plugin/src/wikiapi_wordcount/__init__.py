"""A wikiapi plugin about words: how many a page has, and which it explains.

``prop=wordcount``, ``prop=terms`` (a generator, too), ``{{#wordcount:}}``, ``<term>``, a table of
its own and ``wikiapi wordcount``. Each lies in a module of its own; this one implements the hooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from peewee import Model

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_wordcount import function, model, tag
from wikiapi_wordcount.command import wordcount
from wikiapi_wordcount.prop import WordCount
from wikiapi_wordcount.terms import Terms

__version__ = "1.0.0"


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """``prop=wordcount`` and ``prop=terms``."""
    return (WordCount, Terms)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """``{{#wordcount:}}``."""
    return (function.DECLARATION,)


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<term>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_models() -> Iterable[type[Model]]:
    """The table of terms, made in stores that do not have it."""
    return (model.ExplainedTerm,)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Keep the terms of the pages whose texts have just been read."""
    model.replace(site.db, pages)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """What ``siprop=extensions`` shows."""
    return (
        ExtensionCredits(
            name="WordCount",
            kind="parserhook",
            version=__version__,
            license="MIT",
            description="Counts the words of pages, and keeps the terms they explain",
        ),
    )


@hookimpl
def register_commands(cli: click.Group) -> None:
    """``wikiapi wordcount``."""
    cli.add_command(wordcount)
