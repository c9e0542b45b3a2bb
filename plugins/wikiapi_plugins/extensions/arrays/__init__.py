"""Arrays: ``{{#arraydefine:}}`` and other functions for named lists of texts within a page.

Regular expressions in their arguments need ``pip install wikiapi-server[patterns]``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.arrays import functions

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Arrays",
            description="Lists of texts that a page defines by name",
            functions=functions.DECLARATIONS,
            messages=FOLDER / "messages",
        ),
    )
