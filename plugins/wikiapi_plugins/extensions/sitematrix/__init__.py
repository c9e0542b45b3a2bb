"""SiteMatrix: ``action=sitematrix`` lists the wikis of a farm, by language, and special ones.

For wikis whose configuration has a table ``[extensions.sitematrix]``; without it the action does
not exist. The wikis are those of ``[[extensions.sitematrix.wikis]]``, this one, and the local
entries of the interwiki map that have a language code as prefix and the name of a database.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi_plugins.extensions.sitematrix.module import SiteMatrix
from wikiapi_plugins.extensions.sitematrix.wikis import NAME, Wikis


def _is_on(site: Site) -> bool:
    return NAME in site.config.extensions


@hookimpl
def register_actions(site: Site) -> Iterable[type[Action]]:
    """Return ``action=sitematrix``, if the wiki enables it.

    Raises:
        ConfigError: a wiki is configured incorrectly.
    """
    if not _is_on(site):
        return ()
    Wikis(site)
    return (SiteMatrix,)


@hookimpl
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """Return the credits of the extension, if the wiki enables it."""
    credit = ExtensionCredits.bundled("SiteMatrix", "specialpage", "The wikis of a farm")
    return (credit,) if _is_on(site) else ()
