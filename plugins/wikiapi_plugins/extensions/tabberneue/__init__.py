"""TabberNeue: ``<tabber>`` and ``<tabbertransclude>``, tabs of which one is shown at a time.

Settings of ``[extensions.tabberneue]``: ``parse_tab_name`` (false) parses the labels of tabs as
wikitext; ``wrap`` (false) wraps long rows of labels on all pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.title import Title
from wikiapi.wikitext import (
    ExtensionTag,
    ParseState,
    PluginState,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_all,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "TabberNeue",
            description="Tabs within pages",
            tags=DECLARATIONS,
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources", in_reader=True),
        ),
    )


_SEPARATOR = "|-|"
_ELEMENT = re.compile(r"\s*+<[A-Za-z]")
_STYLES, _SCRIPT = "ext.tabberNeue.init.styles", "ext.tabberNeue"
_WRAP = "wrap"
_NO = frozenset({"0", "false", "no", "off"})
_SETTINGS = "tabberneue"
MOST = 200
"""Maximum number of tabs in one tag; further ones are left out."""


class Tab(NamedTuple):
    """A tab: ``label`` and ``content`` are HTML, ``name`` is the label as written."""

    name: str
    label: str
    content: str


def tabber(call: TagCall) -> str:
    """Return the tabs that the tag's content declares: ``|-|label=content``."""
    tabs = []
    for piece in (call.inner or "").split(_SEPARATOR, MOST + 1)[: MOST + 1]:
        name, sign, text = piece.partition("=")
        if sign and (name := trim(name)):
            tabs.append(Tab(name, _label(name, call), _content(trim(text), call)))
    html = _tabs_html(call, tabs)
    if tabs:
        call.state.notices.add_tracking_category("tabberneue-tabber-category")
    return html


def tabbertransclude(call: TagCall) -> str:
    """Return a tab for each line of the content, ``page|label``.

    Only the first page is transcluded. The others are links, which the script replaces by the
    pages when their tabs are opened.
    """
    tabs = list(_page_tabs(call))
    html = _tabs_html(call, tabs)
    if tabs:
        call.state.notices.add_tracking_category("tabberneue-tabbertransclude-category")
    return html


DECLARATIONS = (
    ExtensionTag("tabber", tabber),
    ExtensionTag("tabbertransclude", tabbertransclude),
)


def _content(text: str, call: TagCall) -> str:
    """Return wikitext as HTML, within a paragraph unless it begins with an element."""
    html = call.parse(f"\n{text}\n") if text else ""
    return html if not html or _ELEMENT.match(html) else f"<p>{html}</p>"


def _page_tabs(call: TagCall) -> Iterator[Tab]:
    """Yield the tabs of existing and missing pages, all of which are fetched at once."""
    pages: list[tuple[Title, str]] = []
    for line in (call.inner or "").split("\n"):
        page, _, name = (trim(part) for part in line.partition("|"))
        title = call.site.titles.try_parse(page) if page else None
        if title and title.dbkey and not title.interwiki and len(pages) < MOST:
            pages.append((title, name or page))
    call.state.loader.fetch(title for title, _ in pages)
    for index, (title, name) in enumerate(pages):
        html = _transcluded(title, call) if index == 0 else _link(title, call)
        yield Tab(name, _label(name, call), html)


def _transcluded(title: Title, call: TagCall) -> str:
    """Return a transcluded page, whose headings do not give this page a table of contents."""
    output = call.state.output
    shows_toc = output.show_toc
    html = "\n" + call.parse(f"{{{{:{title.prefixed_text}}}}}")
    output.show_toc = shows_toc
    return html


def _link(title: Title, call: TagCall) -> str:
    """Return a link to a page, and record the page as transcluded."""
    state = call.state
    _, text = state.templates.find(title, call.frame)
    link = call.parse(f"[[:{title.prefixed_text}|{title.prefixed_text}]]")
    data = {"class": "tabber__transclusion", "data-mw-tabber-page": title.prefixed_text}
    if text is not None:
        data["data-mw-tabber-revision"] = str(text.revision_id)
    return f"<div{encode_attributes(data)}>{link}</div>"


def _label(name: str, call: TagCall) -> str:
    return call.parse(name) if _is_set(call.state, "parse_tab_name") else escape_all(name)


def _is_set(state: ParseState, setting: str) -> bool:
    return bool(state.site.config.extensions.get(_SETTINGS, {}).get(setting))


def _tabs_html(call: TagCall, tabs: Sequence[Tab]) -> str:
    """Return the HTML of tabs; an empty text if there are none."""
    if not tabs:
        return ""
    output = call.state.output
    output.modules.setdefault(_SCRIPT)
    output.module_styles.setdefault(_STYLES)
    ids = [_new_id(tab.name, call.state) for tab in tabs]
    labels = "".join(_tab(id_, tab) for id_, tab in zip(ids, tabs, strict=True))
    panels = "".join(_panel(id_, tab) for id_, tab in zip(ids, tabs, strict=True))
    own = {name: value for name, value in call.attributes.items() if name != _WRAP}
    checked = checked_attributes(own, "div", call.state.fragments)
    classes = ["tabber", "tabber--init"]
    wrap = call.attributes.get(_WRAP)
    if _is_set(call.state, _WRAP) if wrap is None else trim(wrap).lower() not in _NO:
        classes.append("tabber--wrap")
    classes += checked.get("class", "").split()
    attributes = encode_attributes(checked | {"class": " ".join(classes)})
    return (
        f'<div{attributes}><header class="tabber__header">{_button("prev")}'
        f'<nav class="tabber__tabs" role="tablist">{labels}</nav>{_button("next")}</header>'
        f'<div class="tabber__section">{panels}</div></div>'
    )


def _button(side: str) -> str:
    css = f"tabber__header__{side}"
    return f'<button class="{css}" tabindex="-1" type="button" aria-hidden="true"></button>'


def _tab(id_: str, tab: Tab) -> str:
    attributes = {
        "class": "tabber__tab",
        "role": "tab",
        "id": f"{id_}-label",
        "href": f"#{id_}",
        "aria-controls": id_,
    }
    return f"<a{encode_attributes(attributes)}>{tab.label}</a>"


def _panel(id_: str, tab: Tab) -> str:
    attributes = {
        "class": "tabber__panel",
        "role": "tabpanel",
        "tabindex": "0",
        "id": id_,
        "aria-labelledby": f"{id_}-label",
    }
    return f"<div{encode_attributes(attributes)}>{tab.content}</div>"


# Ids are unique within a page: from the second tab with a name on, they have a number.


_IDS: PluginState[dict[str, int]] = PluginState(lambda state: {})


def _new_id(name: str, state: ParseState) -> str:
    used = state.plugin(_IDS)
    base = f"tabber-{state.fragments.id(name)}"
    used[base] = number = used.get(base, 0) + 1
    return base if number == 1 else f"{base}_{number}"
