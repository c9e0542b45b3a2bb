from __future__ import annotations

from tests.browser.chromium import browser

__all__ = ["browser"]
