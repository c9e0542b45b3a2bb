"""Reads an XML export of any length as a stream of records, in bounded memory.

A document with a document type declaration, which could declare entities, is refused, and so is one
that exceeds a limit of :class:`~wikiapi.importing.source.DumpLimits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn
from xml.parsers import expat

from wikiapi.errors import DumpError
from wikiapi.importing.source import DumpLimits
from wikiapi.importing.xml import elements
from wikiapi.importing.xml.elements import BadField, Element, Node
from wikiapi.importing.xml.records import PageEnd, Record
from wikiapi.xmlfeed import EndlessTag, XmlFeed

__all__ = ["read_records"]

_BUFFER = 1 << 18


def read_records(
    chunks: Iterable[bytes],
    limits: DumpLimits | None = None,
    skip: int = 0,
    *,
    is_lenient: bool = False,
) -> Iterator[Record]:
    """Yield the records of a dump, each as soon as it has been read.

    Args:
        chunks: the unpacked XML in pieces of any size.
        limits: what to refuse.
        skip: how many pages and log entries, counted together, to skip at the start.
        is_lenient: whether to read files of any format and without ids, as MediaWiki does.

    Raises:
        DumpError: the dump is malformed or hostile; the error names the line.
    """
    reader = DumpReader(limits or DumpLimits(), skip, is_lenient=is_lenient)
    for chunk in chunks:
        try:
            reader.feed(chunk)
        except DumpError:
            # Records completed before the error are yielded, wherever the pieces happen to end.
            yield from reader.take()
            raise
        yield from reader.take()
    reader.finish()
    yield from reader.take()


class DumpReader:
    """An expat parser, and the elements that are open."""

    def __init__(self, limits: DumpLimits, skip: int = 0, *, is_lenient: bool = False) -> None:
        """Start a document; ``skip`` is how many pages and log entries to skip."""
        self._limits, self._is_lenient = limits, is_lenient
        self._items_to_skip = skip
        self._records: list[Record] = []
        self._depth = 0
        # The depth of the element that is being skipped, 0 for none.
        self._skipped_depth = 0
        self._stack: list[Node] = []
        self._node = Node(elements.DOCUMENT)
        self._starts = elements.DOCUMENT.starts
        self._leaf: Element | None = None
        self._head_sent = False
        self._language = ""
        self._parts: list[str] = []
        # How many more characters the open leaf may have, and how many a new one of each kind.
        self._chars_left = 0
        self._max_chars = {size: getattr(limits, size) for size in elements.SIZES}
        # A dump is UTF-8 whatever it declares.
        self._parser = parser = expat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.buffer_size = _BUFFER
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        self._feed = XmlFeed(self._parser, limits.token_bytes)

    def feed(self, chunk: bytes) -> None:
        """Parse the next piece.

        Raises:
            DumpError: the dump is malformed or hostile.
        """
        try:
            self._feed.feed(chunk)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise DumpError(f"not well-formed: {problem}", error.lineno) from None
        except (BadField, EndlessTag) as error:
            self._refuse(str(error))

    def finish(self) -> None:
        """Check the end of the document.

        Raises:
            DumpError: the document is incomplete.
        """
        try:
            self._feed.finish()
        except expat.ExpatError as error:
            raise DumpError("the dump ends too early: it is incomplete", error.lineno) from None
        except (BadField, EndlessTag) as error:
            self._refuse(str(error))

    def take(self) -> list[Record]:
        """Return the records that were completed since the last call."""
        records, self._records = self._records, []
        return records

    def _refuse(self, text: str) -> NoReturn:
        raise DumpError(text, self._parser.CurrentLineNumber) from None

    def _doctype(self, *_declaration: object) -> None:
        self._refuse("a document type declaration, which no dump has")

    # Elements

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._skipped_depth:
            if self._depth > self._limits.depth:
                self._refuse(f"more than {self._limits.depth} nested elements")
            return
        element = self._starts.get(name)
        if element is None:
            self._skip(name)
        elif element.children is None:
            if attributes:
                self._keep(name, attributes)
            self._leaf, self._starts = element, elements.NOTHING
            self._parts = []
            self._chars_left = self._max_chars[element.size]
            # Set only for elements with text, so that white space between elements costs no call.
            self._parser.CharacterDataHandler = self._text
        else:
            self._open(element, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._skipped_depth:
            if self._depth < self._skipped_depth:
                self._skipped_depth = 0
                if self._leaf is not None:
                    self._parser.CharacterDataHandler = self._text
        elif self._leaf is None:
            self._close()
        else:
            # Done without a call, because most elements are plain leaves.
            self._parser.CharacterDataHandler = None
            node, element = self._node, self._leaf
            self._starts, self._leaf = node.element.starts, None
            text = "".join(self._parts)
            if element.is_plain:
                node.texts[name] = text
                return
            if element.size == elements.TEXT_CHARS:
                # The slots of a revision share one limit.
                self._max_chars[elements.TEXT_CHARS] = self._chars_left
            if element.repeated:
                self._check_count(len(node.entries))
                node.entries.append((node.attributes.pop(name, {}), text))
            else:
                node.texts[name] = text

    def _skip(self, name: str) -> None:
        if self._depth == 1:
            self._refuse(f"this is not a MediaWiki export: it begins with <{name[:40]}>")
        self._skipped_depth = self._depth
        self._parser.CharacterDataHandler = None

    def _text(self, data: str) -> None:
        self._chars_left -= len(data)
        if self._chars_left < 0:
            self._refuse("a text that is too long")
        self._parts.append(data)

    def _check_count(self, count: int) -> None:
        if count >= self._limits.entries:
            self._refuse(f"more than {self._limits.entries} entries of one kind")

    def _open(self, element: Element, attributes: dict[str, str]) -> None:
        if element is elements.PAGE or element is elements.LOGITEM:
            if self._items_to_skip:
                self._items_to_skip -= 1
                self._skip(element.name)
                return
            self._head_sent = False
        elif element is elements.REVISION:
            self._max_chars[elements.TEXT_CHARS] = self._limits.text_chars
        elif element.name == elements.ROOT:
            version = attributes.get("version", "")
            if version not in elements.VERSIONS and not self._is_lenient:
                versions = " and ".join(elements.VERSIONS)
                self._refuse(f"export format {version[:20]!r}; the formats read are {versions}")
            self._language = attributes.get("xml:lang", "")
        if attributes:
            self._keep(element.name, attributes)
        self._stack.append(self._node)
        self._node = Node(element)
        self._starts = element.starts

    def _keep(self, name: str, attributes: dict[str, str]) -> None:
        if sum(map(len, attributes.values())) > self._limits.name_chars:
            self._refuse(f"<{name}> with attributes that are too long")
        self._node.attributes[name] = attributes

    def _close(self) -> None:
        node, parent = self._node, self._stack.pop()
        self._node = parent
        self._starts = parent.element.starts
        element = node.element
        if element is elements.REVISION:
            self._send_head(parent)
            self._records.append(elements.revision(node, is_lenient=self._is_lenient))
        elif element is elements.PAGE:
            self._send_head(node)
            self._records.append(PageEnd(self._parser.CurrentLineNumber))
        elif element is elements.UPLOAD:
            self._send_head(parent)
            self._records.append(elements.upload(node))
        elif element is elements.LOGITEM:
            self._records.append(elements.log_item(node))
        elif element is elements.SITEINFO:
            self._records.append(elements.site_info(node, self._language))
        else:
            siblings = parent.children.setdefault(element.name, [])
            self._check_count(len(siblings))
            siblings.append(node)

    def _send_head(self, page: Node) -> None:
        if not self._head_sent:
            self._head_sent = True
            self._records.append(elements.page_head(page, is_lenient=self._is_lenient))
