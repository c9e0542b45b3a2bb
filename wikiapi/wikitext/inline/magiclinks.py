"""The kinds of magic links: ``RFC 1``, ``PMID 1`` and ``ISBN 0-306-40615-2``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.wikitext.syntax import SPACES

_SPACE = rf"(?:[\t{SPACES}]|&(?:nbsp|#0*160|#[Xx]0*[Aa]0);)"
_BETWEEN = rf"(?:-|{_SPACE})?"
_NUMBER = r"[0-9]+"
SPACING = re.compile(_SPACE)
"""Matches a space between name and number, or within a number."""
_BOOK = "ISBN"


class _Kind(NamedTuple):
    """A kind of number; ``message`` is the key of the text that is the address."""

    pattern: str
    css_class: str
    category: str
    message: str = ""


MAGIC_LINKS = {
    "RFC": _Kind(_NUMBER, "external mw-magiclink-rfc", "magiclink-tracking-rfc", "rfcurl"),
    "PMID": _Kind(_NUMBER, "external mw-magiclink-pmid", "magiclink-tracking-pmid", "pubmedurl"),
    _BOOK: _Kind(
        rf"(?:97[89]{_BETWEEN})?(?:[0-9]{_BETWEEN}){{9}}[0-9Xx]",
        "internal mw-magiclink-isbn",
        "magiclink-tracking-isbn",
    ),
}


def magic_links(names: Iterable[str]) -> list[str]:
    """Return patterns of some kinds of magic links, each a group of the whole link."""
    return [rf"({name}{_SPACE}+{MAGIC_LINKS[name].pattern}\b)" for name in sorted(set(names))]
