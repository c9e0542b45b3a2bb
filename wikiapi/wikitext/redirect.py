"""``#REDIRECT [[Target]]``: recognised at the start of a text."""

from __future__ import annotations

import re
from urllib.parse import unquote

from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.title import Title

_BLANKS = r"[ \t\n\r\f\v]*"
_REDIRECT = re.compile(
    rf"\s*#REDIRECT{_BLANKS}(?::{_BLANKS})?\[\[:?([^\]|]*)(?:\|[^\]]*)?\]\]", re.IGNORECASE
)


def redirect_target(text: str, titles: TitleCodec) -> Title | None:
    """The page that a text redirects to, or ``None`` if it is no redirect."""
    found = split_redirect(text, titles)
    return found[0] if found else None


def split_redirect(text: str, titles: TitleCodec) -> tuple[Title, str] | None:
    """The target of a redirect and the text behind it."""
    match = _REDIRECT.match(text)
    if match is None:
        return None
    name = unquote(match[1], errors="replace") if "%" in match[1] else match[1]
    target = titles.try_parse(name)
    if target is None or (target.ns == SPECIAL and target.dbkey.lower() == "userlogout"):
        return None
    return target, text[match.end() :]
