"""Which path leads to the API, stand-alone and under mount points."""

from __future__ import annotations

import pytest

from wikiapi.http.routing import Route, Router, Target

API, NOTHING = Route(Target.API), Route(Target.NOTHING)


def moved(location: str) -> Route:
    return Route(Target.MOVED, location)


@pytest.mark.parametrize(
    ("script_path", "mount", "path", "route"),
    [
        ("/w", "", "/w/api.php", API),
        ("/w", "", "/api.php", API),
        ("/w", "", "/", moved("/w/api.php")),
        ("/w", "", "/w/api.php/x.bat", moved("/w/api.php")),
        ("/w", "", "/x/w/api.php", NOTHING),
        # The configured path is the one below the mount point.
        ("/w", "/docs", "/w/api.php", API),
        ("/w", "/docs", "", moved("/docs/w/api.php")),
        ("/w", "/docs", "/w/api.php/x.bat", moved("/docs/w/api.php")),
        # The mount point is the script path, or ends in it.
        ("/w", "/w", "/api.php", API),
        ("/w", "/w", "/", moved("/w/api.php")),
        ("/w", "/any/w", "/", moved("/any/w/api.php")),
        ("/w", "/any/api.php", "", API),
        # The configured path is the whole one.
        ("/docs/w", "/docs", "/w/api.php", API),
        ("/docs/w", "/docs", "/api.php", API),
        ("/docs/w", "/docs", "/", moved("/docs/w/api.php")),
        ("/docs/w", "/docs", "/w/api.php/x.bat", moved("/docs/w/api.php")),
        ("/docs/w", "/docs", "/x/api.php", NOTHING),
        ("/docs", "/docs", "/api.php", API),
        ("/docs", "/docs", "/", moved("/docs/api.php")),
        ("", "", "/api.php", API),
        ("", "/docs", "/", moved("/docs/api.php")),
    ],
)
def test_route(script_path: str, mount: str, path: str, route: Route) -> None:
    assert Router(script_path).find({"SCRIPT_NAME": mount, "PATH_INFO": path}) == route
