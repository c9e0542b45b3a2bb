"""The look of all HTML pages that wikiapi serves: colours and fonts, in light and dark.

Pages that load nothing and contain one style sheet have a policy that allows only this.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

_FOLDER = Path(__file__).parent

PALETTE = (_FOLDER / "palette.css").read_text(encoding="utf-8")
"""The custom properties that the other style sheets use."""

LOOK = PALETTE + (_FOLDER / "palette-dark.css").read_text(encoding="utf-8")
"""The palette, with values for readers who prefer a dark colour scheme."""


def own_style_policy(style: str) -> str:
    """Return a ``Content-Security-Policy`` that allows only the page's own ``<style>``."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
