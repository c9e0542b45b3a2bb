"""Applications of plugins at paths of a site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from wsgiref.types import WSGIApplication

import pytest

from tests.unit.http.sites import empty_site
from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.http.routing import Mount
from wikiapi.testing.client import ApiClient


def telling(name: str) -> WSGIApplication:
    """Return an application that reports its name and its mount point."""

    def app(environ: Any, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [f"{name} {environ['SCRIPT_NAME']} {environ['PATH_INFO']}".encode()]

    return app


def failing(_environ: Any, _start_response: Any) -> Iterable[bytes]:
    raise RuntimeError("no luck")


def client_of(*plugins: Mounting) -> ApiClient:
    return ApiClient(make_app(empty_site(plugins=plugins)))


class Mounting:
    def __init__(self, *mounts: Mount) -> None:
        self._mounts = mounts

    @hookimpl
    def register_mounts(self) -> Iterable[Mount]:
        return self._mounts


TREE = Mounting(
    Mount("/", telling("root")),
    Mount("/wiki/", telling("wiki")),
    Mount("/wiki/deep/", telling("deep")),
    Mount("/health", telling("health")),
    Mount("/broken", failing),
)


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/", b"root  /"),
        ("/wiki/", b"wiki /wiki /"),
        ("/wiki/Main_Page", b"wiki /wiki /Main_Page"),
        ("/wiki/deep/er", b"deep /wiki/deep /er"),
        ("/wiki/deepest", b"wiki /wiki /deepest"),
        ("/health", b"health /health "),
    ],
)
def test_the_nearest_mount_answers(path: str, answer: bytes) -> None:
    assert client_of(TREE).raw("GET", path=path).body == answer


@pytest.mark.parametrize("path", ["/wiki", "/healthy", "/health/", "/other"])
def test_other_paths_stay_empty(path: str) -> None:
    assert client_of(TREE).raw("GET", path=path).status == 404


def test_the_api_stays_where_it_is() -> None:
    client = client_of(Mounting(Mount("/w/", telling("w"))))
    assert client.get(action="query") == {"batchcomplete": True}
    assert client.raw("GET", path="/w/other").body == b"w /w /other"


def test_a_failing_mount_is_logged_under_an_id(caplog: pytest.LogCaptureFixture) -> None:
    reply = client_of(TREE).raw("GET", path="/broken")
    assert reply.status == 500
    assert b"no luck" not in reply.body
    assert "no luck" in caplog.text


def test_two_plugins_at_one_path_are_named() -> None:
    with pytest.raises(PluginError, match="/health"):
        client_of(TREE, Mounting(Mount("/health", telling("other"))))


def test_a_relative_path_is_refused() -> None:
    with pytest.raises(PluginError, match="slash"):
        client_of(Mounting(Mount("health", telling("health"))))
