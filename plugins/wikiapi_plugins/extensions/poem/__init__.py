"""Poem: ``<poem>``, text whose line breaks and indentation are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.wikitext import ExtensionTag, TagCall, checked_attributes, encode_attributes, trim
from wikiapi_plugins.extensions import BundledExtension


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Poem",
            description="Text that keeps its lines",
            tags=(DECLARATION,),
        ),
    )


_CLASS = "poem"
# An unclosed tag matches the whole rest of the text, which is left as it is.
_NOWIKI = re.compile(r"<nowiki>(?:(.*?)</nowiki>|.*+)", re.DOTALL)
_RULE = re.compile(r"-{4,}\s*\Z")
_SPACES = re.compile(r"[^\S\n]+")
_COLONS = re.compile(r"(:++)(.+)\Z")
_BREAK = "<br />"
_EMPTY = re.compile(r"\A\n|\n\Z")


def poem(call: TagCall) -> str:
    """Return the content in a block of its own."""
    text = _EMPTY.sub("", _NOWIKI.sub(_split_nowiki, call.inner or ""))
    lines = text.split("\n")
    with_breaks = "\n".join(
        _indented(line) + ("" if last or _RULE.match(line) else _BREAK)
        for line, last in zip(lines, [*[False] * (len(lines) - 1), True], strict=True)
    )
    html = trim(call.parse(with_breaks))
    attributes = checked_attributes(call.attributes, "div", call.state.fragments)
    attributes["class"] = f"{_CLASS} {attributes.get('class', '')}".rstrip()
    return f"<div{encode_attributes(attributes)}>\n{html}\n</div>"


def _split_nowiki(match: re.Match[str]) -> str:
    """Return unparsed text with a ``<nowiki>`` element for each of its lines."""
    if match[1] is None:
        return match[0]
    return "\n".join(f"<nowiki>{line}</nowiki>" for line in match[1].split("\n"))


def _indented(line: str) -> str:
    if spaces := _SPACES.match(line):
        return "&#160;" * len(spaces[0]) + line[spaces.end() :]
    if colons := _COLONS.match(line):
        style = f"display: inline-block; margin-inline-start: {len(colons[1])}em;"
        return f'<span class="mw-poem-indented" style="{style}">{colons[2]}</span>'
    return line


DECLARATION = ExtensionTag("poem", poem)
