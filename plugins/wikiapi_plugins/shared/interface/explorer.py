"""The location of the API explorer, for pages that link to it."""

from __future__ import annotations

from wikiapi.site import Site

PATH = "/explore"
"""Path of the explorer's page, relative to the mount point of a site."""
_NAME = "explorer"


def has_explorer(site: Site) -> bool:
    """Return whether the plugin with the explorer is enabled."""
    return bool(site.plugins.has_plugin(_NAME))
