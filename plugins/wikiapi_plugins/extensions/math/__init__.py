"""Math: ``<math>`` and ``<chem>``, formulas in LaTeX shown as MathML.

For wikis whose configuration has a table ``[extensions.math]``, which may be empty; without it the
tags are not defined. MathML needs ``pip install wikiapi-server[math]``; without it the source of a
formula is shown, as by a MediaWiki that does not render formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.math import tag

_NAME = "math"


def _is_on(site: Site) -> bool:
    return _NAME in site.config.extensions


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return ``<math>`` and ``<chem>``, if the wiki enables them."""
    return tag.DECLARATIONS if _is_on(site) else ()


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages for invalid formulas."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of formulas."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, if the wiki enables it."""
    credit = ExtensionCredits.bundled("Math", "parserhook", "Formulas shown as MathML")
    return (credit,) if _is_on(site) else ()
