"""Marks for tests of what not every kind of database has."""

from __future__ import annotations

import pytest

only_sqlite = pytest.mark.parametrize("db", ["sqlite"], indirect=True)
"""The rule of a test's text, or of the plan of a statement, is SQLite's own."""
