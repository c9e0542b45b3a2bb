"""HTML out of the tree builder, in the form MediaWiki writes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_VOID = re.compile(
    r"<(?:br|hr|img|wbr|input|meta|link|area|col|source|track)\b(?:[^>\"]|\"[^\"]*\")*(?=>)"
)


def serialize(node: LexborNode) -> str:
    """The HTML inside a node; void elements end in `` />``."""
    html = node.inner_html or ""
    html = _VOID.sub(r"\g<0> /", html)
    return html.replace("&nbsp;", "&#160;").replace(">\u0338", ">&#x338;")
