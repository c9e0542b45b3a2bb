"""DynamicPageList3: lists of pages by ``{{#dpl:}}``, ``<DPL>`` and ``<DynamicPageList>``.

``<DynamicPageList>`` also accepts the parameters of Wikimedia's extension of that name. Settings of
``[extensions.dynamicpagelist]``: ``max_results`` (500), the maximum number of pages in one list;
``cache_seconds`` (300), how long a page with a list is cached; ``header_template`` ("Extension
DPL"), the template put before every list, or an empty text for none.
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
    """Return ``{{#dpl:}}`` and its helper functions."""
    return calls.FUNCTIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts of errors and the names of tracking categories."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("DynamicPageList3", "parserhook", "Lists of pages"),)
