"""Tests of collations that need ICU are skipped where the extra ``icu`` is not installed."""

from __future__ import annotations

import importlib.util
import os

import pytest

REQUIRED = "WIKIAPI_REQUIRE_ICU"
"""If this is in the environment, the absence of ICU is a failure."""

needs_icu = pytest.mark.skipif(
    importlib.util.find_spec("icu") is None and not os.environ.get(REQUIRED),
    reason="the extra icu is not installed",
)
