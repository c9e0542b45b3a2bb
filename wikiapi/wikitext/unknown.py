"""Tags and parser functions that no plugin provides, recorded when the parser leaves them as text.

A page with any gets a tracking category, and a page property that lists them, from which
``wikiapi doctor`` counts them. The setting ``site.track_unknown`` turns both off.
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
"""The page property, such as ``<tabber> {{#vardefine:}}``: sorted, separated by spaces."""
CATEGORY = "wikiapi-unknown-category"
"""The message that names the tracking category."""

_MAX_NAMES = 50
"""The highest number of names recorded for one page."""
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
"""Elements of HTML. Those that wikitext does not allow do not indicate a missing plugin."""
_OWN = words("includeonly noinclude onlyinclude nowiki")


class Owners(NamedTuple):
    """The extensions that tags and functions usually belong to.

    ``parts`` are elements that occur only within the content of such a tag.
    """

    tags: Mapping[str, str]
    functions: Mapping[str, str]
    parts: frozenset[str]


@lru_cache(maxsize=1)
def usual_owners() -> Owners:
    """Return the names in ``unknown.json``."""
    text = resources.files(__package__).joinpath("unknown.json").read_text(encoding="utf-8")
    data: Mapping[str, Mapping[str, list[str]]] = json.loads(text)

    def owners(kind: str) -> dict[str, str]:
        return {name: owner for owner, names in data.items() for name in names.get(kind, ())}

    return Owners(owners("tags"), owners("functions"), frozenset(owners("parts")))


def extension_of(name: str) -> str:
    """Return the extension that a name usually belongs to, or "". Names are as in the property."""
    table = usual_owners()
    if name.startswith("<"):
        return table.tags.get(name.strip("<>"), "")
    return table.functions.get(name.strip("{:}"), "")


def unknown_names(value: str) -> Iterator[str]:
    """Yield the names in the value of the property."""
    yield from value.split()


class UnknownNames:
    """The unknown tags and functions of one rendering."""

    def __init__(self, output: ParserOutput, notices: Notices, tags: Container[str]) -> None:
        """Record names in ``output``; ``tags`` are those that plugins provide."""
        self._output = output
        self._notices = notices
        self._tags = tags
        self._opened: set[str] = set()
        self._names: set[str] = set()

    def note_function(self, name: str) -> None:
        """Record the function of a call such as ``#vardefine:x``, unless it is not one."""
        if match := _FUNCTION.match(name):
            self._note(f"{{{{{match[0].lower()}:}}}}")

    def note_missing_page(self, name: str) -> None:
        """Record the function of a call that was taken for a missing page.

        Names of some functions have no ``#``, so that only a known name is recorded.
        """
        prefix, colon, _ = name.partition(":")
        if colon and prefix.lower() in usual_owners().functions:
            self._note(f"{{{{{prefix.lower()}:}}}}")

    def note_tag(self, name: str, *, opens: bool, closes: bool) -> None:
        """Record a tag that is left as text.

        One that no known extension provides is recorded only if it is closed, since ``<name>`` in a
        text is often a placeholder for the reader to replace.
        """
        name = name.lower()
        table = usual_owners()
        if name in self._tags or name in table.parts or name in _OWN or not _TAG.fullmatch(name):
            return
        if name in table.tags:
            self._note(f"<{name}>")
        elif name not in _HTML:
            if closes and (opens or name in self._opened):
                self._note(f"<{name}>")
            elif opens and len(self._opened) < _MAX_NAMES:
                self._opened.add(name)

    def _note(self, name: str) -> None:
        if name in self._names or len(self._names) >= _MAX_NAMES:
            return
        self._names.add(name)
        self._notices.add_tracking_category(CATEGORY)
        self._output.properties[PROPERTY] = " ".join(sorted(self._names))
