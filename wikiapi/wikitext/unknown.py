"""Tags and parser functions that no plugin knows: noted where the parser leaves them as text.

A page with some gets a tracking category, and a property that names them, from which
``wikiapi doctor`` counts them. ``site.track_unknown`` turns both off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from wikiapi.wikitext.html.allowed import ELEMENTS, words
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices

PROPERTY = "wikiapi-unknown"
"""The page property: ``<tabber> {{#vardefine:}}``, sorted, with a space between two."""
CATEGORY = "wikiapi-unknown-category"
"""The message that names the tracking category."""

_MOST = 50
"""Names that are noted of one page."""
_FUNCTION = re.compile(r"#[\w-]{1,40}+(?=:)")
_TAG = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_HTML = ELEMENTS | words(
    """
    a acronym address applet area article aside audio base basefont blink body button canvas col
    colgroup datalist details dialog dir embed fieldset figcaption figure footer form frame frameset
    head header hgroup iframe img input label legend main map marquee math menu meter nav nobr
    noframes noscript object optgroup option output param path picture progress script section
    select source style summary svg tbody template textarea tfoot thead title track video
    """
)
"""Elements of HTML: those that wikitext does not allow are not missing a plugin."""
_OWN = words("includeonly noinclude onlyinclude nowiki")


class Known(NamedTuple):
    """To which extension names usually belong. ``parts`` are elements within a tag of one."""

    tags: Mapping[str, str]
    functions: Mapping[str, str]
    parts: frozenset[str]


@lru_cache(maxsize=1)
def known() -> Known:
    """Return the names in ``unknown.json``."""
    text = resources.files(__package__).joinpath("unknown.json").read_text(encoding="utf-8")
    data: Mapping[str, Mapping[str, list[str]]] = json.loads(text)

    def owners(kind: str) -> dict[str, str]:
        return {name: owner for owner, names in data.items() for name in names.get(kind, ())}

    return Known(owners("tags"), owners("functions"), frozenset(owners("parts")))


def extension_of(name: str) -> str:
    """Return the extension to which a name usually belongs, written as in the property; or ""."""
    table = known()
    if name.startswith("<"):
        return table.tags.get(name.strip("<>"), "")
    return table.functions.get(name.strip("{:}"), "")


def unknown_names(value: str) -> Iterator[str]:
    """Yield the names in the value of the property."""
    yield from value.split()


class UnknownNames:
    """The names of one rendering that nothing has answered to."""

    def __init__(self, output: ParserOutput, notices: Notices, tags: Container[str]) -> None:
        """Write into an output; ``tags`` are those that plugins know."""
        self._output = output
        self._notices = notices
        self._tags = tags
        self._opened: set[str] = set()
        self._found: set[str] = set()

    def note_function(self, name: str) -> None:
        """Take what was called in double braces, such as ``#vardefine:x``, and is no page."""
        if match := _FUNCTION.match(name):
            self._note(f"{{{{{match[0].lower()}:}}}}")

    def note_missing_page(self, name: str) -> None:
        """Take the same for a page that does not exist: some functions have no ``#``."""
        prefix, colon, _ = name.partition(":")
        if colon and prefix.lower() in known().functions:
            self._note(f"{{{{{prefix.lower()}:}}}}")

    def note_tag(self, name: str, *, opens: bool, closes: bool) -> None:
        """Take a tag that stays as text.

        One that no extension is known for counts only if it is closed: ``<name>`` may stand for a
        name that the reader is to put in its place.
        """
        name = name.lower()
        table = known()
        if name in self._tags or name in table.parts or name in _OWN or not _TAG.fullmatch(name):
            return
        if name in table.tags:
            self._note(f"<{name}>")
        elif name not in _HTML:
            if closes and (opens or name in self._opened):
                self._note(f"<{name}>")
            elif opens and len(self._opened) < _MOST:
                self._opened.add(name)

    def _note(self, name: str) -> None:
        if name in self._found or len(self._found) >= _MOST:
            return
        self._found.add(name)
        self._notices.add_tracking_category(CATEGORY)
        self._output.properties[PROPERTY] = " ".join(sorted(self._found))
