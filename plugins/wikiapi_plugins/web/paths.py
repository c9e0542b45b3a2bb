"""Paths for the mounts of plugins, for a site at the root of a server or below another path."""

from __future__ import annotations

from wikiapi.site import Site


def script(site: Site, name: str) -> str:
    """Return the configured path of a script in the folder of the API (``load.php``)."""
    return f"{site.config.site.script_path.rstrip('/')}/{name}"


def below(root: str, path: str) -> str:
    """Return a configured path with the mount point, which it may contain already."""
    return path if not root or path.startswith(f"{root}/") else root + path


def suffixes(path: str, fixed: str) -> list[str]:
    """Return a path, and its suffixes for a site that is mounted at one of its parent folders.

    ``fixed`` is the end that all of them keep. For ``/w/index.php`` and ``/index.php``, these are
    ``/w/index.php`` and ``/index.php``.
    """
    folders = path.removesuffix(fixed).split("/")[1:]
    starts = range(len(folders) + 1)
    return ["".join(f"/{folder}" for folder in folders[start:]) + fixed for start in starts]
