"""SyntaxHighlight: ``<syntaxhighlight>``, source in colours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.syntaxhighlight import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<syntaxhighlight>`` and its older name, ``<source>``."""
    return tag.declarations()


@hookimpl
def register_messages() -> Iterable[Path]:
    """Its tracking categories."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("SyntaxHighlight", "parserhook", "Source in colours"),)
