"""Escaping of plain text so that no part of it is read as wikitext."""

from __future__ import annotations

import re

from wikiapi.wikitext.inline.linkrules import LinkRules

_NEWLINES = "\n\r"
_REPLACEMENTS = {
    **{character: f"&#{ord(character)};" for character in "\"&'<=>[]{|};"},
    "!!": "&#33;!",
    "__": "_&#95;",
    "://": "&#58;//",
    "~~~": "~~&#126;",
    "\n----": "\n&#45;---",
    "\r----": "\r&#45;---",
    **{f"{line}{c}": f"{line}&#{ord(c)};" for line in _NEWLINES for c in "!#*: \n\r\t"},
    "\r\n": "&#13;\n",
}
"""Markup, as such or at the start of a line, and its replacements."""
_MARKUP = re.compile("|".join(re.escape(key) for key in sorted(_REPLACEMENTS, reverse=True)))


def escape_wikitext(text: str, rules: LinkRules) -> str:
    """Return the text with character references in place of whatever would be markup.

    ``rules`` say what would be a link.
    """
    escaped = _MARKUP.sub(lambda match: _REPLACEMENTS[match[0]], f"\n{text}")[1:]
    if ":" not in escaped and not rules.has_magic_links:
        return escaped
    return rules.escaped.sub(lambda match: f"{match[0][:-1]}&#{ord(match[0][-1])};", escaped)
