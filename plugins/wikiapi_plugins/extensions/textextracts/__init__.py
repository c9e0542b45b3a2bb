"""TextExtracts: ``prop=extracts``, pages as plain text or as limited HTML.

The setting ``remove`` of ``[extensions.textextracts]`` lists the elements to leave out, as ``tag``,
``tag.class``, ``.class`` or ``#id``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi_plugins.extensions.textextracts.module import Extracts


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Return ``prop=extracts``."""
    return (Extracts,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts of warnings."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, by which clients recognise it."""
    return (
        ExtensionCredits.bundled(
            "TextExtracts", "other", "Extracts of pages as plain text or limited HTML"
        ),
    )
