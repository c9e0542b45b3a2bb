"""Data of MediaWiki 1.45 that several modules use, as JSON files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

_FOLDER = "wikiapi_plugins.shared.facts"


@cache
def facts(name: str) -> Any:
    """Return the content of ``<name>.json``, which is cached and must not be changed."""
    return json.loads((resources.files(_FOLDER) / f"{name}.json").read_text("utf-8"))
