"""The pipe trick: a link whose label, or whose context, is left to be found.

``[[Help:Page (context)|]]`` is labelled ``Page``; ``[[|Page]]`` on *Other (context)* leads to
*Page (context)*. What counts as context: a namespace or interwiki prefix, a part in parentheses at
the end, or everything from the first comma on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.title.title import Title

_LEGAL = r"[^\x00-\x1f#<>\[\]{|}\x7f]"
_LABELLED_BY_TARGET = re.compile(rf"\[\[({_LEGAL}+)\|\]\]")
_IN_CONTEXT = re.compile(rf"\[\[\|({_LEGAL}+)\]\]")
_IN_PREFIX = r"[^\x00-\x1f!-,./:-@\[-^`{-\x7f]"
_PREFIX = re.compile(rf":?{_IN_PREFIX}+:|:")
_TITLE_PREFIX = re.compile(rf"{_IN_PREFIX}+:")
_COMMAS = re.compile("(?:, |\uff0c|\u060c )")
_PARENTHESES = (("(", ")"), ("\uff08", "\uff09"))


def fill_in_links(text: str, title: Title) -> str:
    """The text with both forms of links completed, as saved on the page of a title."""
    if "|]]" in text:
        text = _LABELLED_BY_TARGET.sub(_with_label, text)
    if "[[|" in text:
        text = _IN_CONTEXT.sub(_with_context(title.text), text)
    return text


def _with_label(match: re.Match[str]) -> str:
    target = match[1]
    prefix = _PREFIX.match(target)
    name = target[prefix.end() :] if prefix else target
    return f"[[{target}|{_label(name)}]]" if name else match[0]


def _label(name: str) -> str:
    """The name without the context at its end."""
    for opening, closing in _PARENTHESES:
        if name.endswith(closing) and (end := _end_before(name, opening)) is not None:
            return name[:end]
    return name[: min(_end_before_commas(name), _end_before_both(name))]


def _end_before(name: str, opening: str) -> int | None:
    """Where the name ends before a bracket that holds something; one space goes with it."""
    found = name.find(opening, 1)
    if found < 0 or found + 2 >= len(name):
        return None
    return found - 1 if found > 1 and name[found - 1] == " " else found


def _end_before_commas(name: str) -> int:
    match = _COMMAS.search(name, 1)
    return match.start() if match and match.end() < len(name) else len(name)


def _end_before_both(name: str) -> int:
    """Where the name ends before ``(context), context``."""
    end = _end_before(name, "(")
    if end is None:
        return len(name)
    for match in _COMMAS.finditer(name, end):
        if name[match.start() - 1] == ")" and match.end() < len(name):
            return end
    return len(name)


def _with_context(page: str) -> Callable[[re.Match[str]], str]:
    prefix_match = _TITLE_PREFIX.match(page)
    prefix = prefix_match[0] if prefix_match else ""
    context = _context(page[len(prefix) :])
    if not prefix and not context:
        return lambda match: f"[[{match[1]}]]"
    return lambda match: f"[[{prefix}{match[1]}{context}|{match[1]}]]"


def _context(name: str) -> str:
    """The context that a page's name ends in."""
    found = name.find(" (", 1)
    if name.endswith(")") and 0 < found < len(name) - 3:
        return name[found:]
    found = name.find(", ", 1)
    return name[found:] if 0 < found < len(name) - 2 else ""
