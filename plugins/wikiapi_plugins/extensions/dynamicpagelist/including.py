"""The parts of its pages' text that a list includes: all of it, sections, or template calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from wikiapi.wikitext import ParseState
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Ignored,
    Template,
)
from wikiapi.wikitext.syntax import trim

_HEADING = re.compile(r"^(={1,6})(.+?)\1[ \t]*+$", re.MULTILINE)
_SECTION = re.compile(
    r"<section\s++(begin|end)\s*+=\s*+(?:\"([^\"<>]*+)\"|'([^'<>]*+)'|([^\s\"'<>/]++))\s*+/?>",
    re.IGNORECASE,
)
_CHARACTERS_IN_STEP = 1024
_MOST = 100
"""Maximum number of parts taken from one page for one item."""


def parts_of(
    text: str, wanted: str, page: str, state: ParseState, accepts: Callable[[str], bool]
) -> list[str]:
    """Return the parts of a page that an item of ``include`` names.

    Args:
        text: the text of the page as it is transcluded.
        wanted: ``*``, ``#heading``, ``{template}:argument`` or the name of a labelled section.
        page: the title of the page.
        state: the state of the rendering.
        accepts: whether a section or a template call, as it is written, is wanted.
    """
    state.budget.step(len(text) // _CHARACTERS_IN_STEP)
    if wanted.startswith("{"):
        return list(_calls(text, wanted, page, state, accepts))[:_MOST]
    if wanted == "*":
        found = [text]
    elif wanted.startswith("#"):
        found = _headed(text, wanted[1:])
    else:
        found = _labelled(text, wanted)
    return list(filter(accepts, found))[:_MOST]


def _headed(text: str, name: str) -> list[str]:
    """Return the texts below the headings with a name, or below the heading with a number.

    Number 0 is the text above the first heading.
    """
    headings = list(_HEADING.finditer(text))
    wanted = trim(name)
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 4:
        number = int(wanted)
        if number == 0:
            return [trim(text[: headings[0].start()] if headings else text)]
        return [_below(text, headings, number - 1)] if number <= len(headings) else []
    return [
        _below(text, headings, index)
        for index, heading in enumerate(headings)
        if trim(heading[2]).lower() == wanted.lower()
    ]


def _below(text: str, headings: Sequence[re.Match[str]], index: int) -> str:
    """Return the text from a heading to the next one of the same or a higher level."""
    level, end = len(headings[index][1]), len(text)
    for heading in headings[index + 1 :]:
        if len(heading[1]) <= level:
            end = heading.start()
            break
    return trim(text[headings[index].end() : end])


def _labelled(text: str, label: str) -> list[str]:
    """Return the texts between ``<section begin=label />`` and ``<section end=label />``."""
    found: list[str] = []
    start: int | None = None
    for mark in _SECTION.finditer(text):
        if (mark[2] or mark[3] or mark[4] or "") != label:
            continue
        if mark[1].lower() == "begin":
            start = mark.end()
        elif start is not None:
            found.append(_SECTION.sub("", text[start : mark.start()]))
            start = None
    return found


def _calls(
    text: str, wanted: str, page: str, state: ParseState, accepts: Callable[[str], bool]
) -> Iterator[str]:
    """Yield arguments of calls of a template, or the calls themselves.

    ``{Name}:a:b`` yields the arguments a and b one after the other, ``{Name|Other}`` calls of the
    other template with the same arguments, and ``{Name}.suffix`` calls of ``Name.suffix``.
    """
    inside, _, after = wanted[1:].partition("}")
    name, other_mark, other = inside.partition("|")
    suffix, _, arguments = after.partition(":")
    title = state.expander.template_title(trim(name))
    if title is None:
        return
    called = f"{trim(name)}{trim(suffix)}" if suffix else trim(other)
    for call in _templates(state.expander.tree(text, inclusion=True)):
        found = state.expander.template_title(trim(source_of(call.title)))
        if found is None or found.key != title.key or not accepts(source_of((call,))):
            continue
        if arguments:
            given = _arguments(call)
            yield from (given.get(trim(one), "") for one in arguments.split(":"))
        elif other_mark or suffix:
            parts = "".join(f"|{_part(part.name, part.value)}" for part in call.parts)
            yield f"{{{{{called}|%PAGE%={page}{parts}}}}}"
        else:
            yield source_of((call,))


def _templates(content: Content) -> Iterator[Template]:
    """Yield the template calls in a tree, including those within arguments of others."""
    waiting = [*reversed(content)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Template):
            yield node
            waiting += [one for part in reversed(node.parts) for one in reversed(part.value)]
        elif isinstance(node, Heading):
            waiting += reversed(node.content)


def _arguments(call: Template) -> dict[str, str]:
    given: dict[str, str] = {}
    number = 0
    for part in call.parts:
        if part.name is None:
            number += 1
        name = str(number) if part.name is None else trim(source_of(part.name))
        given[name] = trim(source_of(part.value))
    return given


def source_of(content: Content) -> str:
    """Return a tree as wikitext, without comments."""
    out: list[str] = []
    waiting: list[object] = [*reversed(content)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            out.append(node)
        elif isinstance(node, Extension):
            out.append(node.source)
        elif isinstance(node, Heading):
            waiting += reversed(node.content)
        elif isinstance(node, Template | Argument):
            opening, closing = ("{{", "}}") if isinstance(node, Template) else ("{{{", "}}}")
            pieces: list[object] = [opening, *node.title]
            for part in node.parts:
                pieces.append("|")
                pieces += [*part.name, "="] if part.name is not None else []
                pieces += part.value
            waiting += reversed([*pieces, closing])
        elif not isinstance(node, Comment | Ignored):
            raise TypeError(type(node))
    return "".join(out)


def _part(name: Content | None, value: Content) -> str:
    return source_of(value) if name is None else f"{source_of(name)}={source_of(value)}"


def included(text: str, state: ParseState) -> str:
    """Return a page's text as it is transcluded, with its templates unexpanded."""
    return source_of(state.expander.tree(text, inclusion=True))


def wanted_parts(text: str) -> Sequence[str]:
    """Return the items of ``include``, which are separated by commas outside braces."""
    items: list[str] = []
    depth = start = 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            items.append(text[start:place])
            start = place + 1
    return [trim(item) for item in (*items, text[start:]) if trim(item)][:20]
