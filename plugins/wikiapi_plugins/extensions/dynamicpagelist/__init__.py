"""DynamicPageList3: lists of pages, ``{{#dpl:}}`` and ``<DPL>``, and ``<DynamicPageList>``.

``<DynamicPageList>`` takes the parameters of Wikimedia's extension of that name as well. Settings
of ``[extensions.dynamicpagelist]``: ``max_results`` (500), the pages that one list may have;
``cache_seconds`` (300), how long a page with a list is kept; ``header_template`` ("Extension DPL"),
the template that stands before every list, or an empty text for none.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.dynamicpagelist import calls


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<DPL>`` and ``<DynamicPageList>``."""
    return calls.TAGS


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#dpl:}}`` and its relatives."""
    return calls.FUNCTIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts of errors and the names of tracking categories."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("DynamicPageList3", "parserhook", "Lists of pages"),)
