"""A digest of everything configured that a rendering may depend on."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.site import Site

_INDIFFERENT = frozenset(
    {
        "cache",
        "database",
        "http",
        "permissions",
        "files.folder",
        "files.repository_cache_seconds",
        "limits.template_cache_bytes",
        "limits.text_cache_bytes",
        "plugins.disabled",
        "site.read_only",
    }
)
"""Settings that change no rendering, or tell what is known better: which plugins are loaded.

Whatever is not named here counts, so that a new setting needs no thought to be safe.
"""


def settings_digest(site: Site) -> str:
    """The same for two sites only if their settings and interwiki maps render alike."""
    told = [_plain(site.config), [dataclasses.astuple(entry) for entry in site.interwiki]]
    written = json.dumps(told, sort_keys=True, default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(value: object, where: str = "") -> object:
    """As JSON has it, without the indifferent settings."""
    if dataclasses.is_dataclass(value):
        return _plain({f.name: getattr(value, f.name) for f in dataclasses.fields(value)}, where)
    if isinstance(value, Mapping):
        paths = {name: f"{where}.{name}".lstrip(".") for name in value}
        return {
            str(name): _plain(value[name], path)
            for name, path in paths.items()
            if path not in _INDIFFERENT
        }
    if isinstance(value, tuple | list):
        return [_plain(entry, where) for entry in value]
    return value
