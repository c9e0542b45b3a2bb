"""A wikiapi plugin that counts the words of pages and collects the terms that they explain.

It adds ``prop=wordcount``, ``prop=terms`` (also a generator), ``{{#wordcount:}}``, ``<term>``, a
table and ``wikiapi wordcount``. Each has its own module; this one implements the hooks.
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
    """Return ``prop=wordcount`` and ``prop=terms``."""
    return (WordCount, Terms)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#wordcount:}}``."""
    return (function.DECLARATION,)


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<term>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_models() -> Iterable[type[Model]]:
    """Return the model of the table of terms."""
    return (model.ExplainedTerm,)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Store the terms of pages whose links have been derived."""
    model.replace(site.db, pages)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits for ``siprop=extensions``."""
    return (
        ExtensionCredits(
            name="WordCount",
            kind="parserhook",
            version=__version__,
            license="MIT",
            description="Counts the words of pages and collects the terms that they explain",
        ),
    )


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Add ``wikiapi wordcount``."""
    cli.add_command(wordcount)
