"""The elements of MediaWiki's XML export that we read, as data.

The formats are https://www.mediawiki.org/xml/export-0.10.xsd and export-0.11.xsd. What is not
listed here is passed over with everything inside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

TEXT_CHARS, FIELD_CHARS, NAME_CHARS = SIZES = ("text_chars", "field_chars", "name_chars")
"""Which of the limits an element is bound by."""
VERSIONS = ("0.10", "0.11")
ROOT = "mediawiki"
NOTHING: Mapping[str, Element] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element. ``children`` is None for one that holds text (a leaf).

    ``size`` names the limit on what it holds, ``repeated`` keeps all of its occurrences.
    """

    name: str
    children: Mapping[str, Element] | None = None
    size: str = NAME_CHARS
    repeated: bool = False
    starts: Mapping[str, Element] = field(init=False)
    is_usual: bool = field(init=False)
    """Neither a text nor repeated."""

    def __post_init__(self) -> None:
        """Nothing we know may stand within an element that holds text."""
        object.__setattr__(self, "starts", self.children or NOTHING)
        object.__setattr__(self, "is_usual", self.size != TEXT_CHARS and not self.repeated)


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
        """Begin an element."""
        self.element = element
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.children: dict[str, list[Node]] = {}
        # The repeated leaves, in their order, with their attributes.
        self.entries: list[tuple[dict[str, str], str]] = []
