"""What change tags are called, and what they mean: built-in words, or pages of the wiki.

``MediaWiki:Tag-<name>`` is the name that readers see, ``Tag-<name>-description`` says more and
``Tag-<name>-helppage`` leads to where most is said. A name of ``-`` hides the tag.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from wikiapi.store import texts
from wikiapi.title.codec import capitalise
from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.wikitext.options import ParserOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site

_PLAIN = ParserOptions(limit_report=False, edit_sections=False, wrapper_class="")
_NONE = "-"
_KINDS = ("", "-description", "-helppage")


class TagWords:
    """The words for some tags."""

    def __init__(self, site: Site, names: Iterable[str], language: str) -> None:
        """Read the pages that the wiki has for the tags. One query."""
        self._site = site
        self._language = language
        keys = {
            f"tag-{name}{kind}": (MEDIAWIKI, capitalise(f"tag-{name}{kind}".replace(" ", "_")))
            for name in names
            for kind in _KINDS
        }
        found = texts.current(site.db, keys.values())
        self._local = {key: found[page].text for key, page in keys.items() if page in found}

    def display_name(self, name: str) -> str | bool:
        """The name that readers see, as HTML; ``False`` for a tag that they do not see."""
        key = f"tag-{name}"
        text = self._text(key)
        if text == _NONE:
            return False
        label = escape(name) if text is None else self._html(key, text)
        target = self._text(f"{key}-helppage")
        return f'<a href="{escape(target)}">{label}</a>' if target else label

    def description(self, name: str) -> str:
        """What the tag means, as wikitext; empty if nobody has said."""
        text = self._text(f"tag-{name}-description")
        return "" if text in (None, _NONE) else text or ""

    def _text(self, key: str) -> str | None:
        own = self._local.get(key)
        return own if own is not None else self._site.messages.template(key, self._language)

    def _html(self, key: str, text: str) -> str:
        if key not in self._local:
            return escape(text)
        page = self._site.titles.make(MEDIAWIKI, capitalise(key.replace(" ", "_")))
        html = self._site.parser.parse(text, page, _PLAIN).html.strip()
        inner = html.removeprefix("<p>").removesuffix("</p>").strip()
        return inner if "<p>" not in inner else html
