from __future__ import annotations

from tests.browser.chromium import browser
from tests.browser.explorerpage import page, server

__all__ = ["browser", "page", "server"]
