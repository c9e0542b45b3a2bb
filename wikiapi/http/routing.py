"""Routing to the API, and to applications that plugins mount."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.errors import PluginError
from wikiapi.registry import collect
from wikiapi.site import Site

SCRIPT = "/api.php"


class Target(Enum):
    """The target of a path."""

    API = auto()
    MOVED = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Route:
    """The route of a request; ``location`` is the path to redirect to for ``Target.MOVED``."""

    target: Target
    location: str = ""


class Router:
    """Finds the routes of one site, stand-alone or mounted in another application.

    The configured path may be relative to the mount point, or include it, which is required for
    correct URLs in answers.
    """

    def __init__(self, script_path: str) -> None:
        """Take the configured path of the directory of ``api.php``."""
        self._script_path = script_path.rstrip("/")
        self._paths = (self._script_path + SCRIPT, SCRIPT)

    def find(self, environ: WSGIEnvironment) -> Route:
        """Return the route of a request.

        Paths below the script are redirected to it, because a browser would use them as file names
        (``api.php/setup.bat``).
        """
        path: str = environ.get("PATH_INFO", "")
        mount: str = environ.get("SCRIPT_NAME", "")
        if path in self._paths or mount + path == self._paths[0]:
            return _API
        if mount.endswith(SCRIPT):  # some servers mount the script itself
            return Route(Target.MOVED, mount) if path else _API
        for own_path in self._paths:
            if path.startswith(f"{own_path}/"):
                return Route(Target.MOVED, mount + own_path)
        if f"{mount}{path}".startswith(f"{self._paths[0]}/"):
            return Route(Target.MOVED, self._paths[0])
        if path in ("", "/"):
            return Route(Target.MOVED, self._entry(mount))
        return Route(Target.NOTHING)

    def _entry(self, mount: str) -> str:
        """Return the path of the API for a request to the root of the mount point.

        The mount point is prepended, unless the script path already begins with it. If the mount
        point ends with the directory of ``api.php``, only the script's name is added.
        """
        if mount and self._paths[0].startswith(f"{mount}/"):
            return self._paths[0]
        return mount + (SCRIPT if mount.endswith(self._script_path) else self._paths[0])


_API = Route(Target.API)


@dataclass(frozen=True, slots=True)
class Mount:
    """A WSGI application at a path of the site.

    A ``path`` that ends with a slash includes all paths below it, except ``/``, which is only the
    root; any other is a single path. The application is called according to WSGI, with the path of
    the mount moved from ``PATH_INFO`` to ``SCRIPT_NAME``. It must set its own headers, including
    those for security (:func:`wikiapi.http.reply.protect`).

    ``label`` describes in a word what people find there; ``wikiapi serve`` prints it with the URL.
    """

    path: str
    app: WSGIApplication
    label: str = ""


PART = "wikiapi.part"
"""Key in the WSGI environment for the name of the plugin whose mount answers a request."""


class Mounts:
    """Finds the mount for a path: the exact one, or the longest above it."""

    def __init__(self, site: Site) -> None:
        """Collect the mounts of all plugins.

        Raises:
            PluginError: two plugins mount applications at the same path, or a path is relative.
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
        """Call the application mounted at a request's path; return ``None`` if there is none."""
        if not self._exact:
            return None
        path: str = environ.get("PATH_INFO", "") or "/"
        mount = self._find(path)
        if mount is None:
            return None
        environ[PART] = self._owners[mount.path]
        prefix = mount.path.rstrip("/")
        return mount.app(
            {
                **environ,
                "SCRIPT_NAME": environ.get("SCRIPT_NAME", "") + prefix,
                "PATH_INFO": path[len(prefix) :],
            },
            start_response,
        )

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
