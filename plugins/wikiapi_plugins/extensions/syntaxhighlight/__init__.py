"""SyntaxHighlight: ``<syntaxhighlight>``, source code in colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_text,
)
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.shared.highlighting.highlighter import (
    SCRIPTS,
    STYLES,
    HighlightCache,
    emphasized,
    find_lexer,
    is_too_long,
    numbered,
)

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "SyntaxHighlight",
            description="Source code in colours",
            tags=declarations(),
            messages=FOLDER / "messages",
            resources=lambda: (*read_modules(FOLDER / "resources"), ResourceModule(SCRIPTS)),
        ),
    )


_BLANKS = " \t\n\r\0\x0b"


def source(call: TagCall, cache: HighlightCache) -> Expansion:
    """Return the output of ``<source>``, the older name, whose pages are tracked."""
    call.state.notices.add_tracking_category("syntaxhighlight-source-category")
    return syntaxhighlight(call, cache)


def syntaxhighlight(call: TagCall, cache: HighlightCache) -> Expansion:
    """Return the content highlighted, or plain and tracked if its language is unknown."""
    enclose = call.attributes.get("enclose")
    if enclose is not None:
        call.state.notices.add_tracking_category("syntaxhighlight-enclose-category")
    inline = "inline" in call.attributes or enclose == "none"
    code = call.state.strip.unstrip_nowiki(call.inner or "")
    code = code.strip(_BLANKS) if inline else code.strip("\n").rstrip(_BLANKS)
    language = call.attributes.get("lang", "").strip(_BLANKS).lower()
    lexer = find_lexer(language) if language else None
    lines: list[str] | None = None
    if lexer and not is_too_long(code):
        # Colours are not needed if only the page's links are derived.
        shows = code and call.state.makes_html
        lines = cache.lines(code, lexer, call.state) if shows else []
    if lines is None:
        call.state.notices.add_tracking_category("syntaxhighlight-error-category")
    if code:
        call.state.output.module_styles.setdefault(STYLES)
        call.state.output.modules.setdefault(SCRIPTS)
    if lines:
        html = " ".join(lines).strip(_BLANKS) if inline else _block(lines, call.attributes)
    else:
        plain = escape_text(code)
        html = plain.replace("\n", " ") if inline else plain
    if html and not inline:
        # The block stage works on lines: it may see the element, but not the lines in it.
        html = f"<pre>{call.state.strip.add_nowiki(html, call.name)}</pre>"
    attributes = encode_attributes(_attributes(call, language if lexer else ""))
    name = "code" if inline else "div"
    return Expansion(f"<{name}{attributes}>{html}</{name}>", html=True)


def _block(lines: list[str], attributes: Mapping[str, str]) -> str:
    lines = emphasized(lines, marked_lines(attributes.get("highlight"), len(lines)))
    if "line" in attributes:
        lines = numbered(
            lines, first_number(attributes.get("start")), attributes.get("linelinks", "")
        )
    return f"<span></span>{''.join(lines)}"


def _attributes(call: TagCall, language: str) -> dict[str, str]:
    """Return the tag's attributes that are allowed, with the classes that style sheets use."""
    written = call.attributes
    checked = checked_attributes(written, "div", call.state.fragments)
    attributes = {name: checked[name] for name in ("id",) if name in checked}
    direction = "rtl" if written.get("dir", "").lower() == "rtl" else "ltr"
    classes = [checked.get("class", ""), "mw-highlight"]
    classes.append(f"mw-highlight-lang-{language}" if language else "")
    classes.append(f"mw-content-{direction}")
    classes.append("mw-highlight-lines" if "line" in written else "")
    attributes["class"] = " ".join(filter(None, classes))
    if "style" in checked:
        attributes["style"] = checked["style"]
    return attributes | {"dir": direction}


def declarations() -> tuple[ExtensionTag, ...]:
    """Return both tags for a site."""
    cache = HighlightCache()
    return (
        ExtensionTag("syntaxhighlight", partial(syntaxhighlight, cache=cache), is_verbatim=True),
        ExtensionTag("source", partial(source, cache=cache), is_verbatim=True),
    )


_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*\Z", re.ASCII)
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*\Z", re.ASCII)
MAX_LINES = 1000
"""Maximum number of highlighted lines; further ones are ignored."""


def first_number(text: str | None) -> int:
    """Return the number of the first line: 1 unless a number is given."""
    match = _NUMBER.match(text or "")
    return int(match[1]) if match else 1


def marked_lines(text: str | None, total: int) -> frozenset[int]:
    """Return the lines given by ``1,3-5``, counted from 1, up to ``total``."""
    marked: set[int] = set()
    for item in (text or "").split(",")[:MAX_LINES]:
        if match := _NUMBER.match(item):
            first, last = int(match[1]), int(match[1])
        elif match := _RANGE.match(item):
            first, last = int(match[1]), int(match[2])
        else:
            first, last = 1, 0
        marked.update(range(max(first, 1), min(last, total, first + MAX_LINES) + 1))
        if len(marked) >= MAX_LINES:
            break
    return frozenset(marked)
