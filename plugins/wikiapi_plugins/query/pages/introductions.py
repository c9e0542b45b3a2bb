"""Facts of ``prop=info`` about editing a page: the preloaded text and the introductions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wikiapi.api import Obj
from wikiapi.languages import Message
from wikiapi.store.queries import texts
from wikiapi.title import MEDIAWIKI, default_format
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.query.pages.protection import Fact, InfoPage

_NOTICE = ParserOptions(limit_report=False, edit_sections=False)
# An unclosed comment or tag takes the rest of the text, so that its end is not searched for again.
_COMMENT = re.compile(r"<!--.*?-->|(<!--.*+)", re.DOTALL)
_NOT_INCLUDED = re.compile(
    r"<noinclude>.*?</noinclude>|(<noinclude>.*+)|</?includeonly>", re.DOTALL | re.IGNORECASE
)
_INCLUDE_ONLY = re.compile(r"</?includeonly>", re.IGNORECASE)
_PARAMETER = re.compile(r"\$([1-9][0-9]?)")


class Preload(Fact):
    """The text that extensions preload for a new page: none here."""

    name = "preload"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        return {"preload": "" if page.row else None}


class PreloadContent(Fact):
    """The text with which the edit box of a new page or section begins."""

    name = "preloadcontent"

    def load(self) -> None:
        """Read the page to preload as if it were transcluded, without comments, and fill it in."""
        values = self.module.p.texts("preloadparams")

        def value(match: re.Match[str]) -> str:
            index = int(match[1])
            return values[index - 1] if index <= len(values) else match[0]

        text = _COMMENT.sub(r"\1", _text_of_page(self, "preloadcustom"))
        text = _NOT_INCLUDED.sub(lambda match: _INCLUDE_ONLY.sub("", match[1] or ""), text)
        self._text = _PARAMETER.sub(value, text.strip("\n"))

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row and not self.module.p.flag("preloadnewsection"):
            return {}
        content = {
            "contentmodel": page.model,
            "contentformat": default_format(page.model),
            "content": self._text,
        }
        return {
            "preloadcontent": Obj(content, content="content"),
            "preloadisdefault": not self._text,
        }


class EditIntro(Fact):
    """The introductions shown above the edit box, by name, as HTML.

    These are the notices of the wiki (``MediaWiki:Editnotice-<namespace>`` and its subpages), the
    page given by ``editintrocustom``, or else an explanation for users who create a page.
    """

    name = "editintro"

    def data(self, page: InfoPage) -> Mapping[str, Any]:
        parts = page.title.dbkey.split("/") if page.title.namespace.subpages else [page.title.dbkey]
        stem = f"editnotice-{page.title.ns}"
        names = [stem, *(f"{stem}-{'-'.join(parts[:depth])}" for depth in range(1, len(parts) + 1))]
        keys = {name: (MEDIAWIKI, name[0].upper() + name[1:]) for name in names}
        stored = texts.current(self.module.db, keys.values())
        introductions = {
            name: self._rendered(stored[key].text or "", page, f"mw-editnotice-{name}")
            for name, key in keys.items()
            if key in stored
        }
        if wikitext := _text_of_page(self, "editintrocustom"):
            introductions["editintro"] = self._rendered(wikitext, page, "mw-editintro")
        elif page.row is None:
            context, messages = self.module.context, self.module.site.messages
            name = "newarticletextanon" if context.user.is_anonymous else "newarticletext"
            help_page = messages.text(Message("helppage"), context.language)
            text = messages.html(Message(name, (help_page,)), context.language)
            introductions[name] = self._framed(f"<p>{text}</p>", f"mw-{name}")
        for name in self.module.p.texts("editintroskip"):
            introductions.pop(name, None)
        return {"editintro": Obj(introductions)}

    def _rendered(self, wikitext: str, page: InfoPage, css_class: str) -> str:
        output = self.module.site.parser.parse(wikitext, page.title, _NOTICE)
        return self._framed(output.html, css_class)

    def _framed(self, markup: str, css_class: str) -> str:
        if self.module.p.text("editintrostyle") == "lessframes":
            return markup
        return f'<div class="{css_class}">{markup}</div>'


def _text_of_page(fact: Fact, param: str) -> str:
    """Return the text of the page that a parameter names; empty if there is none."""
    name = fact.module.p.text_or_none(param)
    title = fact.module.site.titles.try_parse(name) if name else None
    if title is None or title.interwiki:
        return ""
    page = texts.current(fact.module.db, [title.key]).get(title.key)
    return (page.text or "") if page else ""
