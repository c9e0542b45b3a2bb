"""An example program: find the links of a page that lead through redirects, with Pywikibot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def detours(page: Any) -> Iterator[tuple[str, str]]:
    """Yield the links of a page to redirects, each with the title of the target."""
    for linked in page.linkedPages():
        if linked.isRedirectPage():
            yield linked.title(), linked.getRedirectTarget().title(with_section=False)


def tidied(page: Any) -> str:
    """Return the text of a page with links to redirects replaced by links to their targets."""
    text: str = page.text
    for title, target in detours(page):
        text = text.replace(f"[[{title}]]", f"[[{target}|{title}]]")
    return text
