"""The lines of an input box: ``name=value``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from wikiapi.languages import direction
from wikiapi.title import decode_references
from wikiapi.wikitext import TagCall, encode_attributes, trim

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
