"""Modules that are read from a folder."""

from __future__ import annotations

from pathlib import Path

from wikiapi.resources import ResourceModule, read_modules


def test_files_are_named_after_their_modules(tmp_path: Path) -> None:
    for name in ("ext.a.css", "ext.a.js", "ext.b.styles.css", "notes.md"):
        (tmp_path / name).write_text(name)
    assert read_modules(tmp_path, {"ext.a": ("ext.b.styles",)}) == [
        ResourceModule("ext.a", "ext.a.css", "ext.a.js", ("ext.b.styles",)),
        ResourceModule("ext.b.styles", "ext.b.styles.css"),
    ]
