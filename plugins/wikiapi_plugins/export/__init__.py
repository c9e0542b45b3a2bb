"""``wikiapi export``: the wiki as a static site, a ZIM file, JSON lines or Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from wikiapi.errors import WikiapiError
from wikiapi.hookspecs import hookimpl

PAGES, CHUNKS = "pages", "chunks"
"""The kinds of records."""
CHUNK_CHARACTERS = 2_000
"""Default maximum length of a chunk."""


class Shard(NamedTuple):
    """One of several parts of an export, each with the same number of pages."""

    number: int
    """From 1."""
    total: int


class ExportError(WikiapiError):
    """The destination of an export cannot be used, or the export failed."""


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the folder with the interface messages of static sites."""
    return (Path(__file__).parent / "messages",)
