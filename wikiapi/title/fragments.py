"""Fragments of addresses: how the name of a section is spelt as an id, and in links to it.

``html5`` keeps all letters; ``legacy`` encodes all but some ASCII characters, with full stops in
place of percent signs. A wiki chooses one of them or both (``wikitext.fragment_mode``): links use
the first, and headings have an id in the second as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

_BLANKS = re.compile(r"[\t\n\f\r ]+")
_ESCAPE = re.compile(r"%(?=[0-9A-Fa-f]{2})")


def _html5_id(text: str) -> str:
    return _BLANKS.sub("_", text)


def _html5_link(text: str) -> str:
    # Browsers would decode what looks like an escape.
    return _ESCAPE.sub("%25", _html5_id(text))


def legacy_id(text: str) -> str:
    """Return a text in the legacy encoding, which links to other wikis use always."""
    encoded = quote(text.replace(" ", "_"), safe="-_.:").replace("~", "%7E")
    return encoded.replace("%", ".")


@dataclass(frozen=True)
class Fragments:
    """The spelling of the names of sections.

    ``mode`` is its name. ``id`` returns a text as the id of an element, ``link`` the same as the
    fragment of an address, and ``second_id``, if it is not ``None``, as the id of a further target
    for headings.
    """

    mode: str
    id: Callable[[str], str]
    link: Callable[[str], str]
    second_id: Callable[[str], str] | None


_SPELLINGS = {
    spelling.mode: spelling
    for spelling in (
        Fragments("html5", _html5_id, _html5_link, None),
        Fragments("legacy", legacy_id, legacy_id, None),
    )
}


def fragments(modes: Sequence[str]) -> Fragments:
    """Return the spelling for the value of ``wikitext.fragment_mode``."""
    first, *others = (_SPELLINGS[mode] for mode in modes)
    return replace(first, second_id=others[0].id if others else None)


USUAL = fragments(("html5", "legacy"))
"""The spelling of a wiki that configures none, and of HTML that follows Parsoid's specification."""
