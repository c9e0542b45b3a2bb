"""Absolute URLs for Markdown that is used outside the wiki."""

from __future__ import annotations

from wikiapi.site import Site


def absolute_url(site: Site, url: str) -> str:
    """Return the absolute form of a URL on the wiki; other URLs are returned unchanged."""
    if url.startswith("//"):
        return f"{site.config.site.server.partition('//')[0]}{url}"
    return f"{site.config.site.server}{url}" if url.startswith("/") else url
