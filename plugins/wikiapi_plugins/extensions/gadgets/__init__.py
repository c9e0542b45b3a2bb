"""Gadgets: ``list=gadgets`` and ``list=gadgetcategories``; ``load.php`` serves their pages.

For wikis whose configuration has a table ``[extensions.gadgets]``, which may be empty.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi_plugins.extensions.gadgets.categories import GadgetCategories
from wikiapi_plugins.extensions.gadgets.gadgets import Gadgets
from wikiapi_plugins.resources.gadgets import is_on


@hookimpl
def register_query_modules(site: Site) -> Iterable[type[QueryModule]]:
    """Return ``list=gadgets`` and ``list=gadgetcategories``, if the wiki enables them."""
    return (Gadgets, GadgetCategories) if is_on(site) else ()


@hookimpl
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, if the wiki enables it."""
    credit = ExtensionCredits.bundled("Gadgets", "other", "Scripts and style sheets of the wiki")
    return (credit,) if is_on(site) else ()
