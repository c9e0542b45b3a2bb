"""The colours and letters that all pages of wikiapi for people have in common, light and dark."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent

PALETTE = (_FOLDER / "palette.css").read_text(encoding="utf-8")
"""Custom properties by the names that the other sheets use."""

LOOK = PALETTE + (_FOLDER / "palette-dark.css").read_text(encoding="utf-8")
"""The palette, and its values for readers who prefer the dark."""
