"""A wikiapi plugin that counts the words of pages and collects the terms that they explain.

It adds ``prop=wordcount``, ``prop=terms`` (also a generator), ``{{#wordcount:}}``, ``<term>``, a
table and ``wikiapi wordcount``. Each has its own module; this one implements the hooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi_wordcount import function, model, tag
from wikiapi_wordcount.command import wordcount
from wikiapi_wordcount.prop import WordCount
from wikiapi_wordcount.terms import Terms

__version__ = "1.0.0"


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension, with everything that it declares."""
    return (
        Extension(
            "WordCount",
            kind="parserhook",
            version=__version__,
            license="MIT",
            description="Counts the words of pages and collects the terms that they explain",
            tags=(tag.DECLARATION,),
            functions=(function.DECLARATION,),
            query_modules=(WordCount, Terms),
            models=(model.ExplainedTerm,),
        ),
    )


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Store the terms of pages whose links have been derived."""
    model.replace(site.db, pages)


@hookimpl
def register_commands(cli: click.Group) -> None:
    """Add ``wikiapi wordcount``."""
    cli.add_command(wordcount)
