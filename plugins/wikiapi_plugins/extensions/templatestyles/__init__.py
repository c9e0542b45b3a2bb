"""TemplateStyles: ``<templatestyles src="...">``, checked sheets that templates bring."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.templatestyles import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<templatestyles>``."""
    return (tag.declaration(),)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Errors and their tracking category."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("TemplateStyles", "parserhook", "Styles of templates"),)
