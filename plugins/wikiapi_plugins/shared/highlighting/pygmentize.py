"""The task of the worker processes: highlights source with Pygments.

It runs in separate processes because a third of Pygments' lexers contain regular expressions that
take quadratic time or worse for some texts.
"""

from __future__ import annotations

from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters.html import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import find_lexer_class  # type: ignore[import-untyped]


def work(job: tuple[str, str]) -> str:
    """Return highlighted source as HTML, without an element around it.

    Args:
        job: the name of the lexer, and the source.
    """
    lexer, source = job
    html: str = highlight(
        source, find_lexer_class(lexer)(stripnl=False, ensurenl=True), HtmlFormatter(nowrap=True)
    )
    return html
