"""Facts of ``prop=info`` about editing a page: the preloaded text and the introductions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wikiapi.api import Obj
from wikiapi.languages import Message
from wikiapi.store import Key
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

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"preload": "" if page.row else None}


class PreloadContent(Fact):
    """The text with which the edit box of a new page or section begins."""

    name = "preloadcontent"

    def load(self) -> None:
        source = self.module.p.text_or_none("preloadcustom")
        title = self.module.site.titles.try_parse(source) if source else None
        self._text = _text_of(self, title.key) if title and not title.interwiki else ""

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        if page.row and not self.module.p.flag("preloadnewsection"):
            return {}
        text = _filled(_preloadable(self._text), self.module.p.texts("preloadparams"))
        content = {
            "contentmodel": page.model,
            "contentformat": default_format(page.model),
            "content": text,
        }
        return {"preloadcontent": Obj(content, content="content"), "preloadisdefault": not text}


class EditIntro(Fact):
    """The introductions shown above the edit box, by name, as HTML.

    These are the notices of the wiki (``MediaWiki:Editnotice-<namespace>`` and its subpages), the
    page given by ``editintrocustom``, or else an explanation for users who create a page.
    """

    name = "editintro"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        skipped = self.module.p.texts("editintroskip")
        shown = {name: text for name, text in self._all(page).items() if name not in skipped}
        return {"editintro": Obj(shown)}

    def _all(self, page: InfoPage) -> dict[str, str]:
        found = self._notices(page)
        custom = self.module.p.text_or_none("editintrocustom")
        title = self.module.site.titles.try_parse(custom) if custom else None
        wikitext = _text_of(self, title.key) if title and not title.interwiki else ""
        if wikitext:
            found["editintro"] = self._rendered(wikitext, page, "mw-editintro")
        elif page.row is None:
            name = (
                "newarticletextanon" if self.module.context.user.is_anonymous else "newarticletext"
            )
            found[name] = self._explanation(name)
        return found

    def _notices(self, page: InfoPage) -> dict[str, str]:
        keys = {name: (MEDIAWIKI, name[0].upper() + name[1:]) for name in _notice_names(page)}
        stored = texts.current(self.module.db, keys.values())
        return {
            name: self._rendered(stored[key].text or "", page, f"mw-editnotice-{name}")
            for name, key in keys.items()
            if key in stored
        }

    def _rendered(self, wikitext: str, page: InfoPage, css_class: str) -> str:
        output = self.module.site.parser.parse(wikitext, page.title, _NOTICE)
        return self._framed(output.html, css_class)

    def _explanation(self, name: str) -> str:
        site = self.module.site
        language = self.module.context.language
        help_page = site.messages.text(Message("helppage"), language)
        text = site.messages.html(Message(name, (help_page,)), language)
        return self._framed(f"<p>{text}</p>", f"mw-{name}")

    def _framed(self, markup: str, css_class: str) -> str:
        if self.module.p.text("editintrostyle") == "lessframes":
            return markup
        return f'<div class="{css_class}">{markup}</div>'


def _notice_names(page: InfoPage) -> list[str]:
    """Return the names of the notices for the namespace and for each level of the page's path."""
    parts = page.title.dbkey.split("/") if page.title.namespace.subpages else [page.title.dbkey]
    paths = ["-".join(parts[: depth + 1]) for depth in range(len(parts))]
    stem = f"editnotice-{page.title.ns}"
    return [stem, *(f"{stem}-{path}" for path in paths)]


def _text_of(fact: Fact, key: Key) -> str:
    found = texts.current(fact.module.db, [key]).get(key)
    return (found.text or "") if found else ""


def _preloadable(text: str) -> str:
    """Return a page's text as it is preloaded: as if transcluded, without comments."""
    text = _NOT_INCLUDED.sub(
        lambda match: _INCLUDE_ONLY.sub("", match[1] or ""), _COMMENT.sub(r"\1", text)
    )
    return text.strip("\n")


def _filled(text: str, values: tuple[str, ...]) -> str:
    def value(match: re.Match[str]) -> str:
        index = int(match[1])
        return values[index - 1] if index <= len(values) else match[0]

    return _PARAMETER.sub(value, text)
