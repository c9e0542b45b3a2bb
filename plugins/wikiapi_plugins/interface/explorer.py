"""Where the API is tried out in a browser, for those who lead there."""

from __future__ import annotations

from wikiapi.site import Site

PATH = "/explore"
"""Path of the explorer's page, below where a site is mounted."""
_NAME = "explorer"


def has_explorer(site: Site) -> bool:
    """Return whether the plugin with the explorer is enabled."""
    return bool(site.plugins.has_plugin(_NAME))
