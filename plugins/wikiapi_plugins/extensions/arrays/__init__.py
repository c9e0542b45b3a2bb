"""Arrays: ``{{#arraydefine:}}`` and other functions for named lists of texts within a page.

Regular expressions in their arguments need ``pip install wikiapi-server[patterns]``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cmp_to_key
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, trim
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.arrays.memory import ARRAYS, Array, Arrays, fits
from wikiapi_plugins.extensions.arrays.subjects import Subject
from wikiapi_plugins.wikitext.patterns import (
    MissingLibraryError,
    Pattern,
    parse_pattern,
    substitute_groups,
)

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Arrays",
            description="Lists of texts that a page defines by name",
            functions=DECLARATIONS,
            messages=FOLDER / "messages",
        ),
    )


_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(
    r"\s*[+-]?(?:[0-9]{1,40}+(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?\s*"
)
_COMMA = ","
_NO_LIMIT = -1
_RANDOM = random.SystemRandom()


def _arrays(call: FunctionCall) -> Arrays:
    return call.state.plugin(ARRAYS)


# Defining


def arraydefine(call: FunctionCall) -> str:
    """Define an array by splitting a text; return it if the options ask for it to be printed."""
    # The options are written as in unique, sort=desc.
    words = (word for text in call.args[3:] for word in text.split(_COMMA))
    pairs = (word.partition("=") for word in words)
    options = {trim(name).lower(): trim(value).lower() for name, _, value in pairs}
    text = call.arg(1)
    if not text and "singleempty" not in options:
        elements: Iterable[str] = []
    else:
        elements = _elements(text, call.arg(2, _COMMA))
    if "unique" in options:
        elements = _unique(elements)
    arrays = _arrays(call)
    arrays.define(call.first, elements)
    array = arrays.get(call.first) or []
    if order := options.get("sort"):
        arrays.define(call.first, _sorted(array, order, call.state))
    printed = options.get("print")
    if printed not in ("pretty", "list", "full"):
        return ""
    array, comma = arrays.get(call.first) or [], call.state.messages.text("comma-separator")
    return (_prose if printed == "pretty" else _joined)(call.state, array, comma)


def _elements(text: str, delimiter: str) -> Iterator[str]:
    """Yield the trimmed parts of a text, or its characters if the delimiter is empty."""
    pattern = parse_pattern(delimiter)
    if pattern is not None:
        position = 0
        for start, end, _ in pattern.matches(text):
            yield trim(text[position:start])
            position = end
        yield trim(text[position:])
    else:
        yield from map(trim, text.split(delimiter) if delimiter else text)


def _unique(elements: Iterable[str]) -> Iterable[str]:
    """Return the non-empty elements in their order, without duplicates."""
    return dict.fromkeys(element for element in elements if element)


# Printing


def arrayprint(call: FunctionCall) -> str:
    """Return the elements joined by a separator, each inserted into the subject if there is one."""
    array = _arrays(call).get(call.first)
    if array is None:
        return ""
    comma = call.state.messages.text("comma-separator")
    separator = call.expand(1) if len(call) > 1 else comma
    texts: Sequence[str] = array
    if len(call) > 3:  # the fourth argument is the subject
        subject = Subject(call, call.parts[2], call.expand(2))
        texts = subject.texts(array)
    option, _, value = call.expand(4).partition("=")
    if (trim(option).lower(), trim(value).lower()) == ("print", "pretty"):
        return trim(_prose(call.state, texts, separator))
    return trim(_joined(call.state, texts, separator))


def _prose(state: ParseState, texts: Sequence[str], separator: str) -> str:
    """Return the texts as an enumeration whose last two are joined by "and"."""
    both = state.messages.text("and") + state.messages.text("word-separator")
    start = _joined(state, texts[:-1], separator)
    return _joined(state, (start, texts[-1]), both) if start else "".join(texts)


def _joined(state: ParseState, texts: Sequence[str], separator: str) -> str:
    size = sum(map(len, texts)) + len(texts) * len(separator)
    return separator.join(texts) if fits(state, size) else ""


def arraysize(call: FunctionCall) -> str:
    """Return the number of elements, or an empty text if the array is not defined."""
    array = _arrays(call).get(call.first)
    return "" if array is None else str(len(array))


def arrayindex(call: FunctionCall) -> str:
    """Return the element at an index, or the third argument if it is missing or empty.

    A negative index counts from the end.
    """
    array = _arrays(call).get(call.first) or []
    text = call.expand(1)
    if _INTEGER.fullmatch(text) and -len(array) <= int(text) < len(array):
        return array[int(text)] or call.expand(2)
    return call.expand(2)


# Searching


class _Search(NamedTuple):
    """A search term: a pattern, or a text that must equal the whole element."""

    text: str
    pattern: Pattern | None

    @classmethod
    def of(cls, text: str) -> _Search:
        """Return the search for a term as a page writes it."""
        return cls(text, parse_pattern(text))

    def finds(self, element: str) -> bool:
        """Return whether an element matches the term."""
        return self.pattern.is_in(element) if self.pattern else element == self.text

    def transformed(self, element: str, template: str, state: ParseState) -> str:
        """Return an element with each match replaced by the template."""
        if self.pattern is None:
            return template
        pieces: list[str] = []
        position = size = 0
        references = template.count("$") + template.count("\\")
        for start, end, groups in self.pattern.matches(element):
            size += len(template) + references * len(groups[0])
            if not fits(state, size):
                break
            piece = substitute_groups(template, groups)
            pieces += (element[position:start], piece)
            position = end
        return "".join([*pieces, element[position:]])


def arraysearch(call: FunctionCall) -> str:
    """Return the index of the first match, or the fourth argument if it is given.

    Without a match, return the fifth argument.
    """
    array = _arrays(call).get(call.first) or []
    search = _Search.of(call.expand(1))
    start = _start(call.expand(2), len(array))
    call.state.budget.step(len(array))
    for index in range(start, len(array)):
        if search.finds(array[index]):
            return call.expand(3) if len(call) > 3 else str(index)
    return call.expand(4)


def arraysearcharray(call: FunctionCall) -> str:
    """Define an array of the matching elements of another one.

    The arguments are the name of the new array, the array to search, the search term, the index to
    start at, the maximum number of elements, and a replacement for each match.
    """
    array = _arrays(call).get(call.arg(1)) or []
    search = _Search.of(call.arg(2))
    start = _start(call.arg(3), len(array))
    limit = _integer(call.arg(4), _NO_LIMIT)
    call.state.budget.step(len(array))
    matches: Iterable[str] = (
        element for element in islice(array, start, None) if search.finds(element)
    )
    if limit >= 0:
        matches = islice(matches, limit)
    if template := call.arg(5):
        matches = (search.transformed(element, template, call.state) for element in matches)
    _arrays(call).define(call.first, matches)
    return ""


def _start(text: str, length: int) -> int:
    """Return the index to start at; a negative one counts from the end."""
    start = _integer(text, 0)
    return max(0, start + length) if start < 0 else start


def _integer(text: str, default: int) -> int:
    return int(text) if _INTEGER.fullmatch(text) else default


# Changing


def arrayslice(call: FunctionCall) -> str:
    """Define an array from a slice of another, given by its start and length.

    A negative length is the number of elements to leave out at the end. A slice of an array that
    is not defined is empty.
    """
    array = _arrays(call).get(call.arg(1)) or []
    start = _start(call.arg(2), len(array))
    count = _integer(call.arg(3), len(array))
    end = start + count if count >= 0 else len(array) + count
    _arrays(call).define(call.first, array[start : max(start, end)])
    return ""


def arrayreset(call: FunctionCall) -> str:
    """Remove the named arrays, or all of them if no name is given."""
    names = [name for name in call.args if name]
    if names:
        _arrays(call).reset(names)
    else:
        _arrays(call).reset_all()
    return ""


def arrayunique(call: FunctionCall) -> str:
    """Remove duplicates and empty elements from an array."""
    array = _arrays(call).get(call.first)
    if array is not None:
        _arrays(call).define(call.first, _unique(array))
    return ""


def arraysort(call: FunctionCall) -> str:
    """Sort an array, reverse or shuffle it."""
    array = _arrays(call).get(call.first)
    if array is not None:
        _arrays(call).define(call.first, _sorted(array, call.arg(1).lower(), call.state))
    return ""


def _sorted(array: Array, order: str, state: ParseState) -> Array:
    """Return the elements in the given order; unchanged if the order is unknown."""
    state.budget.step(len(array))
    if order == "random":
        return _RANDOM.sample(array, len(array))
    if order == "reverse":
        return array[::-1]
    if order in ("asc", "asce", "ascending", "desc", "descending"):
        return sorted(array, key=_ORDER, reverse=order.startswith("desc"))
    return array


def _compare(one: str, other: str) -> int:
    """Compare two elements, as numbers if both are numbers, otherwise as texts."""
    if _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other):
        return (float(one) > float(other)) - (float(one) < float(other))
    return (one > other) - (one < other)


_ORDER = cmp_to_key(_compare)


# Several arrays


def arraymerge(call: FunctionCall) -> str:
    """Define an array by concatenating others."""
    return _combine(call, chain.from_iterable)


def arrayunion(call: FunctionCall) -> str:
    """Define an array of the non-empty elements of others, without duplicates."""
    return _combine(call, lambda arrays: _unique(chain.from_iterable(arrays)))


def arraydiff(call: FunctionCall) -> str:
    """Define an array of the elements of the first array that are in none of the others."""

    def left(arrays: Sequence[Array]) -> Iterable[str]:
        gone = set().union(*arrays[1:])
        return [element for element in (arrays or [[]])[0] if element not in gone]

    return _combine(call, left)


def arrayintersect(call: FunctionCall) -> str:
    """Define an array of the elements of the first array that are in all others."""

    def shared(arrays: Sequence[Array]) -> Iterable[str]:
        sets = list(map(set, arrays[1:]))
        first = (arrays or [[]])[0]
        return [element for element in first if all(element in others for others in sets)]

    return _combine(call, shared)


def _combine(call: FunctionCall, made: Callable[[Sequence[Array]], Iterable[str]]) -> str:
    arrays = _arrays(call)
    others = arrays.named(call.args[1:])
    call.state.budget.step(sum(map(len, others)))
    arrays.define(call.first, made(others))
    return ""


def _checked(function: Callable[[FunctionCall], str]) -> Callable[[FunctionCall], str]:
    """Wrap a function to return an error message where RE2 is needed and not installed."""

    def checked(call: FunctionCall) -> str:
        try:
            return function(call)
        except MissingLibraryError:
            return call.state.messages.error("arrays-patterns-missing")

    return checked


DECLARATIONS = (
    ParserFunction("#arraydefine", _checked(arraydefine)),
    ParserFunction("#arrayprint", arrayprint, raw=True),
    ParserFunction("#arraysize", arraysize),
    ParserFunction("#arrayindex", arrayindex, raw=True),
    ParserFunction("#arraysearch", _checked(arraysearch), raw=True),
    ParserFunction("#arraysearcharray", _checked(arraysearcharray)),
    ParserFunction("#arrayslice", arrayslice),
    ParserFunction("#arrayreset", arrayreset),
    ParserFunction("#arrayunique", arrayunique),
    ParserFunction("#arraysort", arraysort),
    ParserFunction("#arraymerge", arraymerge),
    ParserFunction("#arrayunion", arrayunion),
    ParserFunction("#arraydiff", arraydiff),
    ParserFunction("#arrayintersect", arrayintersect),
)
