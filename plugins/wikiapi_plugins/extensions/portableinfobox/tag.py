"""``<infobox>``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from wikiapi.languages import Plain
from wikiapi.wikitext import (
    ExtensionTag,
    ParseState,
    PluginState,
    TagCall,
    encode_attributes,
    escape_all,
    escape_text,
)
from wikiapi_plugins.extensions.portableinfobox.items import (
    Evaluation,
    Item,
    UnknownElement,
    collapse,
    group_layout,
    metadata,
    property_data,
    row_items,
    span,
)
from wikiapi_plugins.extensions.portableinfobox.markup import Unreadable, read
from wikiapi_plugins.extensions.portableinfobox.pictures import Picture

_STYLES, _SCRIPT = "ext.PortableInfobox.styles", "ext.PortableInfobox.scripts"
_PROPERTY = "infoboxes"
_VERSION = 2
_LAYOUTS = ("default", "stacked")
_UNSAFE = re.compile(r"[^\w\-]+")
_BOXES: PluginState[list[str]] = PluginState(lambda state: [])
"""The data of the boxes of a rendering as JSON."""


def infobox(call: TagCall) -> str:
    """Return the box, and set its content as a property of the page."""
    state = call.state
    state.output.modules.setdefault(_SCRIPT)
    state.output.module_styles.setdefault(_STYLES)
    evaluation = Evaluation(call.frame, state)
    try:
        nodes, count = read(call.inner or "")
        state.budget.step(count)
        items = evaluation.items(nodes)
    except Unreadable:
        return escape_text(state.messages.text("portableinfobox-unreadable"))
    except UnknownElement as error:
        text = state.messages.html("portableinfobox-unknown-tag", Plain(str(error)))
        return f'<strong class="error"> {text}</strong>'
    data = {
        "parser_tag_version": _VERSION,
        "data": property_data(item for item in items if not item.is_empty),
        "metadata": metadata(items),
    }
    encoded = json.dumps(data, separators=(",", ":")).replace("/", "\\/")
    state.charge(encoded)
    state.plugin(_BOXES).append(encoded)
    # The place of the property is that of the first box.
    state.output.properties.setdefault(_PROPERTY, "[]")
    attributes = call.attributes
    theme = evaluation.parameter(attributes.get("theme-source", "")) or attributes.get("theme", "")
    layout = attributes.get("layout", "")
    classes = [
        "pi-background",
        f"pi-theme-{_word(theme) or 'default'}",
        f"pi-layout-{layout if layout in _LAYOUTS else 'default'}",
    ]
    kind = _word(attributes.get("type", ""))
    if kind:
        classes.append(f"pi-type-{kind}")
    # A strip marker replaces the box until paragraphs are made, so that none are made in it.
    return state.strip.add_nowiki(render(items, classes), "infobox")


def set_property(state: ParseState) -> None:
    """Set the page property to the data of all boxes, which are then complete."""
    if _PROPERTY in state.output.properties:
        boxes = state.plugin(_BOXES)
        state.output.properties[_PROPERTY] = f"[{','.join(boxes)}]"


def _word(text: str) -> str:
    """Return a text in a form that can be part of a class name."""
    return _UNSAFE.sub("-", text.strip())


DECLARATION = ExtensionTag("infobox", infobox)


_BOX = "portable-infobox noexcerpt searchaux"
_HEADER = "pi-item pi-header pi-secondary-font pi-item-spacing pi-secondary-background"
_CELL = "pi-font pi-border-color pi-item-spacing"


def render(items: Sequence[Item], classes: Iterable[str]) -> str:
    """Return the HTML of a box; an empty text if none of its items has a value."""
    visible = [item for item in items if not item.is_empty]
    if not visible:
        return ""
    return f'<aside class="{_BOX} {" ".join(classes)}">{_all(visible)}</aside>\n'


def _all(items: Iterable[Item]) -> str:
    return "".join(_RENDERERS[item.kind](item) for item in items)


def _open(element: str, css: str, item: Item, more: Mapping[str, str] | None = None) -> str:
    # The source of the value, for scripts.
    source = {"data-source": item.source} if item.source is not None else {}
    origin = source | ({"data-item-name": item.name} if item.name is not None else {})
    return f"<{element}{encode_attributes({'class': css, **origin, **(more or {})})}>"


def _title(item: Item) -> str:
    return f"{_open('h2', 'pi-item pi-item-spacing pi-title', item)}{item.value}</h2>"


def _header(item: Item) -> str:
    return f"{_open('h2', _HEADER, item)}{item.value}</h2>"


def _navigation(item: Item) -> str:
    css = "pi-navigation pi-item-spacing pi-secondary-background pi-secondary-font"
    return f"{_open('nav', css, item)}{item.value}</nav>"


def _data(item: Item) -> str:
    label = f'\t\t<h3 class="pi-data-label pi-secondary-font">{item.label}</h3>\n'
    return (
        f"{_open('div', 'pi-item pi-data pi-item-spacing pi-border-color', item)}\n"
        f"{label if item.label else ''}"
        f'\t<div class="pi-data-value pi-font">{item.value}</div>\n</div>'
    )


def _media(item: Item) -> str:
    if len(item.pictures) == 1:
        return _figure(item, item.pictures[0])
    tabs = [(picture.caption or escape_all(picture.name), picture) for picture in item.pictures]
    rendered = [(label, _figure(item, picture, is_in_list=True)) for label, picture in tabs]
    css = "pi-image-collection wds-tabber"
    return f"{_open('div', css, item)}{_tabs(rendered)}</div>"


def _figure(item: Item, picture: Picture, *, is_in_list: bool = False) -> str:
    css = f"pi-item pi-media pi-{picture.kind}"
    caption = f'<figcaption class="pi-item-spacing pi-caption">{picture.caption}</figcaption>'
    below = caption if picture.caption and not is_in_list else ""
    if picture.kind == "audio":
        sound = {"src": picture.url, "controls": "controls", "controlsList": "nodownload"}
        audio = f"\t<audio{encode_attributes(sound)}></audio>\n"
        return f"{_open('figure', css, item)}\n\t{below}\n{audio}</figure>"
    alt = picture.alt or picture.name
    link = {"href": picture.url, "class": f"image {_LINKS[picture.kind]}", "title": alt}
    image = {
        "src": picture.small,
        "srcset": f"{picture.small} 1x, {picture.large} 2x",
        "class": "pi-image-thumbnail",
        "alt": alt,
        "width": str(picture.size.width),
        "height": str(picture.size.height),
    }
    return (
        f"{_open('figure', css, item)}\n\t<a{encode_attributes(link)}>\n"
        f"\t\t<img{encode_attributes(image)} />\n\t\t\n\t</a>\n\t{below}\n</figure>"
    )


_LINKS = {"image": "image-thumbnail", "video": "video-thumbnail"}


# Groups


def _group(item: Item) -> str:
    items = item.visible_items
    css = "pi-item pi-group pi-border-color"
    if items and items[0].kind == "header" and (folded := collapse(item)):
        css += f" pi-collapse pi-collapse-{folded}"
    if group_layout(item) == "horizontal":
        return f"{_open('section', css, item)}{_table(items)}</section>"
    if columns := row_items(item):
        return f"{_open('section', css, item)}{_rows(items, columns)}</section>"
    return f"{_open('section', css, item)}{_all(items)}</section>"


def _table(items: Sequence[Item]) -> str:
    """Return a group as a table with a column for each item."""
    cells = [item for item in items if item.kind == "data"]
    header = next((item for item in items if item.kind == "header"), None)
    caption = (
        f'<caption class="pi-header pi-secondary-font pi-secondary-background pi-item-spacing">'
        f"{header.value}</caption>"
        if header
        else ""
    )
    labelled = any(item.label for item in cells)
    head = "pi-horizontal-group-item pi-data-label pi-secondary-font pi-border-color"
    labels = "".join(
        f"{_open('th', f'{head} pi-item-spacing', item)}{item.label}</th>" for item in cells
    )
    values = "".join(
        f"{_open('td', f'pi-horizontal-group-item pi-data-value {_CELL}', item)}{item.value}</td>"
        for item in cells
    )
    css = "pi-horizontal-group" + ("" if labelled else " pi-horizontal-group-no-labels")
    top = f"<thead><tr>{labels}</tr></thead>" if labelled else ""
    return f'<table class="{css}">{caption}{top}<tbody><tr>{values}</tr></tbody></table>'


def _rows(items: Sequence[Item], columns: int) -> str:
    """Return the items of a group in rows with this number of columns.

    Items other than data, and those with the layout ``default``, are not in rows.
    """
    out: list[str] = []
    row: list[Item] = []

    def end_row() -> None:
        if row:
            out.append(_row(row))
            row.clear()

    for item in items:
        if item.kind != "data" or item.node.attribute("layout") == "default":
            end_row()
            out.append(_all([item]))
            continue
        if sum(map(span, row)) + span(item) > columns:
            end_row()
        row.append(item)
    end_row()
    return "".join(out)


def _row(items: Sequence[Item]) -> str:
    total = sum(map(span, items))
    labels = "".join(
        _smart("h3", "pi-smart-data-label pi-data-label pi-secondary-font", item, total)
        + f"{item.label}</h3>"
        for item in items
    )
    values = "".join(
        _smart("div", "pi-smart-data-value pi-data-value pi-font", item, total)
        + f"{item.value}</div>"
        for item in items
    )
    head = f'<section class="pi-smart-group-head">{labels}</section>'
    return (
        f'<section class="pi-item pi-smart-group pi-border-color">'
        f"{head if any(item.label for item in items) else ''}"
        f'<section class="pi-smart-group-body">{values}</section></section>'
    )


def _smart(element: str, css: str, item: Item, total: int) -> str:
    css = f"{css} pi-item-spacing"
    return _open(element, css, item, {"style": f"width: {span(item) / total * 100:.14g}%"})


# Panels, which show one section at a time if these have labels


def _panel(item: Item) -> str:
    header = next((one for one in item.visible_items if one.kind == "header"), None)
    sections = [one for one in item.visible_items if one.kind == "section"]
    is_switched = any(section.label for section in sections)
    css = "pi-item pi-panel pi-border-color"
    if header and (folded := collapse(item)):
        css += f" pi-collapse pi-collapse-{folded}"
    labels, contents = "", ""
    for index, section in enumerate(sections):
        active = "" if index and is_switched else " pi-section-active"
        labels += (
            f'<li class="pi-section-tab pi-item-spacing{active}" data-ref="{index}">'
            f'<div class="pi-section-label">{section.label}</div></li>'
        )
        contents += (
            f'<div class="pi-section-content{active}" data-ref="{index}">'
            f"{_all(section.visible_items)}</div>"
        )
    tabs = (
        '<div class="pi-panel-scroll-wrapper">'
        f'<ul class="pi-section-navigation">{labels}</ul></div>'
    )
    return (
        f"{_open('section', css, item)}{_all([header] if header else [])}"
        f'{tabs if is_switched else ""}<div class="pi-section-contents">{contents}</div></section>'
    )


def _section(item: Item) -> str:
    return f"{_open('section', 'pi-item pi-section', item)}{_all(item.visible_items)}</section>"


def _tabs(rendered: Sequence[tuple[str, str]]) -> str:
    """Return a row of labels above the parts that they show; the first is selected."""
    labels = "".join(
        f'<li class="wds-tabs__tab{_current(index)}"><div class="wds-tabs__tab-label">'
        f"{label}</div></li>"
        for index, (label, _) in enumerate(rendered)
    )
    parts = "".join(
        f'<div class="wds-tab__content{_current(index)}">{part}</div>'
        for index, (_, part) in enumerate(rendered)
    )
    tabs = f'<ul class="wds-tabs">{labels}</ul>'
    return f'<div class="wds-tabs__wrapper">{tabs}</div>{parts}' if rendered else ""


def _current(index: int) -> str:
    return "" if index else " wds-is-current"


_RENDERERS: Mapping[str, Callable[[Item], str]] = {
    "title": _title,
    "header": _header,
    "navigation": _navigation,
    "data": _data,
    "media": _media,
    "group": _group,
    "panel": _panel,
    "section": _section,
}
