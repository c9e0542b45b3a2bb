"""TemplateStyles: ``<templatestyles src="...">``, sanitized style sheets of templates."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ContentModel, ExtensionTag
from wikiapi_plugins.extensions.templatestyles import sheetpage, tag


@hookimpl
def register_content_models() -> Iterable[ContentModel]:
    """Return the content model of style sheets."""
    return (sheetpage.DECLARATION,)


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return the tag ``<templatestyles>``."""
    return (tag.declaration(),)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages and the name of their tracking category."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("TemplateStyles", "parserhook", "Styles of templates"),)
