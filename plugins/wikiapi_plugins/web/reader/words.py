"""The reader's messages as plain text and as HTML.

Texts of MediaWiki may stand in place of the reader's own (``messages/mediawiki.json``), and pages
of the wiki in place of both. They may have wikitext and HTML, also where nobody expects it.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from wikiapi.languages import (
    Message,
    MessageCatalog,
    MessageParam,
    Num,
    Plain,
    direction,
    format_number,
    html_code,
    locale_of,
    unknown_text,
)
from wikiapi.title import Title
from wikiapi.wikitext import SiteMessages

_MARKUP = re.compile(r"<|&[#\w]|''|\[\[")
"""Matches what is not to be read in a label."""
_INSERTED = "\0{}\0"
"""Stands for a parameter that is HTML. Texts of pages and files cannot contain NUL."""
_PLACE = re.compile(r"\0([0-9])\0")
_BLOCK = re.compile(r"<(?:p|div|table|ul|ol|dl|center|section|h[1-6]|hr|blockquote|pre|style)\b")


def plain_text(
    messages: SiteMessages, message: Message, language: str, page: Title | None = None
) -> str:
    """Return a message as text without markup, for headings, labels and attributes.

    ``page`` is the page to which functions in the text refer. The text must be escaped.
    """
    params = tuple(Num(param) if type(param) is int else param for param in message.params)
    message = Message(message.key, params)
    template = messages.find(message.key, language)
    if template is None or not _MARKUP.search(template.text):
        return messages.text(message, language, page)
    return Markup(messages.render(template, message, page)).striptags()  # noqa: S704


def html(
    messages: SiteMessages, message: Message, language: str, page: Title | None = None
) -> Markup:
    """Return a message as HTML for use within a line; it is parsed as wikitext and sanitised.

    A text that is not translated is marked as being in its own language. Parameters that are Markup
    are inserted as they are, other texts escaped, unless they are Raw.
    """
    params = tuple(_insertable(number, param) for number, param in enumerate(message.params))
    template = messages.find(message.key, language)
    if template is None:
        return escape(unknown_text(message.key))
    text = messages.render(template, Message(message.key, params), page)
    whole = _PLACE.sub(lambda match: str(message.params[int(match[1])]), text)
    markup = Markup(whole)  # noqa: S704
    lang = html_code(template.language)
    if lang.partition("-")[0] == html_code(language).partition("-")[0] or _BLOCK.search(whole):
        return markup
    side = direction(template.language)
    return Markup('<bdi lang="{}" dir="{}">{}</bdi>').format(lang, side, markup)


def _insertable(number: int, param: MessageParam) -> MessageParam:
    match param:
        case Markup():
            return Plain(_INSERTED.format(number))
        case str():
            return Plain(param)
        case int():
            return Num(param)
        case _:
            return param


def isolated(text: str) -> Markup:
    """Return a name or title as HTML, set apart from text around it in another direction."""
    return Markup("<bdi>{}</bdi>").format(text)


def as_block(text: Markup) -> Markup:
    """Return HTML as a paragraph, unless it consists of paragraphs or other blocks already."""
    return text if _BLOCK.search(text) else Markup("<p>{}</p>").format(text)


_ENGLISH = "en"
_UNITS = {"reader-bytes": "digital-byte"}
"""For each message that consists of a number and a unit, the name of the unit in CLDR."""


def counted(catalog: MessageCatalog, key: str, number: int, language: str) -> str | None:
    """Return a number with its unit in a language; ``None`` to use the message instead.

    The message is used if it is translated, and if CLDR does not have the unit.
    """
    unit = _UNITS.get(key)
    message = catalog.find(key, language)
    if unit is None or message is None or message.language != _ENGLISH:
        return None
    from babel.units import format_unit

    locale = locale_of(language)
    if locale.language == _ENGLISH:
        return None
    digits = str(number)
    text = format_unit(number, unit, "long", format="0", locale=locale)
    # If a language has no name for the unit, Babel returns its identifier.
    return None if unit in text else text.replace(digits, format_number(digits, language), 1)
