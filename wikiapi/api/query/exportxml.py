"""The elements of the XML export of pages, in version 0.10 or 0.11 of MediaWiki's dump format.

The schemas are ``https://www.mediawiki.org/xml/export-0.11.xsd`` and its predecessor. White space
is the same as in MediaWiki, because tools that read dumps line by line rely on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape

from wikiapi.languages.codes import html_code
from wikiapi.site import Site
from wikiapi.store.queries import slots
from wikiapi.store.queries.redirects import RedirectRow
from wikiapi.store.queries.revisions import RevisionRow
from wikiapi.store.queries.slots import SlotRow
from wikiapi.store.queries.visibility import COMMENT, TEXT, USER, is_hidden
from wikiapi.timestamps import iso
from wikiapi.title.addresses import spell_address
from wikiapi.title.contentmodel import default_format
from wikiapi.title.title import Title

SCHEMAS = ("0.10", "0.11")
LATEST = SCHEMAS[-1]
PAGE_END = "  </page>\n"
DOCUMENT_END = "</mediawiki>\n"
TOGETHER = 524_288
"""Maximum size in bytes of the texts that are read together."""
_NAMESPACE = "http://www.mediawiki.org/xml/export-{0}/"
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class ExportWriter:
    """Writes the parts of a document; each method yields or returns some of its lines."""

    def __init__(self, site: Site, schema: str = LATEST) -> None:
        """Take the wiki and the schema, which is one of ``SCHEMAS``."""
        self._site = site
        self._schema = schema
        self._is_11 = schema == LATEST

    def head(self) -> Iterator[str]:
        """Yield the start of the root element and the description of the wiki."""
        config, uri = self._site.config.site, _NAMESPACE.format(self._schema)
        attributes = {
            "xmlns": uri,
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:schemaLocation": f"{uri} {uri[:-1]}.xsd",
            "version": self._schema,
            "xml:lang": html_code(config.language),
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

    def page_head(self, page_id: int, title: Title, redirect: RedirectRow | None) -> Iterator[str]:
        """Yield the beginning of a page, up to its first revision."""
        yield "  <page>\n"
        yield _line(4, "title", title.prefixed_text)
        yield _line(4, "ns", str(title.ns))
        yield _line(4, "id", str(page_id))
        if redirect is not None:
            yield f'    <redirect title="{escape(self._target(redirect))}" />\n'

    def _target(self, row: RedirectRow) -> str:
        plain = self._site.titles.make(row.namespace, row.title)
        return Title(plain.namespace, plain.dbkey, "", row.interwiki).prefixed_text

    def revision(
        self, revision: RevisionRow, slot_rows: Mapping[str, SlotRow], texts: Mapping[str, str]
    ) -> Iterator[str]:
        """Yield a revision, given its slots by role and their texts by address."""
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
        for slot in self._slots(slot_rows):
            yield from self._slot(slot, None if hidden else texts[slot.address])
        yield "      <sha1/>\n" if hidden else _line(6, "sha1", revision.sha1 or "")
        yield "    </revision>\n"

    def _slots(self, slot_rows: Mapping[str, SlotRow]) -> Iterable[SlotRow]:
        main = [slot for role, slot in slot_rows.items() if role == slots.MAIN]
        others = [slot for role, slot in slot_rows.items() if role != slots.MAIN]
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
        """Return the element of a slot's text, which is None if it is hidden."""
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
    """Return an element on its own line."""
    opening = f"{' ' * indent}<{name}{_attributes(attributes or {})}"
    if not text:
        return f"{opening} />\n"
    return f"{opening}>{escape(_UNFIT.sub(chr(0xFFFD), text), quote=False)}</{name}>\n"


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
