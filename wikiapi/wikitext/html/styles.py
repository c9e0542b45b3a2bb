"""Style sheets that a page brings along: each is written once, later ones refer to it."""

from __future__ import annotations

import re

_STYLE = re.compile(
    r"<style\b(?=[^<>]*\sdata-mw-deduplicate=\"([^\"<>]*+)\")[^<>]*+>"
    r"(?:[^<]++|<(?!/?style\b))*+</style>",
    re.IGNORECASE,
)


def deduplicate_styles(html: str) -> str:
    """The HTML with repeated ``<style data-mw-deduplicate>`` as links to the first of each key."""
    if "data-mw-deduplicate" not in html:
        return html
    seen: set[str] = set()

    def kept(match: re.Match[str]) -> str:
        key = match[1]
        if key in seen:
            return f'<link rel="mw-deduplicated-inline-style" href="mw-data:{key}" />'
        seen.add(key)
        return match[0]

    return _STYLE.sub(kept, html)
