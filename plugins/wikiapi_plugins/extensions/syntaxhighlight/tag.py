"""``<syntaxhighlight lang= line start= highlight= inline>``: source code in colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_text,
)
from wikiapi_plugins.highlighting.highlighter import (
    SCRIPTS,
    STYLES,
    HighlightCache,
    emphasized,
    find_lexer,
    is_too_long,
    numbered,
)

_BLANKS = " \t\n\r\0\x0b"


def source(call: TagCall, cache: HighlightCache) -> Expansion:
    """Return the output of ``<source>``, the older name, whose pages are tracked."""
    call.state.notices.add_tracking_category("syntaxhighlight-source-category")
    return syntaxhighlight(call, cache)


def syntaxhighlight(call: TagCall, cache: HighlightCache) -> Expansion:
    """Return the content highlighted, or plain and tracked if its language is unknown."""
    inline = _is_inline(call)
    code = _code(call, inline=inline)
    language = call.attributes.get("lang", "").strip(_BLANKS).lower()
    lexer = find_lexer(language) if language else None
    lines: list[str] | None = None
    if lexer and not is_too_long(code):
        # Colours are not needed if only the page's links are derived.
        shows = code and call.state.makes_html
        lines = cache.lines(code, lexer, call.state) if shows else []
    if lines is None:
        call.state.notices.add_tracking_category("syntaxhighlight-error-category")
    if lines is not None and code:
        call.state.output.module_styles.setdefault(STYLES)
        call.state.output.modules.setdefault(SCRIPTS)
    if lines:
        shown = _coloured(lines, call.attributes, inline=inline)
    else:
        shown = _plain(code, inline=inline)
    if shown and not inline:
        # The block stage works on lines: it may see the element, but not the lines in it.
        shown = f"<pre>{call.state.strip.add_nowiki(shown, call.name)}</pre>"
    attributes = encode_attributes(_attributes(call.attributes, language if lexer else ""))
    name = "code" if inline else "div"
    return Expansion(f"<{name}{attributes}>{shown}</{name}>", html=True)


def _is_inline(call: TagCall) -> bool:
    enclose = call.attributes.get("enclose")
    if enclose is not None:
        call.state.notices.add_tracking_category("syntaxhighlight-enclose-category")
    return "inline" in call.attributes or enclose == "none"


def _code(call: TagCall, *, inline: bool) -> str:
    """Return the source with its indentation, without the empty lines around it."""
    code = call.state.strip.unstrip_nowiki(call.inner or "")
    return code.strip(_BLANKS) if inline else code.strip("\n").rstrip(_BLANKS)


def _plain(code: str, *, inline: bool) -> str:
    plain = escape_text(code)
    return plain.replace("\n", " ") if inline else plain


def _coloured(lines: list[str], given: Mapping[str, str], *, inline: bool) -> str:
    return " ".join(lines).strip(_BLANKS) if inline else _block(lines, given)


def _block(lines: list[str], given: Mapping[str, str]) -> str:
    lines = emphasized(lines, marked_lines(given.get("highlight"), len(lines)))
    if "line" in given:
        lines = numbered(lines, first_number(given.get("start")), given.get("linelinks", ""))
    return f"<span></span>{''.join(lines)}"


def _attributes(given: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the tag's attributes that are allowed, with the classes that style sheets use."""
    checked = checked_attributes(given, "div")
    attributes = {name: checked[name] for name in ("id",) if name in checked}
    direction = "rtl" if given.get("dir", "").lower() == "rtl" else "ltr"
    classes = [checked.get("class", ""), "mw-highlight"]
    classes.append(f"mw-highlight-lang-{language}" if language else "")
    classes.append(f"mw-content-{direction}")
    classes.append("mw-highlight-lines" if "line" in given else "")
    attributes["class"] = " ".join(filter(None, classes))
    if "style" in checked:
        attributes["style"] = checked["style"]
    return attributes | {"dir": direction}


def declarations() -> tuple[ExtensionTag, ...]:
    """Return both tags for a site."""
    cache = HighlightCache()
    return (
        ExtensionTag("syntaxhighlight", partial(syntaxhighlight, cache=cache)),
        ExtensionTag("source", partial(source, cache=cache)),
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
        first, last = _span(item)
        marked.update(range(max(first, 1), min(last, total, first + MAX_LINES) + 1))
        if len(marked) >= MAX_LINES:
            break
    return frozenset(marked)


def _span(item: str) -> tuple[int, int]:
    """Return the first and last line of an item; (1, 0), an empty range, if it is malformed."""
    if match := _NUMBER.match(item):
        return int(match[1]), int(match[1])
    if match := _RANGE.match(item):
        return int(match[1]), int(match[2])
    return 1, 0
