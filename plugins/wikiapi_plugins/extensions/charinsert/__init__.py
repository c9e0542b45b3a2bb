"""CharInsert: ``<charinsert>``, links that insert characters into the text that is being edited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.title import decode_references
from wikiapi.wikitext import ExtensionTag, TagCall, encode_attributes, escape_text, trim
from wikiapi_plugins.extensions import BundledExtension

FOLDER = Path(__file__).parent

_SCRIPT, _STYLES = "ext.charinsert", "ext.charinsert.styles"
_NOWIKI = re.compile(r"<nowiki>(?:(.*?)</nowiki>|(.*+))", re.DOTALL | re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n]")
_BLANKS = re.compile(r"[ \t\r\f\v]++")
_PLUS = "+"


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "CharInsert",
            description="Links that insert characters into a text",
            tags=(ExtensionTag("charinsert", charinsert),),
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


def charinsert(call: TagCall) -> str:
    """Return a link for each word; line breaks are kept."""
    output = call.state.output
    output.modules[_SCRIPT] = output.module_styles[_STYLES] = None
    label = call.attributes.get("label", "")
    text = _NOWIKI.sub(_as_one_word, trim(call.inner or ""))
    lines = (_BLANKS.split(line) for line in text.split("\n"))
    return "<br />\n".join(
        "\n".join(_link(word, label) for word in words if word) for words in lines
    )


def _as_one_word(match: re.Match[str]) -> str:
    """Return the text in ``<nowiki>`` as one word, its white space as character references."""
    text = match[1] if match[1] is not None else match[2]
    return _SPACES.sub(lambda space: f"&#{ord(space[0])};", text)


def _link(word: str, label: str) -> str:
    """Return the link for a word, in which ``+`` stands for the selected text."""
    parts = word.split(_PLUS)
    before, after = (parts[0], "".join(parts[1:2])) if parts[0] else (_PLUS, "")
    start, end = decode_references(before), decode_references(after)
    attributes = {
        "data-mw-charinsert-start": start,
        "data-mw-charinsert-end": end,
        "class": "mw-charinsert-item",
    }
    return f"<a{encode_attributes(attributes)}>{escape_text(label or start + end)}</a>"
