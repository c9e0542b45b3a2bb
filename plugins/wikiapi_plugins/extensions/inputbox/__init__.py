"""InputBox: ``<inputbox>``, forms to search, create, comment on and move pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.inputbox import tag

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "InputBox",
            description="Forms within pages",
            tags=(tag.DECLARATION,),
            messages=FOLDER / "messages",
            resources=lambda: (*read_modules(FOLDER / "resources"), ResourceModule("ext.inputBox")),
        ),
    )
