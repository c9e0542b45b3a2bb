"""Facts of MediaWiki 1.45 that modules show, as JSON files."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

_FOLDER = "wikiapi_plugins.facts"


@cache
def facts(name: str) -> Any:
    """Return the content of a file ``<name>.json``, which is read once and must not be changed."""
    return json.loads((resources.files(_FOLDER) / f"{name}.json").read_text("utf-8"))
