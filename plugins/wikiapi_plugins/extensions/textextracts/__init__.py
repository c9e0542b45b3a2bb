"""TextExtracts: ``prop=extracts``, pages as plain text or as HTML cut down to what is text.

The setting ``remove`` of ``[extensions.textextracts]`` is what is left out: a list of ``tag``,
``tag.class``, ``.class`` and ``#id``.
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
    """Return the texts of its warnings."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, by which clients recognise it."""
    return (
        ExtensionCredits.bundled(
            "TextExtracts", "other", "Extracts of pages as plain text or limited HTML"
        ),
    )
