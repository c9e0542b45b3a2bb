"""The elements of MediaWiki's XML export, and their conversion to records.

The formats are https://www.mediawiki.org/xml/export-0.10.xsd and export-0.11.xsd. Elements that are
not declared here are skipped with everything inside them. Invalid numbers and timestamps are
errors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType

from wikiapi.importing.xml.records import (
    Contributor,
    DumpNamespace,
    DumpRevision,
    DumpSlot,
    Hidden,
    LogItem,
    PageHead,
    SiteInfo,
    Upload,
)
from wikiapi.timestamps import is_real

_TIMESTAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z", re.ASCII)
_SHA1 = re.compile(r"[0-9a-z]{31}", re.ASCII)
_DIGITS = 18
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_HIDDEN: dict[str, int] = {
    "text": Hidden.TEXT.value,
    "comment": Hidden.COMMENT.value,
    "contributor": Hidden.USER.value,
}
_LONGEST_NAME = 255
_LARGEST_TEXT = 2**32 - 1
_LARGEST_FILE = 2**40
_UNKNOWN_USER = "Unknown user"
_EPOCH = "19700101000000"


TEXT_CHARS, FIELD_CHARS, NAME_CHARS = SIZES = ("text_chars", "field_chars", "name_chars")
"""The fields of :class:`~wikiapi.importing.source.DumpLimits` that limit an element."""
VERSIONS = ("0.10", "0.11")
ROOT = "mediawiki"
NOTHING: Mapping[str, Element] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element. ``children`` is None for a leaf, which contains text.

    ``size`` is the name of the limit on its text. If it is ``repeated``, all occurrences are kept.
    """

    name: str
    children: Mapping[str, Element] | None = None
    size: str = NAME_CHARS
    repeated: bool = False
    starts: Mapping[str, Element] = field(init=False)
    """The elements that may start inside this one; none inside a leaf."""
    is_plain: bool = field(init=False)
    """Whether the element is neither a revision's text nor repeated."""

    def __post_init__(self) -> None:
        """Set the fields that are derived from others."""
        object.__setattr__(self, "starts", self.children or NOTHING)
        object.__setattr__(self, "is_plain", self.size != TEXT_CHARS and not self.repeated)


_FIELDS = frozenset({"title", "comment", "params", "restrictions", "logtitle", "src"})


def _holds(name: str, *children: Element, texts: str = "") -> Element:
    leaves = (
        Element(leaf, size=FIELD_CHARS if leaf in _FIELDS else NAME_CHARS) for leaf in texts.split()
    )
    return Element(name, MappingProxyType({child.name: child for child in (*children, *leaves)}))


_TEXT = Element("text", size=TEXT_CHARS)
_CONTRIBUTOR = _holds("contributor", texts="username id ip")
_CONTENT = _holds("content", _TEXT, texts="role origin model format")
REVISION = _holds(
    "revision",
    _CONTRIBUTOR,
    _CONTENT,
    _TEXT,
    texts="id parentid timestamp minor comment origin model format sha1",
)
UPLOAD = _holds(
    "upload",
    _CONTRIBUTOR,
    texts="timestamp comment filename archivename src size sha1base36 rel",
)
PAGE = _holds("page", REVISION, UPLOAD, texts="title ns id redirect restrictions")
LOGITEM = _holds(
    "logitem", _CONTRIBUTOR, texts="id timestamp comment type action logtitle params text"
)
_NAMESPACES = _holds("namespaces", Element("namespace", repeated=True))
SITEINFO = _holds("siteinfo", _NAMESPACES, texts="sitename dbname base generator case")
DOCUMENT = _holds("document", _holds(ROOT, SITEINFO, PAGE, LOGITEM))


class Node:
    """An open element: the texts and attributes of its leaves, and its closed child nodes."""

    __slots__ = ("attributes", "children", "element", "entries", "texts")

    def __init__(self, element: Element) -> None:
        """Start with nothing read of the element."""
        self.element = element
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.children: dict[str, list[Node]] = {}
        # The repeated leaves, in their order, with their attributes.
        self.entries: list[tuple[dict[str, str], str]] = []


class BadField(ValueError):
    """An element has an invalid value."""


def site_info(node: Node, language: str) -> SiteInfo:
    """Return the record of ``<siteinfo>``; the language is an attribute of the root element."""
    texts = node.texts
    listed = node.children.get("namespaces")
    namespaces = listed[0].entries if listed else []
    return SiteInfo(
        texts.get("sitename", ""),
        texts.get("dbname", ""),
        texts.get("base", ""),
        texts.get("generator", ""),
        language,
        texts.get("case") != "case-sensitive",
        tuple(_namespace(attributes, name) for attributes, name in namespaces),
    )


def page_head(node: Node, *, is_lenient: bool = False) -> PageHead:
    """Return the record of the elements of ``<page>`` before its revisions."""
    texts = node.texts
    title = texts.get("title")
    if not title:
        raise BadField("a <page> without <title>")
    redirect = node.attributes.get("redirect", {}).get("title")
    return PageHead(
        _identifier(node, is_lenient=is_lenient),
        _optional(node, "ns"),
        title,
        redirect or texts.get("redirect"),
        texts.get("restrictions", ""),
    )


def revision(node: Node, *, is_lenient: bool = False) -> DumpRevision:
    """Return the record of ``<revision>``, with the main slot first and the others by name."""
    texts = node.texts
    number = _identifier(node, is_lenient=is_lenient)
    slots = [_slot(node, number)]
    if more := node.children.get("content"):
        slots += sorted((_slot(content, number) for content in more), key=attrgetter("role"))
        if len({slot.role for slot in slots}) < len(slots):
            raise BadField("a <revision> with two slots of the same name")
    return DumpRevision(
        number,
        _optional(node, "parentid"),
        _timestamp(node),
        _contributor(node),
        texts.get("comment", ""),
        "minor" in texts,
        _hidden(node),
        tuple(slots),
    )


def log_item(node: Node) -> LogItem:
    """Return the record of ``<logitem>``."""
    texts = node.texts
    return LogItem(
        _identifier(node),
        _timestamp(node),
        _contributor(node),
        texts.get("comment", ""),
        texts.get("type", ""),
        texts.get("action", ""),
        texts.get("logtitle", ""),
        texts.get("params", ""),
        _hidden(node),
    )


def upload(node: Node) -> Upload:
    """Return the record of ``<upload>``, a version of a file."""
    texts = node.texts
    return Upload(
        _timestamp(node),
        _contributor(node),
        texts.get("comment", ""),
        texts.get("filename", ""),
        _size(node.texts.get("size") or "0", "size", _LARGEST_FILE),
        _sha1(texts.get("sha1base36", "")),
        texts.get("archivename", ""),
    )


def _integer(text: str, name: str) -> int:
    """Return a decimal number of up to 18 digits."""
    if text.isdecimal() and text.isascii() and len(text) <= _DIGITS:
        return int(text)
    stripped = text.strip(" \t\r\n")
    if not _INTEGER.fullmatch(stripped):
        raise BadField(f"<{name}> is not a number: {text[:40]!r}")
    return int(stripped)


def _identifier(node: Node, *, is_lenient: bool = False) -> int:
    """Return the required ``<id>``, greater than zero; 0 if it ``is_lenient`` and there is none."""
    text = node.texts.get("id")
    number = _integer(text, "id") if text is not None else 0
    if number < 1 and not is_lenient:
        raise BadField(f"a <{node.element.name}> without <id>")
    return number


def _optional(node: Node, name: str) -> int:
    """Return a number, or 0 if the element is absent or empty."""
    text = node.texts.get(name)
    return _integer(text, name) if text else 0


def _timestamp(node: Node) -> str:
    """Return the 14 digits of ``<timestamp>``, or those of the epoch if there is none."""
    text = node.texts.get("timestamp")
    if text is None:
        return _EPOCH
    digits = digits_of(text.strip())
    if digits is None:
        raise BadField(f"<timestamp> is not a timestamp: {text[:40]!r}")
    return digits


def digits_of(text: str) -> str | None:
    """Return the 14 digits of a time of the form ``2026-01-31T23:59:59Z``; None for other texts.

    The result is None for an impossible time too, which could not be parsed when it is read again.
    """
    match = _TIMESTAMP.fullmatch(text)
    digits = "".join(match.groups()) if match else ""
    return digits if is_real(digits) else None


def _contributor(node: Node) -> Contributor:
    """Return the contributor of a revision, an upload or a log entry."""
    children = node.children.get("contributor")
    if not children:
        return Contributor(_UNKNOWN_USER)
    texts = children[0].texts
    if (ip := texts.get("ip")) is not None:
        return Contributor(_user_name(ip))
    return Contributor(_user_name(texts.get("username")), _optional(children[0], "id"))


def _user_name(text: str | None) -> str:
    if text and len(text) > _LONGEST_NAME // 4 and len(text.encode()) > _LONGEST_NAME:
        raise BadField(f"a <contributor> with a name of more than {_LONGEST_NAME} bytes")
    return text or _UNKNOWN_USER


def _hidden(node: Node) -> int:
    """Return the bits of the parts of a revision or log entry marked ``deleted="deleted"``."""
    flags = 0
    for name, attributes in node.attributes.items():
        if "deleted" in attributes:
            flags |= _HIDDEN.get(name, 0)
    return flags


def _slot(node: Node, revision: int) -> DumpSlot:
    """Return the slot in a ``<revision>`` or ``<content>``."""
    texts = node.texts
    text = texts.get("text", "")
    attributes = node.attributes.get("text", {})
    size = _size(attributes["bytes"], "text bytes") if "bytes" in attributes else None
    return DumpSlot(
        texts.get("role") or "main",
        texts.get("model"),
        text,
        size,
        _sha1(attributes.get("sha1") or texts.get("sha1") or ""),
        _optional(node, "origin") or revision,
        absent=not text and bool(size or "text" not in texts),
    )


def _size(text: str, name: str, most: int = _LARGEST_TEXT) -> int:
    number = _integer(text, name)
    if not 0 <= number <= most:
        raise BadField(f"<{name}> is not a valid size: {number}")
    return number


def _sha1(text: str) -> str:
    """Return the text if it is a hash of 31 digits in base 36, else ""."""
    return text if _SHA1.fullmatch(text) else ""


def _namespace(attributes: Mapping[str, str], name: str) -> DumpNamespace:
    """Return a namespace from the attributes and text of ``<namespace key= case=>``."""
    number = _integer(attributes.get("key", ""), "namespace")
    return DumpNamespace(number, name, attributes.get("case") != "case-sensitive")
