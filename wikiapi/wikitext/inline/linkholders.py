"""Links whose look depends on the page they lead to: held back, then looked up all at once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.title.namespaces import FILE, MEDIAWIKI, SPECIAL
from wikiapi.title.specialpages import shown_name
from wikiapi.title.title import Title
from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi.wikitext.html.ids import escape_id_for_link, escape_id_legacy

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_HOLDER = re.compile(r"<!--LINK'\" ([0-9]{1,8})-->")


class _Held(NamedTuple):
    title: Title
    label: str


class LinkHolders:
    """The links of one rendering that wait for the existence of their targets."""

    def __init__(self, state: ParseState) -> None:
        """Hold links for this rendering."""
        self._state = state
        self._held: list[_Held] = []

    def hold(self, title: Title, label: str, trail: str = "") -> str:
        """A stand-in for a link, the rest of its last word within it."""
        inside, outside = split_trail(trail)
        self._held.append(_Held(title, label + inside))
        self._state.add_held_link(title)
        return f"<!--LINK'\" {len(self._held) - 1}-->{outside}"

    def replace(self, text: str) -> str:
        """The text with every stand-in replaced by its link."""
        if "<!--LINK" not in text:
            return text
        self._state.look_up_links()
        return _HOLDER.sub(self._replaced, text)

    def replace_text(self, text: str) -> str:
        """The text with every stand-in replaced by the words it shows."""
        if "<!--LINK" not in text:
            return text
        return _HOLDER.sub(self._label, text)

    def _at(self, match: re.Match[str]) -> _Held | None:
        index = int(match[1])
        return self._held[index] if index < len(self._held) else None

    def _label(self, match: re.Match[str]) -> str:
        held = self._at(match)
        return held.label if held else match[0]

    def _replaced(self, match: re.Match[str]) -> str:
        held = self._at(match)
        return page_link(held.title, held.label, self._state) if held else match[0]


_TRAIL = re.compile(r"[a-z]+")


def split_trail(text: str) -> tuple[str, str]:
    """The letters that continue a link's last word, and the rest."""
    match = _TRAIL.match(text)
    return (match[0], text[match.end() :]) if match else ("", text)


def page_link(title: Title, label: str, state: ParseState) -> str:
    """A link to a page of this wiki, by what is known of the page."""
    redirect = state.output.existing.get(title.key)
    if redirect is None and not state.is_known(title):
        return _red_link(title, label, state)
    if title.ns == SPECIAL:
        title = replace(title, dbkey=shown_name(title.dbkey))
    css = ' class="mw-redirect"' if redirect else ""
    return _anchor(state.site.page_path(title), css, title.prefixed_text, label)


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    return f'<a href="{encode_attribute(url)}"{css} title="{encode_attribute(tip)}">{label}</a>'


def _red_link(title: Title, label: str, state: ParseState) -> str:
    site = state.site
    tip = state.red_link_tip.replace("$1", title.prefixed_text)
    if title.ns == SPECIAL:
        return _anchor(site.page_path(title.without_fragment()), ' class="new"', tip, label)
    url = site.query_path(title.without_fragment(), "action=edit&redlink=1")
    return _anchor(url, ' class="new"', tip, label)


def known_link(title: Title, label: str, state: ParseState, css: str = "") -> str:
    """A link that is shown as existing whatever it leads to."""
    if not title.dbkey and not title.interwiki:
        return f'<a href="#{encode_attribute(escape_id_for_link(title.fragment))}">{label}</a>'
    shown = f' class="{css}"' if css else ""
    return _anchor(page_address(title, state), shown, title.prefixed_text, label)


def page_address(title: Title, state: ParseState) -> str:
    """Other wikis are still addressed with fragments in the encoding of old."""
    entry = state.site.interwiki.get(title.interwiki) if title.interwiki else None
    if entry is None or entry.local:
        return state.site.page_path(title)
    return entry.page_url(title.text, escape_id_legacy(title.fragment))


def always_known(title: Title, state: ParseState) -> bool:
    """Whether a page counts as existing although it is not stored."""
    namespace = title.ns
    if namespace == SPECIAL:
        return state.is_special_page(title)
    if namespace == MEDIAWIKI:
        return state.has_message(title)
    return namespace == FILE and state.file(title) is not None
