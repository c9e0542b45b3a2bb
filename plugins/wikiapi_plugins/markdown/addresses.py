"""The addresses in Markdown that leaves the wiki."""

from __future__ import annotations

from wikiapi.site import Site


def full_address(site: Site, url: str) -> str:
    """Return the full form of an address on the wiki; others are returned unchanged."""
    if url.startswith("//"):
        return f"{site.config.site.server.partition('//')[0]}{url}"
    return f"{site.config.site.server}{url}" if url.startswith("/") else url
