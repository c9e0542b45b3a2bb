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
from wikiapi.plugins import Extension
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.dynamicpagelist import calls

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "DynamicPageList3",
            description="Lists of pages",
            tags=calls.TAGS,
            functions=calls.FUNCTIONS,
            messages=FOLDER / "messages",
        ),
    )
