"""The table of contents: numbering of headings, and the list itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.html.spacing import armour_french_spaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.wikitext.output import Section
    from wikiapi.wikitext.state import ParseState

TOC_MARK = '<meta property="mw:PageProp/toc" />'


class Numbering:
    """Numbers like 1.2.1, by the levels of the headings as they come."""

    def __init__(self) -> None:
        """No heading yet."""
        self._depth = 0
        self._previous = 0
        self._levels: list[int] = [0]
        self._counts: list[int] = [0]

    def next(self, level: int) -> tuple[int, str]:
        """Depth and number of the next heading. A skipped level counts as one step."""
        if level > self._previous or not self._depth:
            self._depth += 1
            del self._levels[self._depth :], self._counts[self._depth :]
            self._levels.append(level)
            self._counts.append(0)
        elif level < self._previous and self._depth > 1:
            self._climb(level)
        self._levels[self._depth] = level
        self._counts[self._depth] += 1
        self._previous = level
        return self._depth, ".".join(map(str, self._counts[1 : self._depth + 1]))

    def _climb(self, level: int) -> None:
        for depth in range(self._depth, 0, -1):
            if self._levels[depth] == level:
                self._depth = depth
                return
            if self._levels[depth] < level:
                self._depth = depth + 1
                return
        self._depth = 1


def toc_html(sections: Sequence[Section], state: ParseState) -> str:
    """The table of contents of a page."""
    heading = escape_text(state.interface_message("toc"))
    code = state.interface_language
    language = f'lang="{html_code(code)}" dir="{direction(code)}"'
    return (
        '<div id="toc" class="toc" role="navigation" aria-labelledby="mw-toc-heading">'
        '<input type="checkbox" role="button" id="toctogglecheckbox" class="toctogglecheckbox" '
        f'style="display:none" /><div class="toctitle" {language}>'
        f'<h2 id="mw-toc-heading">{heading}</h2><span class="toctogglespan">'
        '<label class="toctogglelabel" for="toctogglecheckbox"></label></span></div>'
        f"{_items(sections)}</div>\n"
    )


def _items(sections: Sequence[Section]) -> str:
    out: list[str] = []
    depth = 0
    for section in sections:
        level = section.toc_level
        if level > depth:
            out.append("\n<ul>\n" * (level - depth))
        elif level == depth:
            out.append("</li>\n")
        else:
            out.append("</li>\n" + "</ul>\n</li>\n" * (depth - level))
        depth = level
        out.append(_item(section))
    out.append("</li>\n</ul>\n" * depth)
    return "".join(out)


def _item(section: Section) -> str:
    index = f" tocsection-{section.index}" if section.index.isdigit() else ""
    return (
        f'<li class="toclevel-{section.toc_level}{index}">'
        f'<a href="#{escape_attribute(section.link_anchor)}">'
        f'<span class="tocnumber">{section.number}</span> '
        f'<span class="toctext">{armour_french_spaces(section.line)}</span></a>'
    )
