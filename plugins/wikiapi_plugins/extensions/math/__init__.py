"""Math: ``<math>`` and ``<chem>``, formulas in LaTeX shown as MathML.

For wikis whose configuration has a table ``[extensions.math]``, which may be empty; without it the
tags are not defined. MathML needs ``pip install wikiapi-server[math]``; without it the source of a
formula is shown, as by a MediaWiki that does not render formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.site import Site
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.math import tag

FOLDER = Path(__file__).parent

_NAME = "math"


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension, if the wiki enables it."""
    if _NAME not in site.config.extensions:
        return ()
    return (
        BundledExtension(
            "Math",
            description="Formulas shown as MathML",
            tags=tag.DECLARATIONS,
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )
