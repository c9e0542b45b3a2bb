"""Math: ``<math>`` and ``<chem>``, formulas in LaTeX shown as MathML.

For wikis whose configuration has a table ``[extensions.math]``, which may be empty; without it the
tags are no tags. MathML comes with ``pip install wikiapi[math]``; without that the source is shown,
as MediaWiki shows it where it renders nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.math import tag

_NAME = "math"


def _is_on(site: Site) -> bool:
    return _NAME in site.config.extensions


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """``<math>`` and ``<chem>``, if the wiki enables them."""
    return tag.DECLARATIONS if _is_on(site) else ()


@hookimpl
def register_messages() -> Iterable[Path]:
    """What is said of formulas that cannot be read."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """As the extension of that name, where the wiki has it."""
    credit = ExtensionCredits.bundled("Math", "parserhook", "Formulas shown as MathML")
    return (credit,) if _is_on(site) else ()
