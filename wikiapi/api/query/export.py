"""The XML export of pages: the format 0.10 or 0.11 of MediaWiki's dumps.

The schemas are ``https://www.mediawiki.org/xml/export-0.11.xsd`` and its predecessor; white space
is MediaWiki's, because tools that read dumps line by line rely on it.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.api.params.types.timestamp import iso
from wikiapi.store import redirects, revisions, slots, texts
from wikiapi.store.visibility import COMMENT, TEXT, USER, is_hidden
from wikiapi.title.addresses import spell_address
from wikiapi.title.contentmodel import default_format
from wikiapi.title.title import Title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wikiapi.api.query.pageset import PageSet
    from wikiapi.site import Site
    from wikiapi.store.redirects import RedirectRow
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.store.slots import SlotRow

SCHEMAS = ("0.10", "0.11")
_NAMESPACE = "http://www.mediawiki.org/xml/export-{0}/"
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class _Content(NamedTuple):
    """Everything that is exported of the pages, read at once."""

    revisions: Mapping[int, RevisionRow]
    slots: Mapping[int, Mapping[str, SlotRow]]
    texts: Mapping[str, str]
    redirects: Mapping[int, RedirectRow]


def export(site: Site, page_set: PageSet, schema: str) -> str:
    """The current revisions of the stored pages of a page set, as a document.

    Four database queries, however many pages there are.

    Args:
        site: the wiki.
        page_set: the pages.
        schema: one of ``SCHEMAS``.
    """
    content = _read(site, page_set)
    writer = _Writer(site, schema, content)
    return "".join((*writer.head(), *writer.pages(page_set), "</mediawiki>\n"))


def _read(site: Site, page_set: PageSet) -> _Content:
    latest = revisions.latest_of_pages(site.db, page_set.good)
    shown = slots.of_revisions(site.db, [row.rev_id for row in latest.values()])
    hidden = {row.rev_id for row in latest.values() if is_hidden(row.deleted, TEXT)}
    addresses = [
        slot.address
        for revision_id, by_role in shown.items()
        for slot in by_role.values()
        if revision_id not in hidden
    ]
    from_ids = [page_id for page_id, row in page_set.good.items() if row.is_redirect]
    return _Content(
        latest,
        shown,
        texts.by_addresses(site.db, addresses),
        redirects.targets(site.db, from_ids),
    )


class _Writer:
    """Writes the parts of one document."""

    def __init__(self, site: Site, schema: str, content: _Content) -> None:
        self._site = site
        self._schema = schema
        self._content = content
        self._is_11 = schema == SCHEMAS[1]

    def head(self) -> Iterator[str]:
        """The root element and what describes the wiki."""
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

    def pages(self, page_set: PageSet) -> Iterator[str]:
        """Every page with its current revision."""
        for page_id, title in page_set.existing():
            revision = self._content.revisions.get(page_id)
            if revision is not None:
                yield from self._page(page_id, title, revision)

    def _page(self, page_id: int, title: Title, revision: RevisionRow) -> Iterator[str]:
        yield "  <page>\n"
        yield _line(4, "title", title.prefixed_text)
        yield _line(4, "ns", str(title.ns))
        yield _line(4, "id", str(page_id))
        target = self._content.redirects.get(page_id)
        if target is not None:
            yield f'    <redirect title="{escape(self._target(target))}" />\n'
        yield from self._revision(revision)
        yield "  </page>\n"

    def _target(self, row: RedirectRow) -> str:
        plain = self._site.titles.make(row.namespace, row.title)
        return Title(plain.namespace, plain.dbkey, "", row.interwiki).prefixed_text

    def _revision(self, revision: RevisionRow) -> Iterator[str]:
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
            yield from self._slot(slot, hidden=hidden)
        yield "      <sha1/>\n" if hidden else _line(6, "sha1", revision.sha1 or "")
        yield "    </revision>\n"

    def _slots(self, revision: RevisionRow) -> Iterable[SlotRow]:
        found = self._content.slots.get(revision.rev_id, {})
        main = [slot for role, slot in found.items() if role == slots.MAIN]
        others = [slot for role, slot in found.items() if role != slots.MAIN]
        return [*main, *others] if self._is_11 else main

    def _slot(self, slot: SlotRow, *, hidden: bool) -> Iterator[str]:
        is_main = slot.role == slots.MAIN
        indent = 6 if is_main else 8
        if not is_main:
            yield "      <content>\n"
            yield _line(indent, "role", slot.role)
        if self._is_11:
            yield _line(indent, "origin", str(slot.origin))
        yield _line(indent, "model", slot.model)
        yield _line(indent, "format", default_format(slot.model))
        yield self._text(slot, indent, hidden=hidden)
        if not is_main:
            yield "      </content>\n"

    def _text(self, slot: SlotRow, indent: int, *, hidden: bool) -> str:
        attributes = {"bytes": str(slot.size)}
        if self._is_11 and not hidden:
            attributes["sha1"] = slot.sha1
        if hidden:
            return _line(indent, "text", "", attributes | {"deleted": "deleted"})
        text = self._content.texts[slot.address]
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
    """An element on a line of its own."""
    opening = f"{' ' * indent}<{name}{_attributes(attributes or {})}"
    if not text:
        return f"{opening} />\n"
    return f"{opening}>{escape(_UNFIT.sub(chr(0xFFFD), text), quote=False)}</{name}>\n"


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
