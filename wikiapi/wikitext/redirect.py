"""``#REDIRECT [[Target]]``: recognised at the start of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import SPECIAL
from wikiapi.title.title import Title
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.inline.linkholders import known_link, page_link

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState


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


def redirect_html(target: Title, state: ParseState) -> str:
    """The note that says where a redirect leads."""
    shown = escape_text(target.full_text)
    if target.interwiki or not target.dbkey:
        link = known_link(target, shown, state, "extiw" if target.interwiki else "")
        state.add_interwiki_link(target)
    else:
        state.add_link(target)
        state.look_up_links()
        link = page_link(target, shown, state)
    address = escape_attribute(state.site.page_path(target))
    return (
        f'<div class="redirectMsg"><p>{state.message("redirectto")}</p>'
        f'<ul class="redirectText"><li>{link}</li></ul></div>'
        f'<link rel="mw:PageProp/redirect" href="{address}">'
    )
