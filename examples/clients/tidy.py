"""A program to test: finds what a page links to through a redirect, with Pywikibot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def detours(page: Any) -> Iterator[tuple[str, str]]:
    """The links of a page that lead to redirects, each with the title it should have."""
    for linked in page.linkedPages():
        if linked.isRedirectPage():
            yield linked.title(), linked.getRedirectTarget().title(with_section=False)


def tidied(page: Any) -> str:
    """The text of a page with its links led to where they end."""
    text: str = page.text
    for title, target in detours(page):
        text = text.replace(f"[[{title}]]", f"[[{target}|{title}]]")
    return text
