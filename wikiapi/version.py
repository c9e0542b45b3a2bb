"""The version of wikiapi, below everything that names it."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
