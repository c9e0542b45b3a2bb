"""What the container of a document says of its form."""

from __future__ import annotations

from types import MappingProxyType

VERSIONS = MappingProxyType(
    {"data-mw-parsoid-version": "0.22.0.0", "data-mw-html-version": "2.8.0"}
)
"""Versions of the parser whose form is written, and of the specification."""
