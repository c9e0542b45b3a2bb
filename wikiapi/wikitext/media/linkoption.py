"""The image option ``link=``: a URL, a page, or no link."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from wikiapi.title.namespaces import FILE, MAIN, MEDIA
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title
from wikiapi.wikitext.html.ids import section_name
from wikiapi.wikitext.inline.externallinks import note_external_link
from wikiapi.wikitext.media.plaintext import known_text
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.syntax import FIRST_CHARACTER, PROTOCOL_OR_RELATIVE, URL_CHARACTERS

_PROTOCOL = re.compile(PROTOCOL_OR_RELATIVE)
_ADDRESS = re.compile(rf"{PROTOCOL_OR_RELATIVE}{FIRST_CHARACTER}{URL_CHARACTERS}*\Z")


@dataclass(slots=True)
class LinkOption:
    """The values of ``link=``, which may be given several times. A URL has priority."""

    url: str = ""
    title: Title | None = None
    nowhere: bool = False
    """Whether the value is empty, so that the picture is not linked."""

    @property
    def is_given(self) -> bool:
        """Whether the picture does not link to its file's page."""
        return bool(self.url or self.title or self.nowhere)

    def read(
        self, value: str, state: ParseState, note: Callable[[Title, ParseState], None] | None = None
    ) -> bool:
        """Read a value and record the link; return false if the value is not a valid target.

        ``note`` records a link to a page; the default is the behaviour for images.
        """
        text = known_text(value, state)
        if not text:
            self.nowhere = True
        elif _PROTOCOL.match(text):
            if not _ADDRESS.match(text):
                return False
            note_external_link(text, state)
            self.url = text
        else:
            title = _title(unquote(text, errors="replace") if "%" in text else text, state)
            if title is None:
                return False
            (note or _note)(title, state)
            self.title = title
        return True


def _title(text: str, state: ParseState) -> Title | None:
    if text.startswith("#"):
        fragment = section_name(decode_references(text[1:]))
        return Title(state.site.namespaces[MAIN], "", fragment) if fragment else None
    return state.site.titles.try_parse(text)


def _note(title: Title, state: ParseState) -> None:
    if title.interwiki:
        state.output.interwiki_links.setdefault((title.interwiki, title.dbkey), title)
    elif title.ns == MEDIA:
        state.links.add(state.site.titles.make(FILE, title.dbkey))
    elif title.dbkey:
        state.links.add(title)
