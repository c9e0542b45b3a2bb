"""The colours and fonts of all HTML pages that wikiapi serves, in light and dark."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent

PALETTE = (_FOLDER / "palette.css").read_text(encoding="utf-8")
"""The custom properties that the other style sheets use."""

LOOK = PALETTE + (_FOLDER / "palette-dark.css").read_text(encoding="utf-8")
"""The palette, with values for readers who prefer a dark colour scheme."""
