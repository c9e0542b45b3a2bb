"""Paths of what plugins mount, for a site at the root of a server or below another path."""

from __future__ import annotations

from wikiapi.site import Site


def script(site: Site, name: str) -> str:
    """Return the configured path of a script beside the API (``load.php``)."""
    return f"{site.config.site.script_path.rstrip('/')}/{name}"


def below(root: str, path: str) -> str:
    """Return a configured path below the mount point, which it may contain already."""
    return path if not root or path.startswith(f"{root}/") else root + path


def suffixes(path: str, fixed: str) -> list[str]:
    """Return a path, and its ends for a site that is mounted at the beginning of it.

    ``fixed`` is the end that all of them have: ``/w/index.php`` and ``/index.php``.
    """
    folders = path.removesuffix(fixed).split("/")[1:]
    starts = range(len(folders) + 1)
    return ["".join(f"/{folder}" for folder in folders[start:]) + fixed for start in starts]
