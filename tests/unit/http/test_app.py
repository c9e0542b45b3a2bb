"""Routes, methods, mounting, and errors that nobody meant to raise."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.unit.http.sites import app_of, client_of, empty_site
from wikiapi.api.module import Action
from wikiapi.errors import ApiError, ConfigError, StoreBusy, StoreUnavailable
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import WikiApp
from wikiapi.site import Site
from wikiapi.testing.client import ELSEWHERE, MULTIPART, ApiClient

CHECK = {"action": "checktoken", "type": "csrf", "token": "x"}
ANSWER = {"checktoken": {"result": "invalid"}}


class Boom(Exception):
    """Nobody expects it."""


class Broken(Action):
    """Raises."""

    name = "broken"

    def execute(self) -> None:
        raise Boom("the inside story")


class BrokenPlugin:
    """Registers it."""

    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return (Broken,)


class ExplainingPlugin(BrokenPlugin):
    """Knows what it means."""

    @hookimpl
    def resolve_exception(self, exception: Exception) -> Exception | None:
        return ApiError("explained", "apierror-permissiondenied-generic")


@pytest.mark.parametrize("path", ["/w/api.php", "/api.php"])
def test_api_paths(app: WSGIApplication, path: str) -> None:
    assert ApiClient(app, path=path).get(CHECK) == ANSWER


@pytest.mark.parametrize("path", ["/w/index.php", "/wiki/Main_Page", "/w/api.phpx", "/w/rest.php"])
def test_other_paths_lead_nowhere(client: ApiClient, path: str) -> None:
    reply = client.raw("GET", path=path)
    assert reply.status == 404
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"


def test_the_root_leads_to_the_api(client: ApiClient) -> None:
    reply = client.raw("GET", path="/")
    assert (reply.status, reply.headers["location"]) == (301, "/w/api.php")


def test_mounted_in_another_application() -> None:
    def nowhere(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("404 Not Found", [])
        return [b""]

    app = DispatcherMiddleware(nowhere, {"/w": app_of(), "/deep/wiki": app_of()})
    assert ApiClient(app).get(CHECK) == ANSWER
    assert ApiClient(app, path="/deep/wiki/w/api.php").get(CHECK) == ANSWER
    client = ApiClient(app)
    moved = client.raw("GET", "a=b", path="/deep/wiki/api.php/x.bat")
    assert moved.headers["location"] == "/deep/wiki/api.php?a=b"
    assert client.raw("GET", path="/w/").headers["location"] == "/w/api.php"
    assert client.raw("GET", path="/deep/wiki/").headers["location"] == "/deep/wiki/w/api.php"


def test_mounted_as_the_script_itself(app: WSGIApplication) -> None:
    mounted = DispatcherMiddleware(app, {"/any/api.php": app})
    client = ApiClient(mounted, path="/any/api.php")
    assert client.get(CHECK) == ANSWER
    moved = client.raw("GET", "a=b", path="/any/api.php/x.bat")
    assert (moved.status, moved.headers["location"]) == (301, "/any/api.php?a=b")


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", MULTIPART])
def test_post(client: ApiClient, content_type: str) -> None:
    reply = client.reply("POST", CHECK, content_type=content_type)
    assert json.loads(reply.body) == ANSWER


def test_body_wins_over_query_string(client: ApiClient) -> None:
    reply = client.raw(
        "POST",
        "action=query&format=json",
        form={"action": "checktoken", "type": "csrf", "token": "+\\"},
        content_type="application/x-www-form-urlencoded",
    )
    assert json.loads(reply.body) == {"checktoken": {"result": "valid"}}


def test_head_is_get_without_a_body(client: ApiClient) -> None:
    got, head = client.reply("GET", CHECK), client.reply("HEAD", CHECK)
    assert head.body == b""
    assert head.headers == got.headers


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_other_methods(client: ApiClient, method: str) -> None:
    reply = client.reply(method, CHECK)
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")


def test_api_errors_have_status_200_and_their_header(client: ApiClient) -> None:
    reply = client.reply("GET", action="nope")
    assert reply.status == 200
    assert reply.headers["mediawiki-api-error"] == "badvalue"
    assert "mediawiki-api-error" not in client.reply("GET", CHECK).headers


def test_format_errors_name_the_error_once(client: ApiClient) -> None:
    reply = client.reply("GET", action="nope", formatversion="3")
    assert reply.headers["mediawiki-api-error"] == "badvalue"
    assert json.loads(reply.body)["error"]["code"] == "badvalue"


def test_an_unexpected_exception_is_logged_and_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = client_of(plugins=[BrokenPlugin()])
    with caplog.at_level(logging.ERROR):
        reply = client.reply("GET", action="broken")
    assert reply.status == 200
    assert reply.headers["mediawiki-api-error"] == "internal_api_error_Boom"
    error = json.loads(reply.body)["error"]
    assert (error["code"], error["errorclass"]) == ("internal_api_error_Boom", "Boom")
    record = caplog.records[-1]
    error_id = record.getMessage().split("]")[0].removeprefix("[")
    assert len(error_id) == 24
    assert error_id in error["info"]
    assert "the inside story" in caplog.text
    assert b"inside story" not in reply.body
    assert b"Traceback" not in reply.body


def test_a_database_that_is_down_is_logged_in_one_line(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: Action) -> None:
        raise StoreUnavailable("nobody listens")

    monkeypatch.setattr(Broken, "execute", fail)
    answer = client_of(plugins=[BrokenPlugin()]).get(action="broken")
    assert answer["error"]["code"] == "internal_api_error_DBConnectionError"
    (record,) = caplog.records
    assert record.getMessage().endswith(": nobody listens")
    assert record.exc_info is None


def test_a_plugin_may_explain_an_exception(caplog: pytest.LogCaptureFixture) -> None:
    client = client_of(plugins=[ExplainingPlugin()])
    assert client.get(action="broken")["error"]["code"] == "explained"
    assert not caplog.records


class Busy(Action):
    """Waits for others in vain."""

    name = "busy"
    is_write = True
    needs_token = ""

    def execute(self) -> None:
        raise StoreBusy("others have been writing for too long")


class BusyPlugin:
    """Registers it."""

    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return (Busy,)


def test_a_busy_store_is_an_error_after_which_clients_try_again() -> None:
    client = client_of(plugins=[BusyPlugin()], site={"writable": True, "wiki_id": "demo"})
    reply = client.raw("POST", "action=busy&format=json")
    assert json.loads(reply.body)["error"]["code"] == "readonly"
    assert int(reply.headers["retry-after"]) > 0


def test_even_a_broken_edge_answers(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = WikiApp(site)
    monkeypatch.setattr(app, "_requests", None)
    reply = ApiClient(app).reply("GET", CHECK)
    assert reply.status == 500
    assert b"NoneType" not in reply.body
    assert "NoneType" in caplog.text


def test_plugins_wrap_the_application() -> None:
    class Wrapping:
        @hookimpl
        def wrap_wsgi(self, app: WSGIApplication) -> WSGIApplication:
            def wrapped(environ: Any, start_response: Any) -> Iterable[bytes]:
                if environ["PATH_INFO"] == "/hello":
                    start_response("200 OK", [])
                    return [b"hello"]
                return app(environ, start_response)

            return wrapped

    client = client_of(plugins=[Wrapping()])
    assert client.raw("GET", path="/hello").body == b"hello"
    assert client.get(CHECK) == ANSWER


def test_a_bad_setting_is_named_at_the_start() -> None:
    with pytest.raises(ConfigError, match="trusted_proxies"):
        app_of(http={"trusted_proxies": ["nonsense"]})


def test_several_sites_share_nothing() -> None:
    one, other = client_of(), client_of(site={"wiki_id": "other"})
    one.get(action="query", meta="tokens", type="login")
    assert one.cookie("demo_session")
    assert other.cookie("other_session") is None
    cookies = other.reply("GET", CHECK).headers["set-cookie"]
    assert "other_session=deleted" in cookies
    assert "demo" not in cookies


def test_threads(app: WSGIApplication) -> None:
    answers: list[Any] = []

    def ask(number: int) -> None:
        client = ApiClient(app)
        asked = {"action": "query", "requestid": str(number)}
        answers.extend(client.get(asked)["requestid"] for _ in range(20))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == sorted([str(number) for number in range(4)] * 20)


def test_checktoken_runs_no_query() -> None:
    site = empty_site()
    app = WikiApp(site)
    with site.db.recording() as queries:
        assert ApiClient(app, remote_address=ELSEWHERE).get(CHECK) == ANSWER
    assert queries == []
