"""Whether users may log in and change a wiki."""

from __future__ import annotations

from wikiapi.site import Site


def is_writable(site: Site) -> bool:
    """Return whether users may log in and change the wiki."""
    return site.is_writable and site.plugins.has_plugin("editing")
