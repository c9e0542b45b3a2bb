"""Relative page names: ``/sub`` and ``../sibling``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.title.title import Title


def resolve_subpage(title: Title, target: str) -> tuple[str, str] | None:
    """The full name that a relative link leads to, and the text it is shown with.

    ``None`` where the link is not relative: the namespace has no sub-pages, or the path climbs
    above the page's root.
    """
    if not title.namespace.subpages:
        return None
    name, mark, fragment = target.partition("#")
    suffix = mark + fragment
    if name.startswith("/"):
        bare = name.rstrip("/") if name.endswith("/") else name
        shown = bare.strip("/").strip() if name.endswith("/") else name
        inner = (bare[1:] if bare != name else name[1:]).strip()
        if not inner:
            return None
        return f"{_full(title)}/{inner}{suffix}", (shown if bare != name else name) + ""
    return _climb(title, name, suffix)


def _climb(title: Title, name: str, suffix: str) -> tuple[str, str] | None:
    levels = 0
    rest = name
    while rest.startswith("../"):
        levels += 1
        rest = rest[3:]
    if not levels:
        return None
    parts = _full(title).split("/")
    if len(parts) <= levels:
        return None
    base = "/".join(parts[:-levels])
    if rest.endswith("/"):
        rest = rest.rstrip("/")
        shown = rest
    else:
        shown = name
    rest = rest.strip()
    return (
        f"{base}/{rest}{suffix}" if rest else f"{base}{suffix}"
    ), shown if rest else base + suffix


def _full(title: Title) -> str:
    return title.prefixed_text
