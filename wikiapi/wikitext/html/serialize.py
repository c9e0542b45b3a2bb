"""HTML out of the tree builder, in the form MediaWiki writes it."""

from __future__ import annotations

import re

_VOID = re.compile(
    r"<(?:br|hr|img|wbr|input|meta|link|area|col|source|track)\b(?:[^<>\"]++|\"[^\"]*+\")*+(?=>)"
)


def close_voids(html: str) -> str:
    """The HTML with void elements ended by `` />``; blanks and accents as MediaWiki has them."""
    html = _VOID.sub(r"\g<0> /", html)
    return html.replace("&nbsp;", "\xa0").replace(">\u0338", ">&#x338;")
