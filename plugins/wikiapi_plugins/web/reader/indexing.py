"""What search engines are told of pages, by the setting of the namespace and by the page."""

from __future__ import annotations

from collections.abc import Container

from wikiapi.title import Namespace

HIDDEN = "noindex"
"""What is told of what is not a page of the wiki."""


def robots_of(namespace: Namespace, properties: Container[str]) -> str:
    """Return the directives for a page with some properties; empty if all is permitted.

    ``__INDEX__`` overrides ``__NOINDEX__``, and both override the namespace.
    """
    directives = [each.strip() for each in namespace.robots.split(",")]
    if "index" in properties:
        directives = [each for each in directives if each not in (HIDDEN, "none")]
    elif HIDDEN in properties and HIDDEN not in directives:
        directives.insert(0, HIDDEN)
    return ",".join(each for each in directives if each not in ("", "index", "follow"))


def is_hidden(robots: str) -> bool:
    """Return whether directives keep a page out of search engines."""
    return not {HIDDEN, "none"}.isdisjoint(robots.split(","))
