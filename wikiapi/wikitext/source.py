"""Redirect targets and sections, found in a page's source without rendering it."""

from __future__ import annotations

import re
from urllib.parse import unquote

from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.title import Title
from wikiapi.wikitext.preprocess.nodes import Heading
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.syntax import TRIMMED

_BLANKS = r"[ \t\n\r\f\v]*"
_REDIRECT = re.compile(
    rf"{_BLANKS}#REDIRECT{_BLANKS}(?::{_BLANKS})?\[\[:?([^\]|\n]*)(?:\|[^\]\n]*)?\]\]{_BLANKS}",
    re.IGNORECASE,
)


def redirect_target(text: str, titles: TitleCodec) -> Title | None:
    """Return the page that a text redirects to, or ``None`` if it is not a redirect."""
    found = split_redirect(text, titles)
    return found[0] if found else None


def split_redirect(text: str, titles: TitleCodec) -> tuple[Title, str] | None:
    """Return the target of a redirect and the text after it, without blanks at its start."""
    match = _REDIRECT.match(text)
    if match is None:
        return None
    name = unquote(match[1], errors="replace") if "%" in match[1] else match[1]
    target = titles.try_parse(name)
    if target is None or (target.ns == SPECIAL and target.dbkey.lower() == "userlogout"):
        return None
    return target, text[match.end() :]


_NUMBER = re.compile(r"(T-)?([0-9]{1,9})\Z", re.ASCII)


def section_text(text: str, section: str, preprocessor: Preprocessor) -> str | None:
    """Return the source of a section with its subsections; ``None`` if there is no such section.

    Args:
        text: the page's source.
        section: the number of a heading; ``0`` for the text before the first. ``T-1`` and so on
            count only the headings that the page has when it is transcluded.
        preprocessor: finds the headings.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    tree = preprocessor.tree(text, inclusion=bool(match[1]))
    headings = [node for node in tree if isinstance(node, Heading)]
    number = int(match[2])
    if not number:
        return text[: headings[0].offset if headings else None].rstrip(TRIMMED)
    for position, heading in enumerate(headings):
        if heading.index == number:
            return _span(text, headings[position:])
    return None


def _span(text: str, headings: list[Heading]) -> str:
    first, *rest = headings
    end = next((other.offset for other in rest if other.level <= first.level), len(text))
    return text[first.offset : end].rstrip(TRIMMED)
