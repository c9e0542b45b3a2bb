"""Relative page names: ``/sub`` and ``../sibling``."""

from __future__ import annotations

import re

from wikiapi.title.title import Title

_CLIMBING = re.compile(r"(?:\.\./)*+")


def resolve_subpage(title: Title, target: str) -> tuple[str, str] | None:
    """Return the full name of the page that a relative link leads to, and the text of the link.

    If the link ends with a slash, the text is the short name. The result is ``None`` if the link is
    not relative, the namespace has no subpages, or the path leads above the root page.
    """
    if not title.namespace.subpages:
        return None
    name, mark, fragment = target.partition("#")
    suffix = mark + fragment
    if name.startswith("/"):
        bare = name.rstrip("/")[1:] if name.endswith("/") else name[1:]
        label = bare if name.endswith("/") else name
        if not bare.strip():
            return None
        return f"{title.prefixed_text}/{bare.strip()}{suffix}", label + suffix
    return _climb(title, name, suffix)


def _climb(title: Title, name: str, suffix: str) -> tuple[str, str] | None:
    climbing = _CLIMBING.match(name)
    end = climbing.end() if climbing else 0
    levels, name = end // len("../"), name[end:]
    parts = title.prefixed_text.split("/")
    if not levels or len(parts) <= levels:
        return None
    base = "/".join(parts[:-levels])
    short = name.rstrip("/")
    full = f"{base}/{short.strip()}{suffix}" if short.strip() else f"{base}{suffix}"
    return full, (short + suffix if name.endswith("/") else "") or full
