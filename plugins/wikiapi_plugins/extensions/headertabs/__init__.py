"""HeaderTabs: ``<headertabs />`` turns the top-level sections above it into tabs.

Settings of ``[extensions.headertabs]``: ``render_single_tab`` (false) makes a tab even of a single
section; ``edit_tab_link`` (true) gives tabs links to edit their sections; ``default_first_tab``
(empty) is the label of a tab for the text above the first heading; ``disable_default_toc`` (true)
leaves out the table of contents of a page with tabs.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    FunctionCall,
    HeadingForm,
    ParserFunction,
    ParseState,
    TagCall,
    encode_attributes,
    escape_attribute,
    escape_text,
    parse_fragment,
)
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "HeaderTabs",
            description="Tabs made of sections",
            tags=TAGS,
            functions=(FUNCTION,),
            resources=lambda: read_modules(FOLDER / "resources", in_reader=True),
        ),
    )


_SCRIPT = "ext.headertabs"
_END = '<div id="nomoretabs"></div>'
_NO_TOC = '<div id="noTabTOC"></div>'


class _Parts(NamedTuple):
    """How to find the top-level headings in HTML: what each begins with, its id, and its end."""

    beginning: re.Pattern[str]
    name: re.Pattern[str]
    end: str


_HEADLINE = r'[^<>]*+>(?:<span id="[^"<>]*+"></span>)?<span class="mw-headline" id="([^"<>]*+)">'
_PARTS: Mapping[HeadingForm, _Parts] = MappingProxyType(
    {
        HeadingForm.WRAPPED: _Parts(
            re.compile(r'<div class="mw-heading mw-heading1">'),
            re.compile(r'<h1 [^<>]*?\bid="([^"<>]*)"[^<>]*+>'),
            "</div>",
        ),
        HeadingForm.BARE: _Parts(
            re.compile(rf"<h1(?={_HEADLINE})"), re.compile(rf"(?<![^<>]){_HEADLINE}"), "</h1>"
        ),
    }
)
_EDIT = '<span class="mw-editsection">'
_ELEMENT = re.compile(r"<[^<>]*+>")


class Settings(NamedTuple):
    """The settings of the extension."""

    render_single_tab: bool = False
    edit_tab_link: bool = True
    default_first_tab: str = ""
    disable_default_toc: bool = True

    @classmethod
    def of(cls, site: Wiki) -> Settings:
        """Return the settings of a wiki."""
        settings = site.config.extensions.get("headertabs", {})
        return cls(**{name: settings[name] for name in cls._fields if name in settings})


def headertabs(call: TagCall) -> str:
    """Return the marker for the end of the tabs, which are made when the page is finished."""
    state = call.state
    state.output.modules.setdefault(_SCRIPT)
    change = _Change(state)
    if change not in state.page_changes:
        state.page_changes.append(change)
    return _END


def notabtoc(call: TagCall) -> str:
    """Return the marker for tabs without a table of contents."""
    return _NO_TOC


TAGS = (ExtensionTag("headertabs", headertabs), ExtensionTag("notabtoc", notabtoc))


def switchtablink(call: FunctionCall) -> Expansion:
    """Return a link to a tab, of this or another page: ``{{#switchtablink:tab|text|page}}``."""
    tab = call.site.titles.try_parse(call.first)
    name = tab.dbkey if tab else call.first.replace(" ", "_")
    label = parse_fragment(call.arg(1) or call.first, call.frame, call.state)
    page = call.site.titles.try_parse(call.arg(2)) if call.arg(2) else None
    attributes = {"href": f"#tab={name}", "class": "tabLink"}
    if page is not None:
        call.state.links.add(page)
        attributes = {"href": f"{call.site.page_path(page)}#tab={name}"}
    return Expansion(f"<a{encode_attributes(attributes)}>{label}</a>", html=True)


FUNCTION = ParserFunction("#switchtablink", switchtablink)


@dataclass(frozen=True, slots=True)
class Tab:
    """A top-level section: its anchor, its heading as text, and its HTML.

    ``is_editable`` tells whether its heading has a link to edit the section.
    """

    name: str
    label: str
    content: str
    is_editable: bool = False


@dataclass(frozen=True, eq=True)
class _Change:
    """Makes tabs in the finished HTML of a page."""

    state: ParseState

    def __call__(self, page: str) -> str:
        """Return the page with tabs; unchanged if it has too few sections."""
        settings = Settings.of(self.state.site)
        above, mark, below = page.partition(_END)
        parts = _PARTS[self.state.heading_form]
        starts = [match.span() for match in parts.beginning.finditer(above)]
        ends = [start for start, _ in starts[1:]]
        before = above[: starts[0][0]] if starts else above
        sections = [
            above[start:end] for (_, start), end in zip(starts, [*ends, None], strict=False)
        ]
        tabs = list(_tabs(sections, parts))
        has_first = bool(settings.default_first_tab and before.strip())
        if has_first:
            name = settings.default_first_tab
            tabs.insert(0, Tab(name.replace(" ", "_"), name, before))
            before = ""
        if not mark or len(tabs) < (1 if settings.render_single_tab else 2):
            return page
        if settings.disable_default_toc:
            self.state.output.show_toc = False
        first = 0 if has_first else 1
        written = "".join(
            self._panel(tab, number, settings) for number, tab in enumerate(tabs, first)
        )
        frame = _frame(tabs, written)
        return f'{before}<div id="headertabs">{frame}</div>{below}'

    def _panel(self, tab: Tab, number: int, settings: Settings) -> str:
        is_editable = settings.edit_tab_link and tab.is_editable
        link = self._edit_link(number) if is_editable else ""
        css = f"section-{number}"
        data = {
            "_": "OO.ui.TabPanelLayout",
            "name": tab.name,
            "label": tab.label,
            "scrollable": True,
            "expanded": False,
            "framed": True,
            "classes": [css],
        }
        attributes = {"id": tab.name, "role": "tabpanel", "class": f"{css} {_PANEL}"}
        return (
            f"<div{_ooui_attributes(attributes, data)}>"
            "<fieldset class='oo-ui-layout oo-ui-fieldsetLayout'>"
            "<legend class='oo-ui-fieldsetLayout-header'>"
            "<span class='oo-ui-iconElement-icon oo-ui-iconElement-noIcon'></span>"
            "<span class='oo-ui-labelElement-label'></span></legend>"
            "<div class='oo-ui-fieldsetLayout-group'>"
            "<div class='oo-ui-widget oo-ui-widget-enabled'>"
            f"{link}{tab.content}</div></div></fieldset></div>"
        )

    def _edit_link(self, number: int) -> str:
        """Return a link to edit a section. As in MediaWiki, the number is that of the tab."""
        state = self.state
        text = escape_text(state.messages.interface_text("editsection"))
        path = state.site.query_path(state.title, f"action=edit&section={number}")
        attribute = escape_attribute(state.site.config.site.server + path)
        return (
            f'<span class="ht-editsection" id="edittab">[<a href="{attribute}">{text}</a>]</span>'
        )


def _tabs(sections: list[str], parts: _Parts) -> Iterator[Tab]:
    """Yield a tab for each piece of HTML that starts inside a top-level heading."""
    for text in sections:
        heading, _, content = text.partition(parts.end)
        start = parts.name.match(heading)
        if start is None:
            continue
        visible = heading[start.end() :].partition("</h1>")[0].partition(_EDIT)[0]
        label = html.unescape(_ELEMENT.sub("", visible))
        yield Tab(html.unescape(start[1]), label.strip(), content, _EDIT in heading)


_PANEL = (
    "oo-ui-layout oo-ui-panelLayout oo-ui-panelLayout-scrollable oo-ui-panelLayout-framed "
    "oo-ui-tabPanelLayout"
)
_INDEX = (
    "mw-tabs oo-ui-layout oo-ui-menuLayout oo-ui-menuLayout-static oo-ui-menuLayout-top "
    "oo-ui-menuLayout-showMenu oo-ui-indexLayout"
)
_MENU, _CONTENT, _SELECT, _FIRST_OPTION = 1, 2, 3, 4


def _frame(tabs: list[Tab], panels: str) -> str:
    """Return the row of tab labels, and the panels below it."""
    options = "".join(_option(tab, index) for index, tab in enumerate(tabs))
    select_data = {
        "_": "OO.ui.TabSelectWidget",
        "items": [{"tag": _id(_FIRST_OPTION + index)} for index in range(len(tabs))],
    }
    index_data = {
        "_": "OO.ui.IndexLayout",
        "classes": ["mw-tabs"],
        "expanded": False,
        "menuPanel": {"tag": _id(_MENU)},
        "contentPanel": {"tag": _id(_CONTENT)},
        "autoFocus": False,
        "tabPanels": {tab.name: {"tag": tab.name} for tab in tabs},
        "tabSelectWidget": {"tag": _id(_SELECT)},
    }
    menu_data = {"_": "OO.ui.PanelLayout", "preserveContent": False, "expanded": False}
    stack_data = {
        "_": "OO.ui.StackLayout",
        "preserveContent": False,
        "expanded": False,
        "items": [{"tag": tab.name} for tab in tabs],
    }
    select = {
        "role": "tablist",
        "aria-multiselectable": "false",
        "tabindex": "0",
        "id": _id(_SELECT),
        "class": "oo-ui-selectWidget oo-ui-selectWidget-unpressed oo-ui-widget "
        "oo-ui-widget-enabled oo-ui-tabSelectWidget oo-ui-tabSelectWidget-framed",
    }
    menu = {
        "id": _id(_MENU),
        "class": "oo-ui-layout oo-ui-panelLayout oo-ui-indexLayout-tabPanel",
    }
    stack = {
        "id": _id(_CONTENT),
        "class": "oo-ui-layout oo-ui-panelLayout oo-ui-stackLayout oo-ui-indexLayout-stackLayout",
    }
    index = {"id": "mw-tabs-id", "class": _INDEX}
    return (
        "<div class='mw-header-tabs-wrapper oo-ui-layout oo-ui-panelLayout "
        f"oo-ui-panelLayout-framed'><div{_ooui_attributes(index, index_data)}>"
        "<div aria-hidden='false' class='oo-ui-menuLayout-menu'>"
        f"<div{_ooui_attributes(menu, menu_data)}>"
        f"<div{_ooui_attributes(select, select_data)}>{options}</div>"
        "</div></div><div class='oo-ui-menuLayout-content'>"
        f"<div{_ooui_attributes(stack, stack_data)}>{panels}</div></div></div></div>"
    )


def _option(tab: Tab, index: int) -> str:
    chosen = {"selected": True} if index == 0 else {}
    data = {"_": "OO.ui.TabOptionWidget", **chosen, "label": tab.label, "data": tab.name}
    css = (
        "oo-ui-widget oo-ui-widget-enabled oo-ui-labelElement oo-ui-optionWidget "
        "oo-ui-tabOptionWidget"
    )
    attributes = {
        "aria-selected": "false" if index else "true",
        "role": "tab",
        "id": _id(_FIRST_OPTION + index),
        "class": css if index else f"{css} oo-ui-optionWidget-selected",
    }
    label = f"<span class='oo-ui-labelElement-label'>{escape_text(tab.label)}</span>"
    return f"<div{_ooui_attributes(attributes, data)}>{label}</div>"


def _id(number: int) -> str:
    return f"ooui-php-{number}"


def _ooui_attributes(attributes: Mapping[str, str], data: Mapping[str, Any]) -> str:
    """Return HTML attributes, including the data for OOUI's widgets in the browser."""
    dumped = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    both = {**attributes, "data-ooui": dumped}
    return "".join(f" {name}='{html.escape(value)}'" for name, value in both.items())
