"""The two forms of the HTML of headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.texts import trim
from wikiapi.wikitext.html.entities import escape_attribute


class HeadingForm(Enum):
    """What the HTML of headings looks like."""

    WRAPPED = "wrapped"
    """The heading has the id and the edit link is beside it, as in MediaWiki from 1.44."""
    BARE = "bare"
    """The heading contains an element with the id, and the edit link, as before 1.44."""

    @property
    def has_own_ids(self) -> bool:
        """Whether an id in the wikitext is that of the section."""
        return self is HeadingForm.WRAPPED


class FinishedHeading(NamedTuple):
    """A heading whose HTML is to be written.

    Attributes:
        level: the level, as a digit.
        attributes: the attributes in the wikitext, as HTML; often empty.
        has_id: whether one of them is an id.
        anchor: the id of the section.
        second: its id in the other encoding; empty if it has no other one.
        inner: the content, as HTML.
        edit: the edit link; may be empty.
        is_wrapped: whether the wikitext already wraps the heading in a box.
        parsoid: whether the heading is part of Parsoid's HTML.
    """

    level: str
    attributes: str
    has_id: bool
    anchor: str
    second: str
    inner: str
    edit: str
    is_wrapped: bool
    parsoid: bool


def heading_html(heading: FinishedHeading, form: HeadingForm) -> str:
    """Return the element of a heading with its edit link."""
    return _WRITERS[form](heading)


_CLASS = re.compile(r"\sclass=\"([^\"]*)\"")
_HTML_HEADING = "mw-html-heading"


def _wrapped(heading: FinishedHeading) -> str:
    level, attributes = heading.level, heading.attributes
    is_plain = not trim(attributes)
    if not heading.has_id:
        attributes = f' id="{escape_attribute(heading.anchor)}"{attributes}'
    if not is_plain:
        # The class marks headings that are written as HTML with attributes.
        css = _CLASS.search(attributes)
        if css is None:
            attributes = f'{attributes} class="{_HTML_HEADING}"'
        else:
            attributes = f"{attributes[: css.end(1)]} {_HTML_HEADING}{attributes[css.end(1) :]}"
    inner = trim(_target(heading) + heading.inner)
    element = f"<h{level}{attributes}>{inner}</h{level}>{heading.edit}"
    if not is_plain or heading.is_wrapped:
        return element
    return f'<div class="mw-heading mw-heading{level}">{element}</div>'


def _target(heading: FinishedHeading) -> str:
    """Return an element with the id in the other encoding, if there is one."""
    if not heading.second:
        return ""
    kind = ' typeof="mw:FallbackId"' if heading.parsoid else ""
    return f'<span id="{escape_attribute(heading.second)}"{kind}></span>'


def _bare(heading: FinishedHeading) -> str:
    anchor, level = escape_attribute(heading.anchor), heading.level
    return (
        f"<h{level}{heading.attributes}>{_target(heading)}"
        f'<span class="mw-headline" id="{anchor}">{trim(heading.inner)}</span>'
        f"{heading.edit}</h{level}>"
    )


_WRITERS: Mapping[HeadingForm, Callable[[FinishedHeading], str]] = MappingProxyType(
    {HeadingForm.WRAPPED: _wrapped, HeadingForm.BARE: _bare}
)
