"""Apostrophes: ``''italic''``, ``'''bold'''`` and other runs of them, line by line."""

from __future__ import annotations

import re
from types import MappingProxyType

_RUNS = re.compile(r"(''+)")

# Maps (open elements, length of the run) to (HTML, open elements after it). "both" means that it
# depends on the next run which of the two elements is the outer one.
_STEPS = MappingProxyType(
    {
        ("", 2): ("<i>", "i"),
        ("b", 2): ("<i>", "bi"),
        ("i", 2): ("</i>", ""),
        ("bi", 2): ("</i>", "b"),
        ("ib", 2): ("</b></i><b>", "b"),
        ("", 3): ("<b>", "b"),
        ("i", 3): ("<b>", "ib"),
        ("b", 3): ("</b>", ""),
        ("ib", 3): ("</b>", "i"),
        ("bi", 3): ("</i></b><i>", "i"),
        ("b", 5): ("</b><i>", "i"),
        ("i", 5): ("</i><b>", "b"),
        ("bi", 5): ("</i></b>", ""),
        ("ib", 5): ("</b></i>", ""),
    }
)
_AFTER_BOTH = MappingProxyType(
    {2: ("<b><i>", "</i>", "b"), 3: ("<i><b>", "</b>", "i"), 5: ("<i><b>", "</b></i>", "")}
)
_ENDS = MappingProxyType({"": "", "b": "</b>", "i": "</i>", "bi": "</i></b>", "ib": "</b></i>"})


def format_quotes(text: str) -> str:
    """Return the text with apostrophes as ``<i>`` and ``<b>``, which end at the end of a line."""
    if "''" not in text:
        return text
    return "\n".join([line_quotes(line) for line in text.split("\n")])


def line_quotes(line: str) -> str:
    """Return a line with apostrophes as ``<i>`` and ``<b>``, closed at its end."""
    if "''" not in line:
        return line
    pieces = _RUNS.split(line)
    for index in range(1, len(pieces), 2):
        length = len(pieces[index])
        surplus = 1 if length == 4 else max(0, length - 5)
        if surplus:
            pieces[index - 1] += "'" * surplus
            pieces[index] = pieces[index][surplus:]
    # If both kinds are odd in number, a bold run becomes an apostrophe and an italic run.
    lengths = [len(run) for run in pieces[1::2]]
    bold = sum(length in (3, 5) for length in lengths)
    italic = sum(length in (2, 5) for length in lengths)
    if bold % 2 and italic % 2 and (index := _run_to_split(pieces)) > 0:
        pieces[index] = "''"
        pieces[index - 1] += "'"
    return _formatted(pieces)


def _run_to_split(pieces: list[str]) -> int:
    """Return the first bold run after a one-letter word, else a longer word, else a space."""
    after_word = after_space = -1
    for index in range(1, len(pieces), 2):
        if len(pieces[index]) != 3:
            continue
        before = pieces[index - 1]
        if before[-1:] == " ":
            after_space = index if after_space < 0 else after_space
        elif before[-2:-1] == " ":
            return index
        elif after_word < 0:
            after_word = index
    return after_word if after_word > 0 else after_space


def _formatted(pieces: list[str]) -> str:
    out = [pieces[0]]
    state = ""
    waiting = 0
    for index in range(1, len(pieces), 2):
        length = len(pieces[index])
        if state == "both":
            opening, closing, state = _AFTER_BOTH[length]
            out.insert(waiting, opening)
            out.append(closing)
        elif length == 5 and not state:
            state, waiting = "both", len(out)
        else:
            html, state = _STEPS[state, length]
            out.append(html)
        out.append(pieces[index + 1])
    if state != "both":
        return "".join([*out, _ENDS[state]])
    rest = "".join(out[waiting:])
    return "".join([*out[:waiting], f"<b><i>{rest}</i></b>" if rest else ""])
