"""Pages as Markdown for search engines and language models: JSON lines, one file, or a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from wikiapi.api import iso
from wikiapi.site import Site
from wikiapi.title import CATEGORY
from wikiapi_plugins.export import CHUNK_CHARACTERS, CHUNKS, PAGES
from wikiapi_plugins.export.documents import Document, DocumentBatch
from wikiapi_plugins.export.links import PageLinks
from wikiapi_plugins.export.names import NamesSource
from wikiapi_plugins.export.rendering import ExportedPage, Key, PageRenderer
from wikiapi_plugins.export.running import BatchResult, Work
from wikiapi_plugins.export.state import State
from wikiapi_plugins.markdown.addresses import Addresses
from wikiapi_plugins.markdown.chunks import to_chunks
from wikiapi_plugins.markdown.document import Block, joined, to_blocks
from wikiapi_plugins.markdown.inline import escaped

_ONE_PER_LINE = orjson.OPT_APPEND_NEWLINE


class AppendedFile:
    """A file to which results are appended, and which an interrupted export can continue.

    It is renamed to its final name when it is complete.
    """

    def __init__(self, path: Path, length: int) -> None:
        """Open the file, and cut it to the length up to which it is known to be complete."""
        self._path = path
        self._part = part_of(path)
        self._file: BinaryIO = self._part.open("ab")
        self._file.truncate(length)
        self._file.seek(length)

    def store(self, state: State, result: BatchResult) -> int:
        """Append the data of a batch, and return the length of the file."""
        self._file.write(result.data)
        self._file.flush()
        return self._file.tell()

    def finish(self) -> None:
        """Close the file and give it its final name."""
        self._file.close()
        self._part.replace(self._path)

    def close(self) -> None:
        """Close the file without renaming it."""
        self._file.close()


def part_of(path: Path) -> Path:
    """Return the temporary name of a file while it is being written."""
    return path.with_name(f"{path.name}.part")


@dataclass(frozen=True)
class JsonLines:
    """JSON lines: a record for each page, followed by one for each of its chunks."""

    kinds: tuple[str, ...] = (PAGES, CHUNKS)
    chunk_size: int = CHUNK_CHARACTERS

    def worker(self, site: Site) -> Work:
        """Return the function that converts a batch of pages to lines."""
        return partial(self._convert, site, PageRenderer(site))

    def _convert(self, site: Site, renderer: PageRenderer, keys: Sequence[Key]) -> BatchResult:
        lines: list[bytes] = []
        pages = failed = 0
        for page in renderer.render(keys):
            if page.redirect is None and not page.is_failed:
                blocks = _blocks(site, page, site.derived(Addresses).resolve)
                records = []
                if PAGES in self.kinds:
                    records.append(page_record(site, page, blocks))
                if CHUNKS in self.kinds:
                    records += chunk_records(site, page, blocks, self.chunk_size)
                lines += (orjson.dumps(record, option=_ONE_PER_LINE) for record in records)
            pages, failed = pages + 1, failed + page.is_failed
        return BatchResult(b"".join(lines), pages, failed)


def page_record(site: Site, page: ExportedPage, blocks: Sequence[Block]) -> dict[str, Any]:
    """Return the record of a page."""
    headings = [block for block in blocks if block.kind == "heading"]
    return {
        "kind": "page",
        "id": _page_id(site, page),
        "page_id": page.page_id,
        "revision_id": page.revision_id,
        "timestamp": iso(page.timestamp),
        "title": page.title.prefixed_text,
        "namespace": page.title.ns,
        "url": site.derived(Addresses).page(page.title),
        "categories": _categories(site, page),
        "sections": [
            {"level": head.level, "title": head.title, "anchor": head.anchor} for head in headings
        ],
        "text": joined(blocks),
    }


def chunk_records(
    site: Site, page: ExportedPage, blocks: Sequence[Block], size: int
) -> list[dict[str, Any]]:
    """Return the records of a page's chunks."""
    url = site.derived(Addresses).page(page.title)
    return [
        {
            "kind": "chunk",
            "id": f"{_page_id(site, page)}#{chunk.anchor}:{chunk.number}",
            "page_id": page.page_id,
            "revision_id": page.revision_id,
            "timestamp": iso(page.timestamp),
            "title": page.title.prefixed_text,
            "namespace": page.title.ns,
            "categories": _categories(site, page),
            "section": list(chunk.path),
            "url": f"{url}#{chunk.anchor}" if chunk.anchor else url,
            "text": chunk.text,
        }
        for chunk in to_chunks(blocks, size)
    ]


def _blocks(site: Site, page: ExportedPage, resolve: Callable[[str], str | None]) -> list[Block]:
    return to_blocks(page.output.html, resolve, site.parser.link_rules.protocols)


@dataclass(frozen=True)
class MarkdownFile:
    """A single file with all pages, each under a heading of the first level."""

    def worker(self, site: Site) -> Work:
        """Return the function that converts a batch of pages to text."""
        return partial(self._convert, site, PageRenderer(site))

    def _convert(self, site: Site, renderer: PageRenderer, keys: Sequence[Key]) -> BatchResult:
        texts: list[str] = []
        pages = failed = 0
        for page in renderer.render(keys):
            if page.redirect is None and not page.is_failed:
                blocks = _blocks(site, page, site.derived(Addresses).resolve)
                texts.append(f"# {_heading(page)}\n\n{joined(blocks)}\n\n")
            pages, failed = pages + 1, failed + page.is_failed
        return BatchResult("".join(texts).encode("utf-8", "replace"), pages, failed)


@dataclass(frozen=True)
class MarkdownFolder:
    """A file for each page, with front matter in YAML and links between the files."""

    names: NamesSource

    def worker(self, site: Site) -> Work:
        """Return the function that makes the files of a batch."""
        links = PageLinks(site, self.names.open(site))
        return partial(self._convert, site, PageRenderer(site), links)

    def _convert(
        self, site: Site, renderer: PageRenderer, links: PageLinks, keys: Sequence[Key]
    ) -> BatchResult:
        documents: list[Document] = []
        pages = failed = 0
        for page in renderer.render(keys):
            file = links.file(page.title)
            if file is not None and not page.is_failed:
                facts: dict[str, Any] = {
                    "title": page.title.prefixed_text,
                    "id": page.page_id,
                    "revision": page.revision_id,
                    "url": site.derived(Addresses).page(page.title),
                }
                if page.redirect is not None:
                    target = site.titles.make(page.redirect.namespace, page.redirect.title)
                    url = _resolved(site, links, site.page_path(target))
                    body = f"[{target.prefixed_text}]({url})"
                else:
                    facts["categories"] = _categories(site, page)
                    blocks = _blocks(site, page, partial(_resolved, site, links))
                    body = f"# {_heading(page)}\n\n{joined(blocks)}"
                # JSON values are valid YAML.
                head = "".join(f"{name}: {json.dumps(value)}\n" for name, value in facts.items())
                text = f"---\n{head}---\n\n{body}\n"
                documents.append(Document(file, text, page.title.prefixed_text))
            pages, failed = pages + 1, failed + page.is_failed
        return BatchResult(DocumentBatch(documents).encoded(), pages, failed)


def _resolved(site: Site, links: PageLinks, url: str) -> str | None:
    return links.relative(url) or site.derived(Addresses).resolve(url)


def _heading(page: ExportedPage) -> str:
    return escaped(page.title.prefixed_text)


def _page_id(site: Site, page: ExportedPage) -> str:
    return f"{site.config.site.wiki_id}:{page.page_id}"


def _categories(site: Site, page: ExportedPage) -> list[str]:
    return [site.titles.make(CATEGORY, name).text for name in page.output.categories]
