"""The files of a batch of pages as one text, which any worker can send to the main process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from wikiapi_plugins.export.running import BatchResult
from wikiapi_plugins.export.state import State


class Document(NamedTuple):
    """A file of an export: its path in the folder, its text, and the title of its page."""

    file: str
    text: str
    title: str


class DocumentBatch(NamedTuple):
    """What a batch of pages adds to an export."""

    documents: Sequence[Document]
    entries: Sequence[Sequence[Any]] = ()
    """Entries for the search, see :class:`~wikiapi_plugins.export.site.search.SearchEntry`."""
    media: Sequence[str] = ()
    """URLs of the files that the documents show, which are copied where the documents are."""

    def encoded(self) -> bytes:
        """Return it as JSON."""
        documents = [tuple(document) for document in self.documents]
        entries = [tuple(entry) for entry in self.entries]
        return orjson.dumps((documents, entries, tuple(self.media)))

    @classmethod
    def decoded(cls, data: bytes) -> DocumentBatch:
        """Return what has been encoded."""
        documents, entries, media = orjson.loads(data)
        return cls([Document(*document) for document in documents], entries, media)


class DocumentSink:
    """Writes the documents to a folder."""

    def __init__(self, folder: Path) -> None:
        """Write into this folder."""
        self._folder = folder

    def store(self, state: State, result: BatchResult) -> int:
        """Write the documents of a batch."""
        write_documents(self._folder, DocumentBatch.decoded(result.data).documents)
        return 0


def write_documents(folder: Path, documents: Iterable[Document]) -> None:
    """Write documents into a folder."""
    for document in documents:
        write_file(folder / document.file, document.text.encode())


def write_file(path: Path, data: bytes) -> None:
    """Write a file, and create its folder if needed."""
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
