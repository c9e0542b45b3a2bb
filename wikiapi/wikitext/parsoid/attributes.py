"""Attributes that calls have made, as ``data-mw`` describes them.

A call within a tag, or within the target of a link, does not make elements. The element that the
tag makes describes it instead: with the HTML that its name or value would be in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wikiapi.title.references import REFERENCE, decode_references
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.entities import serialized_attributes
from wikiapi.wikitext.parsoid.marks import BEGIN, END, MARK, marks_in

_ATTRIBUTE = re.compile(
    r"""([:\w][:.\-\w]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*"""
    r"""(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^\t\n\f\r >]*)))?"""
)


_BEGUN_LINE = re.compile(r"\A\n(?=[*#:;]|\{\|)")


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def as_json(data: Mapping[str, object] | str) -> str:
    """Return data as JSON, the format of ``data-mw``."""
    return _JSON.encode(data)


class Description(NamedTuple):
    """What the element for the result of a call says of it.

    Attributes:
        about: the value of ``about``.
        types: the value of ``typeof``.
        parsoid: the value of ``data-parsoid``.
        data: the value of ``data-mw``.
    """

    about: str
    types: str
    parsoid: Mapping[str, object]
    data: Mapping[str, object]


Describe = Callable[[int], Description | None]
"""A function that returns the description of a call, by the number of its marks."""


class _Span(NamedTuple):
    """Where a piece of a text begins and ends, and the number of the call that it is from."""

    start: int
    end: int
    number: int


@dataclass(slots=True)
class MarkedText:
    """A text without marks, and where the results of calls are in it."""

    text: str
    calls: Sequence[_Span]

    @classmethod
    def read(cls, marked: str) -> MarkedText:
        """Return a text with marks; calls that are only partly in it are left out.

        Results of tags, which attributes cannot have, are left out, too.
        """
        pieces: list[str] = []
        calls: list[_Span] = []
        begun: dict[int, int] = {}
        done = length = 0
        for kind, number, start, end in marks_in(marked):
            pieces.append(StripState.kill(MARK.sub("", marked[done:start])))
            length += len(pieces[-1])
            done = end
            if kind == BEGIN:
                begun[number] = length
            elif kind == END and number in begun:
                calls.append(_Span(begun.pop(number), length, number))
        pieces.append(StripState.kill(marked[done:]))
        return cls("".join(pieces), calls)

    def between(self, start: int, end: int) -> MarkedText:
        """Return a piece of the text with the calls that are completely in it."""
        calls = [
            _Span(call.start - start, call.end - start, call.number)
            for call in self.calls
            if start <= call.start and call.end <= end
        ]
        return MarkedText(self.text[start:end], calls)


@dataclass(slots=True)
class Attribute:
    """An attribute that calls have made.

    Attributes:
        name: its name; empty for calls that have made none.
        value: what its value is made of.
        written_name: what its name is made of if calls are in it, or the whole attribute if one
            call has made both.
        is_option: whether it is not an attribute, but an option of an image.
    """

    name: str
    value: MarkedText
    written_name: MarkedText | None = None
    is_option: bool = False

    def data(self, describe: Describe) -> list[object]:
        """Return the entry for ``attribs`` in ``data-mw``."""
        html = {"html": html_of(self.value, describe)}
        if self.is_option:
            return [self.name, html]
        name = {"txt": self.name}
        if self.written_name is not None:
            name["html"] = html_of(self.written_name, describe)
        return [name, html]


def attributes_in(marked: str) -> Iterator[Attribute]:
    """Yield the attributes in a part of a tag that calls have made."""
    text = MarkedText.read(marked)
    calls = iter(text.calls)
    call = next(calls, None)
    for match in _ATTRIBUTE.finditer(text.text):
        while call and call.end <= match.start():
            if call.start == call.end:
                yield _nameless(text, call)
            call = next(calls, None)
        if call is None:
            return
        if call.start >= match.end():
            continue
        name_end = match.end(1)
        group = match.lastindex or 1
        value = match.span(group) if group > 1 else (match.end(), match.end())
        end = name_end
        written = None
        inside: list[_Span] = []
        start = min(call.start, match.start())
        while call and call.start < match.end():
            if call.start < name_end:
                written = MarkedText("", ())
                end = max(end, call.end)
            inside.append(call)
            call = next(calls, None)
        if written is not None:
            # Attributes that the same call has made belong to the first one.
            written = _part(text, start, end, inside)
        rest = _part(text, max(value[0], end), max(value[1], end), inside)
        yield Attribute(match[1].lower(), rest, written)
    while call:
        if call.start == call.end:
            yield _nameless(text, call)
        call = next(calls, None)


def _nameless(text: MarkedText, call: _Span) -> Attribute:
    return Attribute("", MarkedText("", ()), _part(text, call.start, call.end, [call]))


def _part(text: MarkedText, start: int, end: int, calls: Sequence[_Span]) -> MarkedText:
    return MarkedText(text.text, calls).between(start, end)


def html_of(text: MarkedText, describe: Describe) -> str:
    """Return a text as HTML in which elements describe the calls."""
    out: list[str] = []
    done = 0
    for start, end, number in text.calls:
        out.append(_escaped(text.text[done:start]))
        description = describe(number)
        if description is not None:
            out += _call_html(text.text[start:end], description)
            done = end
    return "".join([*out, _escaped(text.text[done:])])


def _call_html(text: str, description: Description) -> Iterator[str]:
    """Yield the elements for the result of a call; references in it are elements of their own."""
    about, types, parsoid, data = description
    # A call within a line begins a new one if its result is a list or table.
    text = _BEGUN_LINE.sub("", text)
    for position, (piece, is_reference) in enumerate(_pieces(text)):
        if position:
            kind = {"typeof": "mw:Entity"} if is_reference else {}
            attributes = {**kind, "about": about, "data-parsoid": "{}"}
        elif is_reference:
            attributes = {
                "typeof": f"{types} mw:Entity",
                "about": about,
                "data-parsoid": as_json({"srcContent": piece, **parsoid}),
                "data-mw": as_json(data),
            }
        else:
            attributes = {
                "about": about,
                "typeof": types,
                "data-parsoid": as_json(parsoid),
                "data-mw": as_json(data),
            }
        yield f"<span{serialized_attributes(attributes)}>{_escaped(piece)}</span>"


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a text, with whether each was a character reference; at least one."""
    done = 0
    for match in REFERENCE.finditer(text):
        character = decode_references(match[0])
        if character == match[0]:
            continue
        if match.start() > done:
            yield text[done : match.start()], False
        yield character, True
        done = match.end()
    if done < len(text) or not done:
        yield text[done:], False


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
