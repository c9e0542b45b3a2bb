"""WSGI applications that plugins put at paths of a site, beside the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.errors import PluginError
from wikiapi.registry import collect
from wikiapi.site import Site


@dataclass(frozen=True, slots=True)
class Mount:
    """A WSGI application at a path of the site.

    A ``path`` that ends in a slash stands for everything below it (but ``/``, which is the root
    alone); any other is that one address. The application is called as WSGI has it: what the mount
    stands for is moved from ``PATH_INFO`` to ``SCRIPT_NAME``. It sets its own headers, those for
    security too (:func:`wikiapi.http.reply.protect`).
    """

    path: str
    app: WSGIApplication


class Mounts:
    """Finds the mount for a path: the exact one, or the longest above it."""

    def __init__(self, site: Site) -> None:
        """Ask the plugins.

        Raises:
            PluginError: two plugins mount at the same path, or a path is relative.
        """
        mounts = collect(site.plugins, "register_mounts", _paths, site=site)
        self._exact = dict(mounts)
        self._below = sorted((path for path in mounts if path.endswith("/")), key=len, reverse=True)

    def call(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes] | None:
        """Let a mount answer a request; ``None`` where nothing is mounted."""
        if not self._exact:
            return None
        path: str = environ.get("PATH_INFO", "") or "/"
        mount = self._find(path)
        if mount is None:
            return None
        return mount.app(_shifted(environ, mount.path, path), start_response)

    def _find(self, path: str) -> Mount | None:
        if path in self._exact:
            return self._exact[path]
        for prefix in self._below:
            if prefix != "/" and path.startswith(prefix):
                return self._exact[prefix]
        return None


def _paths(mount: Mount) -> tuple[str]:
    if not mount.path.startswith("/"):
        raise PluginError(f"register_mounts: the path {mount.path!r} must begin with a slash")
    return (mount.path,)


def _shifted(environ: WSGIEnvironment, mounted: str, path: str) -> dict[str, Any]:
    taken = mounted.rstrip("/")
    return {
        **environ,
        "SCRIPT_NAME": environ.get("SCRIPT_NAME", "") + taken,
        "PATH_INFO": path[len(taken) :],
    }
