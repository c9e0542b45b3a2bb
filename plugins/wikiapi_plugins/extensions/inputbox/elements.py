"""Parts that the forms are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.attributes import encode_attributes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi_plugins.extensions.inputbox.options import Options

FIELD = "cdx-text-input__input"
BUTTON = "cdx-button"
PRIMARY = "cdx-button cdx-button--action-progressive cdx-button--weight-primary"


def element(tag: str, attributes: Mapping[str, str | None], content: str | None = None) -> str:
    """An element; attributes that are ``None`` are left out, without content it has no end tag."""
    shown = encode_attributes({name: v for name, v in attributes.items() if v is not None})
    return f"<{tag}{shown} />" if content is None else f"<{tag}{shown}>{content}</{tag}>"


def hidden(name: str, value: str | None) -> str:
    """A value that goes along; nothing where there is none."""
    if value is None:
        return ""
    return element("input", {"type": "hidden", "value": value or None, "name": name})


def text_field(options: Options, name: str, css: str, *, required: bool = False) -> str:
    """The field to type into."""
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
    """A button."""
    return element("input", {"type": "submit", "name": name, "value": label, "class": css})


def centered(options: Options, form: str) -> str:
    """A form with its background around it."""
    css = "mw-inputbox-inline" if options.inline else "mw-inputbox-centered"
    return element("div", {"class": css, "style": options.style}, form)
