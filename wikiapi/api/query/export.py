"""The XML export of the current revisions of a page set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wikiapi.api.pieces import RawPieces, gathered
from wikiapi.api.query.exportxml import DOCUMENT_END, PAGE_END, TOGETHER, ExportWriter
from wikiapi.api.query.pageset import PageSet
from wikiapi.api.result import RawBody
from wikiapi.site import Site
from wikiapi.store.queries import redirects, revisions, slots, texts
from wikiapi.store.queries.redirects import RedirectRow
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.slots import SlotRow
from wikiapi.store.queries.visibility import TEXT, is_hidden
from wikiapi.title.title import Title


class _Content(NamedTuple):
    """The data of the exported pages, without their texts."""

    revisions: Mapping[int, RevisionRow]
    slots: Mapping[int, Mapping[str, SlotRow]]
    redirects: Mapping[int, RedirectRow]


class _Page(NamedTuple):
    page_id: int
    title: Title
    revision: RevisionRow
    size: int
    """Size of its texts in bytes."""
    addresses: tuple[str, ...]
    """Addresses of the texts that are not hidden."""


class Export:
    """An XML document with the current revisions of the existing pages of a page set.

    Texts are read when they are written. Everything else is read before, with three database
    queries for any number of pages.
    """

    def __init__(self, site: Site, page_set: PageSet, schema: str) -> None:
        """Read the pages; ``schema`` is one of :data:`exportxml.SCHEMAS`."""
        self._site = site
        self._content = content = _read(site, page_set)
        self._writer = ExportWriter(site, schema)
        self._pages = [
            _page(page_id, title, content.revisions[page_id], content)
            for page_id, title in page_set.existing()
            if page_id in content.revisions
        ]

    @property
    def size(self) -> int:
        """Size of the texts of all pages in bytes."""
        return sum(page.size for page in self._pages)

    def whole(self) -> str:
        """Return the document. One query."""
        return "".join(self._parts([self._pages]))

    def parts(self) -> Iterator[str]:
        """Yield the document in parts, with at most about half a megabyte of texts in memory.

        Runs a query for every half megabyte, each of which may raise StoreError.
        """
        return self._parts(_batches(self._pages))

    def _parts(self, batches: Iterable[Sequence[_Page]]) -> Iterator[str]:
        yield from self._writer.head()
        for batch in batches:
            addresses = [address for page in batch for address in page.addresses]
            content = texts.by_addresses(self._site.db, addresses)
            for page in batch:
                yield from self._page(page, content)
        yield DOCUMENT_END

    def _page(self, page: _Page, content: Mapping[str, str]) -> Iterator[str]:
        redirect = self._content.redirects.get(page.page_id)
        yield from self._writer.page_head(page.page_id, page.title, redirect)
        kept = self._content.slots.get(page.revision.rev_id, {})
        yield from self._writer.revision(page.revision, kept, content)
        yield PAGE_END


def _batches(pages: Sequence[_Page]) -> Iterator[Sequence[_Page]]:
    """Yield batches of pages whose texts are read together."""
    batch: list[_Page] = []
    size = 0
    for page in pages:
        if batch and size + page.size > TOGETHER:
            yield batch
            batch, size = [], 0
        batch.append(page)
        size += page.size
    yield batch


def _read(site: Site, page_set: PageSet) -> _Content:
    latest = revisions.latest_of_pages(site.db, page_set.good)
    slot_rows = slots.of_revisions(site.db, [row.rev_id for row in latest.values()])
    from_ids = [page_id for page_id, row in page_set.good.items() if row.is_redirect]
    return _Content(latest, slot_rows, redirects.targets(site.db, from_ids))


def _page(page_id: int, title: Title, revision: RevisionRow, content: _Content) -> _Page:
    slot_rows = content.slots.get(revision.rev_id, {}).values()
    visible = [] if is_hidden(revision.deleted, TEXT) else list(slot_rows)
    addresses = tuple(slot.address for slot in visible)
    return _Page(page_id, title, revision, sum(slot.size for slot in visible), addresses)


_CONTENT_TYPE = "text/xml; charset=utf-8"
_FILE = "export.xml"


def exported(export: Export, stream_above: int) -> RawBody:
    """Return the answer; in pieces if its texts exceed ``stream_above`` bytes (0 for never).

    The first piece is generated before this returns, so that a failing database can still be
    reported to the client.
    """
    if not stream_above or export.size <= stream_above:
        return RawBody(_encoded(export.whole()), _CONTENT_TYPE, _FILE)
    pieces = gathered(export.parts())
    return RawPieces(b"", _CONTENT_TYPE, _FILE, _begun(next(pieces), pieces))


def _begun(first: str, pieces: Iterator[str]) -> Iterator[bytes]:
    yield _encoded(first)
    for piece in pieces:
        yield _encoded(piece)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
