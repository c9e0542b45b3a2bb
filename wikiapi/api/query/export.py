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
    """Everything that is exported of the pages but their texts."""

    revisions: Mapping[int, RevisionRow]
    slots: Mapping[int, Mapping[str, SlotRow]]
    redirects: Mapping[int, RedirectRow]


class _Page(NamedTuple):
    page_id: int
    title: Title
    revision: RevisionRow
    size: int
    """Bytes of its texts."""
    addresses: tuple[str, ...]
    """Where those are that may be shown."""


class Export:
    """The current revisions of the stored pages of a page set, as a document.

    Its texts are requested when they are written; all else is known before, by three database
    queries, however many pages there are.
    """

    def __init__(self, site: Site, page_set: PageSet, schema: str) -> None:
        """Take the pages; ``schema`` is one of :data:`exportxml.SCHEMAS`."""
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
        """Bytes of all the pages' texts."""
        return sum(page.size for page in self._pages)

    def whole(self) -> str:
        """Return the document. One query."""
        return "".join(self._parts([self._pages]))

    def parts(self) -> Iterator[str]:
        """Yield the document in parts, with at most about half a megabyte of its texts in memory.

        A query for each so much; may raise StoreError at any of them.
        """
        return self._parts(_batches(self._pages))

    def _parts(self, batches: Iterable[Sequence[_Page]]) -> Iterator[str]:
        yield from self._writer.head()
        for batch in batches:
            addresses = [address for page in batch for address in page.addresses]
            found = texts.by_addresses(self._site.db, addresses)
            for page in batch:
                yield from self._page(page, found)
        yield DOCUMENT_END

    def _page(self, page: _Page, found: Mapping[str, str]) -> Iterator[str]:
        redirect = self._content.redirects.get(page.page_id)
        yield from self._writer.page_head(page.page_id, page.title, redirect)
        kept = self._content.slots.get(page.revision.rev_id, {})
        yield from self._writer.revision(page.revision, kept, found)
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
    shown = slots.of_revisions(site.db, [row.rev_id for row in latest.values()])
    from_ids = [page_id for page_id, row in page_set.good.items() if row.is_redirect]
    return _Content(latest, shown, redirects.targets(site.db, from_ids))


def _page(page_id: int, title: Title, revision: RevisionRow, content: _Content) -> _Page:
    found = content.slots.get(revision.rev_id, {}).values()
    shown = [] if is_hidden(revision.deleted, TEXT) else list(found)
    addresses = tuple(slot.address for slot in shown)
    return _Page(page_id, title, revision, sum(slot.size for slot in shown), addresses)


_CONTENT_TYPE = "text/xml; charset=utf-8"
_FILE = "export.xml"


def exported(export: Export, stream_above: int) -> RawBody:
    """Return the answer; in pieces if the texts are more than so many bytes (0 for never).

    Of those the first has been made already: a database that does not answer is noticed while the
    client can still be told.
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
