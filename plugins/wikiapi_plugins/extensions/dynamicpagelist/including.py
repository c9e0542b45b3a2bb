"""The parts of its pages' text that a list includes: all of it, sections, or template calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from wikiapi.wikitext import ParseState, nodes, trim

_HEADING = re.compile(r"^(={1,6})(.+?)\1[ \t]*+$", re.MULTILINE)
_SECTION = re.compile(
    r"<section\s++(begin|end)\s*+=\s*+(?:\"([^\"<>]*+)\"|'([^'<>]*+)'|([^\s\"'<>/]++))\s*+/?>",
    re.IGNORECASE,
)
_CHARACTERS_IN_STEP = 1024
_MOST = 100
"""Maximum number of parts taken from one page for one item."""


def parts_of(
    text: str, part: str, page: str, state: ParseState, accepts: Callable[[str], bool]
) -> list[str]:
    """Return the parts of a page that an item of ``include`` names.

    Args:
        text: the text of the page as it is transcluded.
        part: ``*``, ``#heading``, ``{template}:argument`` or the name of a labelled section.
        page: the title of the page.
        state: the state of the rendering.
        accepts: whether a section or a template call, as it is written, is to be included.
    """
    state.budget.step(len(text) // _CHARACTERS_IN_STEP)
    if part.startswith("{"):
        return list(_calls(text, part, page, state, accepts))[:_MOST]
    if part == "*":
        parts = [text]
    elif part.startswith("#"):
        parts = _headed(text, part[1:])
    else:
        parts = _labelled(text, part)
    return list(filter(accepts, parts))[:_MOST]


def _headed(text: str, name: str) -> list[str]:
    """Return the texts below the headings with a name, or below the heading with a number.

    Number 0 is the text above the first heading.
    """
    headings = list(_HEADING.finditer(text))
    heading_text = trim(name)
    if heading_text.isascii() and heading_text.isdigit() and len(heading_text) < 4:
        number = int(heading_text)
        if number == 0:
            return [trim(text[: headings[0].start()] if headings else text)]
        return [_below(text, headings, number - 1)] if number <= len(headings) else []
    return [
        _below(text, headings, index)
        for index, heading in enumerate(headings)
        if trim(heading[2]).lower() == heading_text.lower()
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
    sections: list[str] = []
    start: int | None = None
    for mark in _SECTION.finditer(text):
        if (mark[2] or mark[3] or mark[4] or "") != label:
            continue
        if mark[1].lower() == "begin":
            start = mark.end()
        elif start is not None:
            sections.append(_SECTION.sub("", text[start : mark.start()]))
            start = None
    return sections


def _calls(
    text: str, call_text: str, page: str, state: ParseState, accepts: Callable[[str], bool]
) -> Iterator[str]:
    """Yield arguments of calls of a template, or the calls themselves.

    ``{Name}:a:b`` yields the arguments a and b one after the other, ``{Name|Other}`` calls of the
    other template with the same arguments, and ``{Name}.suffix`` calls of ``Name.suffix``.
    """
    inside, _, after = call_text[1:].partition("}")
    name, other_mark, other = inside.partition("|")
    suffix, _, arguments = after.partition(":")
    title = state.templates.title(trim(name))
    if title is None:
        return
    called = f"{trim(name)}{trim(suffix)}" if suffix else trim(other)
    for call in _templates(state.expander.tree(text, inclusion=True)):
        template = state.templates.title(trim(source_of(call.title)))
        if template is None or template.key != title.key or not accepts(source_of((call,))):
            continue
        if arguments:
            values = _arguments(call)
            yield from (values.get(trim(one), "") for one in arguments.split(":"))
        elif other_mark or suffix:
            parts = "".join(f"|{_part(part.name, part.value)}" for part in call.parts)
            yield f"{{{{{called}|%PAGE%={page}{parts}}}}}"
        else:
            yield source_of((call,))


def _templates(content: nodes.Content) -> Iterator[nodes.Template]:
    """Yield the template calls in a tree, including those within arguments of others."""
    waiting = [*reversed(content)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Template):
            yield node
            waiting += [one for part in reversed(node.parts) for one in reversed(part.value)]
        elif isinstance(node, nodes.Heading):
            waiting += reversed(node.content)


def _arguments(call: nodes.Template) -> dict[str, str]:
    values: dict[str, str] = {}
    number = 0
    for part in call.parts:
        if part.name is None:
            number += 1
        name = str(number) if part.name is None else trim(source_of(part.name))
        values[name] = trim(source_of(part.value))
    return values


def source_of(content: nodes.Content) -> str:
    """Return a tree as wikitext, without comments."""
    out: list[str] = []
    waiting: list[object] = [*reversed(content)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            out.append(node)
        elif isinstance(node, nodes.Extension):
            out.append(node.source)
        elif isinstance(node, nodes.Heading):
            waiting += reversed(node.content)
        elif isinstance(node, nodes.Template | nodes.Argument):
            opening, closing = ("{{", "}}") if isinstance(node, nodes.Template) else ("{{{", "}}}")
            pieces: list[object] = [opening, *node.title]
            for part in node.parts:
                pieces.append("|")
                pieces += [*part.name, "="] if part.name is not None else []
                pieces += part.value
            waiting += reversed([*pieces, closing])
        elif not isinstance(node, nodes.Comment | nodes.Ignored):
            raise TypeError(type(node))
    return "".join(out)


def _part(name: nodes.Content | None, value: nodes.Content) -> str:
    return source_of(value) if name is None else f"{source_of(name)}={source_of(value)}"


def included(text: str, state: ParseState) -> str:
    """Return a page's text as it is transcluded, with its templates unexpanded."""
    return source_of(state.expander.tree(text, inclusion=True))


def included_parts(text: str) -> Sequence[str]:
    """Return the items of ``include``, which are separated by commas outside braces."""
    items: list[str] = []
    depth = start = 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            items.append(text[start:place])
            start = place + 1
    return [trim(item) for item in (*items, text[start:]) if trim(item)][:20]
