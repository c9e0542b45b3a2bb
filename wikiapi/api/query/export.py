"""The XML export of pages: the format 0.10 or 0.11 of MediaWiki's dumps.

The schemas are ``https://www.mediawiki.org/xml/export-0.11.xsd`` and its predecessor; white space
is MediaWiki's, because tools that read dumps line by line rely on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from wikiapi.api.params.types.timestamp import iso
from wikiapi.api.pieces import RawPieces, gathered
from wikiapi.api.query.pageset import PageSet
from wikiapi.api.result import RawBody
from wikiapi.site import Site
from wikiapi.store.queries import redirects, revisions, slots, texts
from wikiapi.store.queries.redirects import RedirectRow
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.slots import SlotRow
from wikiapi.store.queries.visibility import COMMENT, TEXT, USER, is_hidden
from wikiapi.title.addresses import spell_address
from wikiapi.title.contentmodel import default_format
from wikiapi.title.title import Title

SCHEMAS = ("0.10", "0.11")
_NAMESPACE = "http://www.mediawiki.org/xml/export-{0}/"
_TOGETHER = 524_288
"""Bytes of the texts that are read together."""
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


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
        """Take the pages; ``schema`` is one of ``SCHEMAS``."""
        self._site = site
        content = _read(site, page_set)
        self._writer = _Writer(site, schema, content)
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
        """The document in parts, with no more of its texts in memory than about half a megabyte.

        A query for each so much; may raise StoreError at any of them.
        """
        return self._parts(_batches(self._pages))

    def _parts(self, batches: Iterable[Sequence[_Page]]) -> Iterator[str]:
        yield from self._writer.head()
        for batch in batches:
            addresses = [address for page in batch for address in page.addresses]
            found = texts.by_addresses(self._site.db, addresses)
            for page in batch:
                yield from self._writer.page(page, found)
        yield "</mediawiki>\n"


def _batches(pages: Sequence[_Page]) -> Iterator[Sequence[_Page]]:
    """Pages whose texts are read together."""
    batch: list[_Page] = []
    size = 0
    for page in pages:
        if batch and size + page.size > _TOGETHER:
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


class _Writer:
    """Writes the parts of one document."""

    def __init__(self, site: Site, schema: str, content: _Content) -> None:
        self._site = site
        self._schema = schema
        self._content = content
        self._is_11 = schema == SCHEMAS[1]

    def head(self) -> Iterator[str]:
        """Yield the root element and what describes the wiki."""
        config, uri = self._site.config.site, _NAMESPACE.format(self._schema)
        attributes = {
            "xmlns": uri,
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:schemaLocation": f"{uri} {uri[:-1]}.xsd",
            "version": self._schema,
            "xml:lang": config.language,
        }
        yield f"<mediawiki{_attributes(attributes)}>\n  <siteinfo>\n"
        yield _line(4, "sitename", config.name)
        yield _line(4, "dbname", config.wiki_id)
        yield _line(4, "base", self._site.page_url(self._site.main_page))
        yield _line(4, "generator", config.generator)
        yield _line(4, "case", _case(first_letter=config.capital_links))
        yield "    <namespaces>\n"
        for namespace in self._site.namespaces:
            case = _case(first_letter=namespace.first_letter)
            attributes = {"key": str(namespace.id), "case": case}
            yield _line(6, "namespace", namespace.name, attributes)
        yield "    </namespaces>\n  </siteinfo>\n"

    def page(self, page: _Page, found: Mapping[str, str]) -> Iterator[str]:
        """Yield a page with its current revision, given the texts by address."""
        yield "  <page>\n"
        yield _line(4, "title", page.title.prefixed_text)
        yield _line(4, "ns", str(page.title.ns))
        yield _line(4, "id", str(page.page_id))
        target = self._content.redirects.get(page.page_id)
        if target is not None:
            yield f'    <redirect title="{escape(self._target(target))}" />\n'
        yield from self._revision(page.revision, found)
        yield "  </page>\n"

    def _target(self, row: RedirectRow) -> str:
        plain = self._site.titles.make(row.namespace, row.title)
        return Title(plain.namespace, plain.dbkey, "", row.interwiki).prefixed_text

    def _revision(self, revision: RevisionRow, found: Mapping[str, str]) -> Iterator[str]:
        yield "    <revision>\n"
        yield _line(6, "id", str(revision.rev_id))
        if revision.parent_id:
            yield _line(6, "parentid", str(revision.parent_id))
        yield _line(6, "timestamp", iso(revision.timestamp))
        yield from _contributor(revision)
        if revision.minor:
            yield "      <minor/>\n"
        yield from _comment(revision)
        hidden = is_hidden(revision.deleted, TEXT)
        for slot in self._slots(revision):
            yield from self._slot(slot, None if hidden else found[slot.address])
        yield "      <sha1/>\n" if hidden else _line(6, "sha1", revision.sha1 or "")
        yield "    </revision>\n"

    def _slots(self, revision: RevisionRow) -> Iterable[SlotRow]:
        found = self._content.slots.get(revision.rev_id, {})
        main = [slot for role, slot in found.items() if role == slots.MAIN]
        others = [slot for role, slot in found.items() if role != slots.MAIN]
        return [*main, *others] if self._is_11 else main

    def _slot(self, slot: SlotRow, text: str | None) -> Iterator[str]:
        is_main = slot.role == slots.MAIN
        indent = 6 if is_main else 8
        if not is_main:
            yield "      <content>\n"
            yield _line(indent, "role", slot.role)
        if self._is_11:
            yield _line(indent, "origin", str(slot.origin))
        yield _line(indent, "model", slot.model)
        yield _line(indent, "format", default_format(slot.model))
        yield self._text(slot, indent, text)
        if not is_main:
            yield "      </content>\n"

    def _text(self, slot: SlotRow, indent: int, text: str | None) -> str:
        """Return a slot's text; None for one that is hidden."""
        attributes = {"bytes": str(slot.size)}
        if text is None:
            return _line(indent, "text", "", attributes | {"deleted": "deleted"})
        if self._is_11:
            attributes["sha1"] = slot.sha1
        return _line(indent, "text", text, attributes | {"xml:space": "preserve"})


def _contributor(revision: RevisionRow) -> Iterator[str]:
    if is_hidden(revision.deleted, USER):
        yield '      <contributor deleted="deleted" />\n'
        return
    name = revision.user_name or ""
    yield "      <contributor>\n"
    if revision.user_id or spell_address(name) is None:
        yield _line(8, "username", name)
        yield _line(8, "id", str(revision.user_id or 0))
    else:
        yield _line(8, "ip", name)
    yield "      </contributor>\n"


def _comment(revision: RevisionRow) -> Iterator[str]:
    if is_hidden(revision.deleted, COMMENT):
        yield '      <comment deleted="deleted" />\n'
    elif revision.comment:
        yield _line(6, "comment", revision.comment)


def _case(*, first_letter: bool) -> str:
    return "first-letter" if first_letter else "case-sensitive"


def _line(indent: int, name: str, text: str, attributes: Mapping[str, str] | None = None) -> str:
    """Return an element on a line of its own."""
    opening = f"{' ' * indent}<{name}{_attributes(attributes or {})}"
    if not text:
        return f"{opening} />\n"
    return f"{opening}>{escape(_UNFIT.sub(chr(0xFFFD), text), quote=False)}</{name}>\n"


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())


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
