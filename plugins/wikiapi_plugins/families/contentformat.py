"""Formats: the MIME type in which a content model's text is handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.site import Site

_PLAIN = "text/plain"
_FORMATS = {
    "wikitext": "text/x-wiki",
    "css": "text/css",
    "sanitized-css": "text/css",
    "javascript": "text/javascript",
    "json": "application/json",
    "vue": "text/javascript",
}


def default_format(site: Site, model: str) -> str:
    """The MIME type of a content model, plain text for one that is not known."""
    return _FORMATS.get(model, _PLAIN)
