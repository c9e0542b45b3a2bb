"""InputBox: ``<inputbox>``, forms to search, create, comment on and move pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from wikiapi.hookspecs import hookimpl
from wikiapi.languages import direction
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.title import Namespace, decode_references
from wikiapi.wikitext import ExtensionTag, TagCall, encode_attributes, escape_text, trim
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "InputBox",
            description="Forms within pages",
            tags=(DECLARATION,),
            messages=FOLDER / "messages",
            resources=lambda: (*read_modules(FOLDER / "resources"), ResourceModule("ext.inputBox")),
        ),
    )


_USUAL_WIDTH = 50
_WIDTH = re.compile(r"\s*\+?([0-9]{1,9})", re.ASCII)
_SHARE = r"\s*(?:[0-9]+|[0-9.]+%)\s*"
_COLOUR = re.compile(
    rf"(?:[a-z]+|#[0-9a-f]{{3}}|#[0-9a-f]{{6}}|rgb\s*\({_SHARE},{_SHARE},{_SHARE}\))\s*\Z",
    re.ASCII | re.IGNORECASE,
)
_DIRECTIONS = frozenset({"ltr", "rtl"})
_SCRIPT = ".js"
_PRELOAD_PARAMS = "preloadparams[]"


@dataclass(slots=True)
class Options:
    """The options of an input box. Those that matter even if empty are ``None`` if not given."""

    type: str = ""
    width: str = ""
    default: str = ""
    placeholder: str = ""
    bgcolor: str = ""
    page: str = ""
    prefix: str = ""
    buttonlabel: str = ""
    searchbuttonlabel: str = ""
    fulltextbutton: str = ""
    searchfilter: str = ""
    namespaces: str = ""
    labeltext: str = ""
    hidden: str = ""
    inline: str = ""
    id: str = ""
    dir: str = ""
    tour: str = ""
    useve: str = ""
    arialabel: str = ""
    searchengine: str = ""
    preload: str | None = None
    preloadtitle: str | None = None
    editintro: str | None = None
    summary: str | None = None
    nosummary: str | None = None
    minor: str | None = None
    br: str = ""
    preload_params: tuple[str, ...] = ()

    @property
    def line_break(self) -> str:
        """The separator between the field and the buttons."""
        return " " if self.br.lower() == "no" else "<br />"

    @property
    def size(self) -> str:
        """The width of the field in characters."""
        match = _WIDTH.match(self.width)
        return str((match and int(match[1])) or _USUAL_WIDTH)

    @property
    def style(self) -> str:
        """The CSS for the background; empty if ``bgcolor`` is not a colour."""
        if not _COLOUR.match(self.bgcolor) or self.bgcolor == "transparent":
            return ""
        return f"background-color: {self.bgcolor};"

    @property
    def is_hidden(self) -> bool:
        """Whether the field is hidden; never if a preloaded text would be saved as a script."""
        target = self.page if self.type == "commenttitle" else self.default
        return bool(self.hidden) and not (self.preload and target.endswith(_SCRIPT))


_NAMES = {field.name for field in fields(Options)} - {"br", "preload_params"}


def read_options(text: str, call: TagCall) -> Options:
    """Read the lines; a later line of the same name wins."""
    lines = (line.partition("=") for line in text.split("\n"))
    pairs = [
        (trim(name).lower(), decode_references(trim(value)))
        for name, equals, value in lines
        if equals
    ]
    values = {name: value for name, value in pairs if name in _NAMES}
    options = Options(**cast("dict[str, Any]", values))
    options.br = dict(pairs).get("break", "")
    options.preload_params = tuple(value for name, value in pairs if name == _PRELOAD_PARAMS)
    options.type = options.type.lower()
    if options.dir not in _DIRECTIONS:
        options.dir = direction(call.site.language)
    return options


FIELD = "cdx-text-input__input"
BUTTON = "cdx-button"
PRIMARY = "cdx-button cdx-button--action-progressive cdx-button--weight-primary"


def element(tag: str, attributes: Mapping[str, str | None], content: str | None = None) -> str:
    """Return an element, without attributes that are ``None``; ``None`` as content closes it."""
    written = encode_attributes({name: v for name, v in attributes.items() if v is not None})
    return f"<{tag}{written} />" if content is None else f"<{tag}{written}>{content}</{tag}>"


def hidden(name: str, value: str | None) -> str:
    """Return a hidden field, or an empty text if the value is ``None``."""
    if value is None:
        return ""
    return element("input", {"type": "hidden", "value": value or None, "name": name})


def text_field(options: Options, name: str, css: str, *, required: bool = False) -> str:
    """Return the text field of a form."""
    attributes = {
        "type": "hidden" if options.is_hidden else None,
        "name": name,
        "class": f"mw-inputbox-input {css} {FIELD}",
        "value": options.default or None,
        "placeholder": options.placeholder,
        "required": "" if required and not options.is_hidden else None,
        "size": options.size,
        "dir": options.dir,
        "aria-label": options.arialabel or None,
    }
    return element("div", {"class": "cdx-text-input"}, element("input", attributes))


def submit(label: str, name: str | None = None, css: str = PRIMARY) -> str:
    """Return a button that submits the form."""
    return element("input", {"type": "submit", "name": name, "value": label, "class": css})


def centered(options: Options, form: str) -> str:
    """Return a form in its box, which has the background and is centred unless it is inline."""
    css = "mw-inputbox-inline" if options.inline else "mw-inputbox-centered"
    return element("div", {"class": css, "style": options.style}, form)


_SPACE = "&#160;"
_FULL_TEXT = "fulltext"
_CHECKED = "**"


def search_form(options: Options, call: TagCall) -> str:
    """Return a search field with two buttons."""
    label = options.buttonlabel or call.state.messages.text("inputbox-tryexact")
    buttons = submit(label, "go", BUTTON) + _SPACE + _full_text_button(options, call)
    return _search(options, call, buttons)


def full_text_form(options: Options, call: TagCall) -> str:
    """Return a search field with one button, which always lists results."""
    buttons = _full_text_button(options, call) + hidden(_FULL_TEXT, "Search")
    return _search(options, call, buttons)


def small_form(options: Options, call: TagCall) -> str:
    """Return a search field with a label, for use within a line of text."""
    name = call.state.fragments.id(options.id)
    inline = " mw-inputbox-inline" if options.inline else ""
    label = trim(options.labeltext)
    parts = [
        element("label", {"for": f"bodySearchInput{name}"}, call.parse(label)) if label else "",
        _field(options, f"bodySearchInput{name}"),
        _SPACE,
        submit(options.buttonlabel or call.state.messages.text("inputbox-tryexact"), "go", BUTTON),
    ]
    if options.fulltextbutton:
        parts += (_SPACE, _full_text_button(options, call))
    wrap = {"class": f"bodySearchWrap{inline}", "style": options.style}
    attributes = {
        "name": f"bodySearch{name}",
        "id": f"bodySearch{name}",
        "class": f"bodySearch{inline}",
        "action": _address(options, call),
    }
    return element("form", attributes, element("div", wrap, "".join(parts)))


def _search(options: Options, call: TagCall, buttons: str) -> str:
    # A checkbox for each named namespace; ** after a name checks it.
    boxes: list[str] = []
    for entry in options.namespaces.split(",") if options.namespaces else ():
        name = trim(entry.replace(_CHECKED, ""))
        is_main = name.lower() in ("", call.state.messages.text("inputbox-ns-main").lower())
        namespaces = call.site.namespaces
        namespace = namespaces[0] if is_main else namespaces.find(name)
        if namespace is not None:
            boxes.append(_checkbox(namespace, call, checked=_CHECKED in entry))
    parts = (
        _field(options, call.state.fragments.id(options.id)),
        hidden("prefix", options.prefix or None),
        hidden("searchfilter", options.searchfilter or None),
        hidden("tour", options.tour or None),
        *boxes,
        options.line_break,
        buttons,
    )
    engine = "set" if options.searchengine else "not-set"
    attributes = {
        "name": "searchbox",
        "class": f"searchbox mw-inputbox-form inputbox-searchengine-{engine}",
        "action": _address(options, call),
    }
    return centered(options, element("form", attributes, "".join(parts)))


def _field(options: Options, name: str) -> str:
    attributes = {
        "class": f"mw-inputbox-input mw-searchInput searchboxInput {FIELD}",
        "name": "search",
        "type": "hidden" if options.is_hidden else None,
        "value": options.default or None,
        "placeholder": options.placeholder,
        "size": options.size,
        "id": name or None,
        "dir": options.dir,
        "aria-label": options.arialabel or None,
    }
    return element("div", {"class": "cdx-text-input"}, element("input", attributes))


def _full_text_button(options: Options, call: TagCall) -> str:
    label = options.searchbuttonlabel or call.state.messages.text("inputbox-searchfulltext")
    return submit(label, _FULL_TEXT, BUTTON)


def _address(options: Options, call: TagCall) -> str:
    """Return the address of the search page: that of ``searchengine``, or else the usual one."""
    titles = call.site.titles
    other = titles.try_parse(f"Special:{options.searchengine}") if options.searchengine else None
    return call.site.page_path(other or call.site.special_page("Search"))


def _checkbox(namespace: Namespace, call: TagCall, *, checked: bool) -> str:
    name = f"mw-inputbox-ns{namespace.id}"
    attributes = {
        "type": "checkbox",
        "name": f"ns{namespace.id}",
        "value": "1",
        "id": name,
        "class": "cdx-checkbox__input",
        "checked": "" if checked else None,
    }
    name_html = escape_text(namespace.name or call.state.messages.text("inputbox-ns-main"))
    label = element("label", {"for": name, "class": "cdx-label__label"}, name_html)
    return element(
        "div",
        {"class": "cdx-checkbox cdx-checkbox--inline"},
        element("input", attributes)
        + '<span class="cdx-checkbox__icon"></span>'
        + element("div", {"class": "cdx-checkbox__label cdx-label"}, label),
    )


_BUTTON = "create"


def create_form(options: Options, call: TagCall) -> str:
    """Return a form to create a page, or to add a section to it."""
    comments = options.type == "comment"
    label = "inputbox-postcomment" if comments else "inputbox-createarticle"
    parts = (
        _action(options),
        _preloads(options),
        hidden("summary", options.summary),
        hidden("nosummary", options.nosummary),
        hidden("prefix", options.prefix or None),
        hidden("minor", options.minor),
        hidden("section", "new" if comments else None),
        text_field(options, "title", "mw-inputbox-createbox", required=True),
        options.line_break,
        submit(options.buttonlabel or call.state.messages.text(label), _BUTTON),
    )
    return _form("createbox", "createbox", parts, options, call)


def comment_form(options: Options, call: TagCall) -> str:
    """Return a form to add a section to a given page."""
    parts = (
        _action(options),
        _preloads(options),
        text_field(options, "preloadtitle", "commentboxInput"),
        hidden("section", "new"),
        hidden("title", options.page),
        options.line_break,
        submit(
            options.buttonlabel or call.state.messages.text("inputbox-postcommenttitle"),
            _BUTTON,
        ),
    )
    return _form("commentbox", "commentbox", parts, options, call)


def move_form(options: Options, call: TagCall) -> str:
    """Return a form to rename a given page."""
    parts = (
        hidden("title", call.site.special_page(f"MovePage/{options.page}").prefixed_text),
        hidden("wpReason", options.summary or ""),
        hidden("prefix", options.prefix),
        text_field(options, "wpNewTitle", "mw-moveboxInput"),
        options.line_break,
        submit(options.buttonlabel or call.state.messages.text("inputbox-movearticle")),
    )
    return _form("movebox", "mw-movebox", parts, options, call)


def _action(options: Options) -> str:
    return hidden("veaction" if options.useve else "action", "edit")


def _preloads(options: Options) -> str:
    params = "".join(hidden("preloadparams[]", value) for value in options.preload_params)
    return "".join(
        [
            hidden("preload", options.preload),
            params,
            hidden("preloadtitle", options.preloadtitle if options.type == "comment" else None),
            hidden("editintro", options.editintro),
        ]
    )


def _form(name: str, css: str, parts: tuple[str, ...], options: Options, call: TagCall) -> str:
    attributes = {
        "name": name,
        "id": call.state.fragments.id(options.id) or None,
        "class": f"{css} mw-inputbox-form",
        "action": f"{call.site.config.site.script_path}/index.php",
        "method": "get",
    }
    return centered(options, element("form", attributes, "".join(parts)))


_FORMS: Mapping[str, Callable[[Options, TagCall], str]] = MappingProxyType(
    {
        "create": create_form,
        "comment": create_form,
        "commenttitle": comment_form,
        "move": move_form,
        "search": search_form,
        "fulltext": full_text_form,
        "search2": small_form,
    }
)
_STYLES = "ext.inputBox.styles"


def inputbox(call: TagCall) -> str:
    """Return the form, or an error if its type is unknown."""
    state = call.state
    options = read_options(
        state.expander.expand_text(call.inner or "", state.expander.root_frame()), call
    )
    state.output.module_styles.setdefault(_STYLES)
    form = _FORMS.get(options.type)
    if form is not None:
        return form(options, call)
    if options.type:
        return _error(state.messages.text("inputbox-error-bad-type", options.type))
    return _error(state.messages.text("inputbox-error-no-type"))


def _error(text: str) -> str:
    return f'<div><strong class="error">{escape_text(text)}</strong></div>'


DECLARATION = ExtensionTag("inputbox", inputbox)
