"""TabberNeue: ``<tabber>`` and ``<tabbertransclude>``, tabs of which one is shown at a time.

Settings of ``[extensions.tabberneue]``: ``parse_tab_name`` (false) parses the labels of tabs as
wikitext; ``wrap`` (false) wraps long rows of labels on all pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.tabberneue import tags


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<tabber>`` and ``<tabbertransclude>``."""
    return tags.DECLARATIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the names of tracking categories."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of tabs, and the script that switches between them."""
    return read_modules(Path(__file__).parent / "resources", in_reader=True)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("TabberNeue", "parserhook", "Tabs within pages"),)
