"""HeaderTabs: ``<headertabs />`` turns the top-level sections above it into tabs.

Settings of ``[extensions.headertabs]``: ``render_single_tab`` (false) makes a tab even of a single
section; ``edit_tab_link`` (true) gives tabs links to edit their sections; ``default_first_tab``
(empty) is the label of a tab for the text above the first heading; ``disable_default_toc`` (true)
leaves out the table of contents of a page with tabs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.headertabs import tabs


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<headertabs>`` and ``<notabtoc>``."""
    return tabs.TAGS


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#switchtablink:}}``."""
    return (tabs.FUNCTION,)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet and the script of tabs."""
    return read_modules(Path(__file__).parent / "resources", in_reader=True)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    credit = ExtensionCredits.bundled("HeaderTabs", "parserhook", "Tabs made of sections")
    return (credit,)
