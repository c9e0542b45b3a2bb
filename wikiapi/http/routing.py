"""Routing: the path of the API, and the applications that plugins mount beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.errors import PluginError
from wikiapi.registry import collect
from wikiapi.site import Site

SCRIPT = "/api.php"


class Target(Enum):
    """What a path leads to."""

    API = auto()
    MOVED = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes; ``location`` is the API's own path on this server."""

    target: Target
    location: str = ""


class Router:
    """Knows the paths of one site, stand-alone or mounted in another application.

    The configured path may be the one below the mount point, or the whole one, as it has to be for
    the addresses in answers to lead back here.
    """

    def __init__(self, script_path: str) -> None:
        """Take the configured path of the API's folder."""
        self._script_path = script_path.rstrip("/")
        self._paths = (self._script_path + SCRIPT, SCRIPT)

    def find(self, environ: WSGIEnvironment) -> Route:
        """Return the route of a request.

        Anything after the script's name is moved away from: a browser would take it for the name
        of a file (``api.php/setup.bat``).
        """
        path: str = environ.get("PATH_INFO", "")
        mount: str = environ.get("SCRIPT_NAME", "")
        if path in self._paths or mount + path == self._paths[0]:
            return _API
        if mount.endswith(SCRIPT):  # some servers mount the script itself
            return Route(Target.MOVED, mount) if path else _API
        for known in self._paths:
            if path.startswith(f"{known}/"):
                return Route(Target.MOVED, mount + known)
        if f"{mount}{path}".startswith(f"{self._paths[0]}/"):
            return Route(Target.MOVED, self._paths[0])
        if path in ("", "/"):
            return Route(Target.MOVED, self._entry(mount))
        return Route(Target.NOTHING)

    def _entry(self, mount: str) -> str:
        """Return the script path below the mount point, unless it begins with it or is its end."""
        if mount and self._paths[0].startswith(f"{mount}/"):
            return self._paths[0]
        return mount + (SCRIPT if mount.endswith(self._script_path) else self._paths[0])


_API = Route(Target.API)


@dataclass(frozen=True, slots=True)
class Mount:
    """A WSGI application at a path of the site.

    A ``path`` that ends in a slash stands for everything below it (but ``/``, which is the root
    alone); any other is that one address. The application is called as WSGI has it: what the mount
    stands for is moved from ``PATH_INFO`` to ``SCRIPT_NAME``. It sets its own headers, those for
    security too (:func:`wikiapi.http.reply.protect`).

    ``label`` says in a word what people find there; ``wikiapi serve`` prints it with the address.
    """

    path: str
    app: WSGIApplication
    label: str = ""


PART = "wikiapi.part"
"""Where the WSGI environment holds the plugin whose mount answers a request."""


class Mounts:
    """Finds the mount for a path: the exact one, or the longest above it."""

    def __init__(self, site: Site) -> None:
        """Ask the plugins.

        Raises:
            PluginError: two plugins mount at the same path, or a path is relative.
        """
        mounts = collect(site.plugins, "register_mounts", _paths, instances_of=Mount, site=site)
        self._exact = dict(mounts)
        labelled = (mount for mount in mounts.values() if mount.label)
        self.labelled = sorted(labelled, key=lambda mount: mount.path)
        """The mounts that have a label."""
        self._owners = {path: mounts.owner(path) for path in mounts}
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
        environ[PART] = self._owners[mount.path]
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
