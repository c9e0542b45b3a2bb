"""Texts and requests in a form that can be written to a file, described, and changed at random.

A text is a tree of lists, as JSON has them:

- a string is that text; ``§`` in it stands for the number of the repetition that it is in;
- ``["*", n, text]`` repeats a text n times;
- ``["^", n, frame, text]`` puts a text into a frame, at the place of ``¤``, n times;
- ``["+", text, ...]`` is a sequence.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Text: TypeAlias = str | list[Any]
Step: TypeAlias = dict[str, Any]
"""Parameters of a request: strings, ``{"text": Text}`` and ``{"file": [kind, ...]}``."""

NUMBER, SLOT = "§", "¤"
MOST_BYTES = 2_000_000
"""Bytes of a text: a little below what a page may have."""
_MOST_NODES = 60
_MOST_REPETITIONS = 2_000_000
_DIGITS = re.compile(r"\d+")


def rendered(text: Text, limit: int = MOST_BYTES) -> str:
    """Return a text, of which repetitions are left out where it would exceed a number of bytes."""
    if isinstance(text, str):
        return text if len(text.encode("utf-8", "replace")) <= limit else text[: limit // 4]
    match text:
        case ["*", int(number), inner]:
            part = rendered(inner, limit)
            count = max(0, min(number, limit // max(1, len(part.encode("utf-8", "replace")))))
            if NUMBER not in part:
                return part * count
            return "".join(part.replace(NUMBER, str(n)) for n in range(count))
        case ["^", int(number), str(frame), inner]:
            part = rendered(inner, limit)
            before, _, after = frame.partition(SLOT)
            length = len(frame.encode("utf-8", "replace"))
            room = limit - len(part.encode("utf-8", "replace"))
            count = max(0, min(number, room // max(1, length)))
            if NUMBER in frame:
                heads = [before.replace(NUMBER, str(n)) for n in range(count)]
                tails = [after.replace(NUMBER, str(n)) for n in reversed(range(count))]
                return "".join(heads) + part + "".join(tails)
            return before * count + part + after * count
        case ["+", *parts]:
            result, room = [], limit
            for part in parts:
                result.append(rendered(part, room))
                room -= len(result[-1].encode("utf-8", "replace"))
                if room <= 0:
                    break
            return "".join(result)
    raise ValueError(f"this is not a text: {text!r:.200}")


def bounded(text: Text, most: int) -> Text:
    """Return a text whose repetitions are halved until it has at most a number of bytes."""
    made = copy.deepcopy(text)
    while len(rendered(made, 2 * most).encode("utf-8", "replace")) > most:
        counted = [holder[index] for holder, index in nodes(["+", made])]
        counted = [each for each in counted if isinstance(each, list) and each[0] != "+"]
        if all(each[1] <= 1 for each in counted):
            break
        for each in counted:
            each[1] = max(1, each[1] // 2)
    return made


def described(text: Text, width: int = 300) -> str:
    """Return a text in a form that people can read, cut to a width."""
    return _described(text)[:width]


def _described(text: Text) -> str:
    match text:
        case str():
            return repr(text) if len(text) <= 200 else f"{text[:200]!r}…({len(text)})"
        case ["*", number, inner]:
            return f"{number}×({_described(inner)})"
        case ["^", number, frame, inner]:
            return f"{number} nested {frame!r} around ({_described(inner)})"
        case ["+", *parts]:
            return " + ".join(map(_described, parts))
    raise ValueError(f"this is not a text: {text!r:.200}")


def leaves(text: Text, times: int = 1) -> Iterator[tuple[str, int]]:
    """Yield each string and frame with the number of bytes that it makes up."""
    match text:
        case str():
            yield text, len(text) * times
        case ["*", int(number), inner]:
            yield from leaves(inner, times * min(number, _MOST_REPETITIONS))
        case ["^", int(number), str(frame), inner]:
            yield frame, len(frame) * number * times
            yield from leaves(inner, times)
        case ["+", *parts]:
            for part in parts:
                yield from leaves(part, times)


@dataclass
class Request:
    """A request, or several in turn of which each is measured.

    ``kind`` is "read" or "write", ``user`` the account that sends it ("" for nobody).
    """

    kind: str
    user: str
    steps: list[Step] = field(default_factory=list)

    def family(self) -> str:
        """Return what requests have in common that are slow for the same reason, as a guess."""
        step = self.steps[-1]
        names = [str(step.get(name, "")) for name in ("action", "list", "prop", "generator")]
        largest = max(
            (
                leaf
                for value in step.values()
                if isinstance(value, dict) and "text" in value
                for leaf in leaves(value["text"])
            ),
            key=lambda leaf: leaf[1],
            default=("", 0),
        )[0]
        files = [v["file"][0] for v in step.values() if isinstance(v, dict) and "file" in v]
        parts = [*names, *map(str, files), _DIGITS.sub("", largest)[:16]]
        return " ".join(filter(None, parts))

    def describe(self, width: int = 500) -> str:
        """Return the request in a form that people can read."""
        parts = []
        for step in self.steps:
            values = []
            for name, value in step.items():
                if isinstance(value, dict) and "text" in value:
                    values.append(f"{name}={described(value['text'], width)}")
                elif isinstance(value, dict):
                    values.append(f"{name}=<{value['file']!r:.100}>")
                else:
                    values.append(f"{name}={value!r:.120}")
            parts.append("&".join(values))
        return " ; ".join(parts)[:width]


def changed(
    request: Request,
    others: list[Request],
    piece: Callable[[random.Random], Text],
    chance: random.Random,
) -> Request:
    """Return a copy of a request with a random change.

    Args:
        request: the request.
        others: those from which it may take parts.
        piece: returns a new text.
        chance: the source of randomness.
    """
    made = copy.deepcopy(request)
    step = chance.choice(made.steps)
    texts = [name for name, value in step.items() if isinstance(value, dict) and "text" in value]
    files = [name for name, value in step.items() if isinstance(value, dict) and "file" in value]
    if texts and chance.random() < 0.85:
        name = chance.choice(texts)
        donors = [
            value["text"]
            for other in others
            for part in other.steps
            for value in part.values()
            if isinstance(value, dict) and "text" in value
        ]
        step[name] = {"text": _changed_text(step[name]["text"], donors, piece, chance)}
        return made
    if files and chance.random() < 0.8:
        name = chance.choice(files)
        step[name] = {"file": [_changed_number(each, chance) for each in step[name]["file"]]}
        return made
    fixed = {"action", "token", "file", "filekey"}
    names = [name for name, value in step.items() if isinstance(value, str) and name not in fixed]
    if names:
        name = chance.choice(names)
        same = [o.steps[-1][name] for o in others if isinstance(o.steps[-1].get(name), str)]
        if same and chance.random() < 0.4:
            step[name] = chance.choice(same)
        elif chance.random() < 0.3:
            del step[name]
        else:
            step[name] = _changed_value(step[name], chance)
    return made


def _changed_value(value: str, chance: random.Random) -> str:
    if value.isascii() and value.isdigit():
        return str(max(0, int(int(value[:9]) * chance.choice((0.5, 2, 10)))))
    parts = value.split("|")
    if len(parts) > 1:
        return "|".join((parts * 4)[: chance.choice((1, 50, 500))])
    return (value * chance.choice((1, 2, 10)))[:8000]


def _changed_number(part: Any, chance: random.Random) -> Any:
    if isinstance(part, int) and chance.random() < 0.6:
        return max(1, min(100_000, int(part * chance.choice((0.5, 2, 2, 5, 10)))))
    return part


def nodes(text: Text) -> Iterator[tuple[list[Any], int]]:
    """Yield where each text within a list is: the list, and the index."""
    if isinstance(text, list):
        first = {"*": 2, "^": 3, "+": 1}[text[0]]
        for index in range(first, len(text)):
            yield text, index
            yield from nodes(text[index])


def _changed_text(
    text: Text,
    donors: list[Text],
    piece: Callable[[random.Random], Text],
    chance: random.Random,
) -> Text:
    root: list[Any] = ["+", copy.deepcopy(text)]
    places = list(nodes(root))
    holder, index = chance.choice(places)
    inner = holder[index]
    counted = [h for h, _ in places if h[0] in ("*", "^")]
    kind = chance.choices(("count", "splice", "wrap", "add", "drop", "digits"), (6, 3, 3, 3, 2, 2))[
        0
    ]
    if kind == "count" and counted:
        repeated = chance.choice(counted)
        factor = chance.choice((0.5, 2, 2, 4, 10))
        repeated[1] = max(1, min(_MOST_REPETITIONS, int(repeated[1] * factor)))
    elif kind == "splice" and donors:
        donor = ["+", chance.choice(donors)]
        source, number = chance.choice(list(nodes(donor)))
        holder[index] = copy.deepcopy(source[number])
    elif kind == "wrap":
        count = int(10 ** chance.uniform(0.5, 3.5))
        holder[index] = ["*", count, inner]
    elif kind == "drop" and holder[0] == "+" and len(holder) > 2:
        del holder[index]
    elif kind == "digits" and isinstance(inner, str) and _DIGITS.search(inner):
        holder[index] = _DIGITS.sub(lambda match: str(int(match[0][:6]) * 10), inner)
    else:
        holder[index] = ["+", inner, piece(chance)]
    if sum(1 for _ in nodes(root)) > _MOST_NODES:
        return text
    return root[1] if len(root) == 2 else root


def smaller(request: Request) -> Iterator[Request]:
    """Yield copies of a request without one of its parameters, or one of the parts of a text."""
    for number, step in enumerate(request.steps):
        for name, value in step.items():
            if isinstance(value, dict) and "text" in value:
                for text in _smaller_texts(value["text"]):
                    made = copy.deepcopy(request)
                    made.steps[number][name] = {"text": text}
                    yield made
            elif name not in ("action", "token"):
                made = copy.deepcopy(request)
                del made.steps[number][name]
                yield made


def _smaller_texts(text: Text) -> Iterator[Text]:
    """Yield the text with a part left out or in place of what contains it, large parts first."""
    if isinstance(text, str):
        return
    for count in range(len(list(nodes(["+", text])))):
        for kind in ("drop", "lift"):
            root: list[Any] = ["+", copy.deepcopy(text)]
            holder, index = list(nodes(root))[count]
            inner = holder[index]
            if kind == "drop" and holder[0] == "+" and len(holder) > 2:
                del holder[index]
            elif kind == "lift" and isinstance(inner, list) and inner[0] in ("*", "^"):
                holder[index] = inner[-1]
            else:
                continue
            yield root[1]
