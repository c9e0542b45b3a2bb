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
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.headertabs import tabs

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "HeaderTabs",
            description="Tabs made of sections",
            tags=tabs.TAGS,
            functions=(tabs.FUNCTION,),
            resources=lambda: read_modules(FOLDER / "resources", in_reader=True),
        ),
    )
