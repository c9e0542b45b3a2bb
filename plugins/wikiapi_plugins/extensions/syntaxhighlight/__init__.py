"""SyntaxHighlight: ``<syntaxhighlight>``, source code in colours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.syntaxhighlight import tag
from wikiapi_plugins.highlighting.highlighter import SCRIPTS


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<syntaxhighlight>`` and its older name, ``<source>``."""
    return tag.declarations()


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the names of the tracking categories."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of colours and an empty module under the name of the script."""
    return (*read_modules(Path(__file__).parent / "resources"), ResourceModule(SCRIPTS))


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("SyntaxHighlight", "parserhook", "Source code in colours"),)
