"""Which of the site's addresses a request is for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from wsgiref.types import WSGIEnvironment

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
        """The route of a request.

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
        """The script path follows the mount point, unless it begins with it or is its end."""
        if mount and self._paths[0].startswith(f"{mount}/"):
            return self._paths[0]
        return mount + (SCRIPT if mount.endswith(self._script_path) else self._paths[0])


_API = Route(Target.API)
