"""The content security policy of pages that load nothing and contain one style sheet."""

from __future__ import annotations

import base64
import hashlib


def own_style_policy(style: str) -> str:
    """Return a ``Content-Security-Policy`` that allows only the page's own ``<style>``."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
