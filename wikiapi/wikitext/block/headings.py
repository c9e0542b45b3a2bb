"""Headings: lines of ``== text ==`` as ``<h2>``, still to be numbered."""

from __future__ import annotations

import re

from wikiapi.wikitext.whitespace import LINE_SPACE

_MAX_LEVEL = 6


def mark_headings(text: str) -> str:
    """Every heading line as an ``<hN>`` element; the empty lines behind it go."""
    if "=" not in text:
        return text
    out: list[str] = []
    after_heading = False
    for line in text.split("\n"):
        heading = _heading(line) if line.startswith("=") else ""
        if after_heading and not line.strip(LINE_SPACE):
            continue
        out.append(heading or line)
        after_heading = bool(heading)
    return "\n".join(out)


def _heading(line: str) -> str:
    line = line.rstrip(LINE_SPACE)
    level = _level(line)
    if not level:
        return ""
    return f"<h{level}>{line[level:-level].strip(' 	')}</h{level}>"


def _level(line: str) -> int:
    """As many ``=`` as stand on both sides; what is more belongs to the text."""
    opening = len(line) - len(line.lstrip("="))
    if opening == len(line):
        return min(_MAX_LEVEL, (opening - 1) // 2)
    closing = len(line) - len(line.rstrip("="))
    return min(_MAX_LEVEL, opening, closing)


_RULE = re.compile(r"^-----*", re.MULTILINE)


def draw_rules(text: str) -> str:
    """Lines of hyphens as ``<hr>``."""
    return _RULE.sub("<hr />", text) if "----" in text else text
