"""``#REDIRECT [[Target]]``: recognised at the start of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.title.codec import TitleCodec
    from wikiapi.title.title import Title

_REDIRECT = re.compile(
    r"\s*#REDIRECT[ \t\n\r\f\v]*:?[ \t\n\r\f\v]*\[\[:?([^\]\|]*)(?:\|[^\]]*)?\]\]", re.IGNORECASE
)


def redirect_target(text: str, titles: TitleCodec) -> Title | None:
    """The page that a text redirects to, or ``None`` if it is no redirect."""
    found = split_redirect(text, titles)
    return found[0] if found else None


def split_redirect(text: str, titles: TitleCodec) -> tuple[Title, str] | None:
    """The target of a redirect and the text behind it."""
    if "#" not in text[:1000].lstrip()[:1]:
        return None
    match = _REDIRECT.match(text)
    if match is None:
        return None
    target = titles.try_parse(match[1].partition("\x00")[0])
    if target is None or (target.ns == -1 and target.dbkey in ("Userlogout", "UserLogout")):
        return None
    return target, text[match.end() :]
