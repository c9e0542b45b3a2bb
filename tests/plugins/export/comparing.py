"""Exports by the plugin's function, and what they consist of."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from wikiapi.config import Config
from wikiapi_plugins.export.writing import run

_DEFAULTS: dict[str, Any] = {
    "html": None,
    "zim": None,
    "jsonl": None,
    "parquet": None,
    "markdown": None,
    "namespaces": (),
    "kinds": (),
    "chunk_size": 2_000,
    "parser": "legacy",
    "url": "",
    "jobs": 1,
    "cluster": "",
    "shard": None,
    "step": None,
}
ENDINGS = {"html": "", "zim": ".zim", "jsonl": ".jsonl", "parquet": "", "markdown": ""}
"""The formats, and the endings of what they are written to."""


def export(config: Config, kind: str, path: Path, **options: Any) -> None:
    """Export a wiki in one format."""
    run(config, {**_DEFAULTS, kind: path, **options})


def content(path: Path) -> dict[str, Any]:
    """Return the bytes of each file of an export, or of each entry of a ZIM file.

    Two ZIM files are never equal, since libzim gives each an identifier of its own.
    """
    if path.suffix == ".zim":
        return _entries(path)
    if path.is_file():
        return {"": path.read_bytes()}
    return {
        str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()
    }


def _entries(path: Path) -> dict[str, Any]:
    archive = import_module("libzim.reader").Archive(path)
    contents: dict[str, Any] = {}
    for number in range(archive.entry_count):
        entry = archive._get_entry_by_id(number)
        if entry.is_redirect:
            contents[entry.path] = entry.title, entry.get_redirect_entry().path
        else:
            item = entry.get_item()
            contents[entry.path] = entry.title, item.mimetype, bytes(item.content)
    for name in archive.metadata_keys:
        contents[f"M/{name}"] = archive.get_metadata(name)
    return contents
