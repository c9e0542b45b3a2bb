"""The fields of ``debuginfo``, their truth, and who gets to see them."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import wikiapi
from tests.unit.http.sites import app_of, empty_site
from wikiapi.http import address
from wikiapi.http.app import WikiApp
from wikiapi.http.debuginfo import (
    engine_version,
    memory_now,
    memory_peak,
    readable_size,
)
from wikiapi.testing.client import ELSEWHERE, ApiClient

HERE = "127.0.0.1"
QUERY = {"action": "query", "titles": "A|B"}
SIZE = re.compile(r"[\d,]+(\.\d{1,2})? (bytes|KB|MB|GB)\Z")


@pytest.fixture(autouse=True, scope="module")
def same_user() -> Iterator[None]:
    """Treat clients from this machine as processes of the same user."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(address, "_is_same_user", lambda *_: True)
        yield


def asked(setting: str, address: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    client = ApiClient(app_of(http={"debug_info": setting}), remote_address=address)
    return json.loads(client.reply("GET", QUERY, headers=headers).body)


@pytest.fixture(scope="module")
def block() -> dict[str, Any]:
    headers = {"User-Agent": "test", "Authorization": "Basic c2VjcmV0", "X-Odd": "a\xe9"}
    return asked("on", HERE, headers)["debuginfo"]


@pytest.mark.parametrize(
    ("setting", "address", "headers", "included"),
    [
        ("auto", HERE, {}, True),
        ("auto", "::1", {}, True),
        ("auto", ELSEWHERE, {}, False),
        ("auto", HERE, {"X-Forwarded-For": ELSEWHERE}, False),
        ("auto", HERE, {"Via": "1.1 proxy"}, False),
        ("auto", HERE, {"Forwarded": "for=x"}, False),
        ("auto", HERE, {"Host": "evil.example"}, False),
        ("on", ELSEWHERE, {}, True),
        ("on", HERE, {"Via": "1.1 proxy"}, True),
        ("off", HERE, {}, False),
    ],
)
def test_who_sees_it(
    setting: str, address: str, headers: Mapping[str, str], included: bool
) -> None:
    assert ("debuginfo" in asked(setting, address, headers)) is included


def test_fields(block: dict[str, Any]) -> None:
    assert block.keys() == {
        "wikiVersion", "mwVersion", "phpEngine", "phpVersion", "time", "log", "debugLog",
        "queries", "request", "memory", "memoryPeak", "includes",
    }  # fmt: skip


def test_versions(block: dict[str, Any]) -> None:
    assert block["wikiVersion"] == block["mwVersion"] == "1.45.0"
    assert block["phpEngine"] == platform.python_implementation()
    assert block["phpVersion"] == platform.python_version()


@pytest.mark.parametrize(
    ("generator", "version"),
    [("MediaWiki 1.45.1", "1.45.1"), ("MediaWiki 1.45.0 (wikiapi 0.1)", "1.45.0"), ("x", "x")],
)
def test_engine_version(generator: str, version: str) -> None:
    assert engine_version(generator) == version


def test_time(block: dict[str, Any]) -> None:
    assert 0 < block["time"] < 60
    assert block["time"] >= sum(query["time"] for query in block["queries"])


def test_every_statement_is_there() -> None:
    site = empty_site(http={"debug_info": "on"})
    app = WikiApp(site)
    client = ApiClient(app)
    with site.db.recording() as outside:
        client.get(action="checktoken", type="csrf", token="x")
    assert outside == []  # it needs none
    queries = client.get(QUERY)["debuginfo"]["queries"]
    assert queries
    for query in queries:
        assert query.keys() == {"sql", "function", "time"}
        assert query["sql"].startswith("SELECT")
        assert query["function"].startswith("action=query (wikiapi.")
        assert query["time"] > 0
    assert "'A'" in queries[0]["sql"]


def test_checktoken_runs_none() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    answer = client.get(action="checktoken", type="csrf", token="x")
    assert answer["debuginfo"]["queries"] == []


def test_request_echo(block: dict[str, Any]) -> None:
    request = block["request"]
    assert request["method"] == "GET"
    assert request["url"] == "/w/api.php?format=json&formatversion=2&action=query&titles=A%7CB"
    assert request["params"] == {"format": "json", "formatversion": "2", **QUERY}
    assert request["headers"]["USER-AGENT"] == "test"


def test_credentials_are_not_shown(block: dict[str, Any]) -> None:
    assert block["request"]["headers"]["AUTHORIZATION"] == "(not shown)"
    assert "c2VjcmV0" not in json.dumps(block)


def test_cookies_are_not_shown() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    client.set_cookie("demo_session", "s" * 32)
    block = client.get(QUERY)["debuginfo"]
    assert block["request"]["headers"]["COOKIE"] == "(not shown)"
    assert "s" * 32 not in json.dumps(block)


def test_passwords_and_tokens_are_not_shown() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    secrets = {"lgpassword": "open sesame", "lgtoken": "abc+\\", "retype": "open sesame"}
    block = client.post(action="login", lgname="A", **secrets)["debuginfo"]
    params = block["request"]["params"]
    assert params["lgname"] == "A"
    assert {params[name] for name in secrets} == {"(not shown)"}
    assert "sesame" not in json.dumps(block)


def test_first_line_of_the_log(block: dict[str, Any]) -> None:
    first = block["debugLog"][0]
    assert first.startswith("Start request GET /w/api.php?format=json")
    assert "HOST: localhost" in first
    assert "USER-AGENT: test" in first


def test_warnings_are_logged() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    log = client.get(QUERY, nonsense="1")["debuginfo"]["debugLog"]
    assert any("unrecognizedparams" in line for line in log)


def test_memory(block: dict[str, Any]) -> None:
    assert SIZE.match(block["memory"])
    assert SIZE.match(block["memoryPeak"])
    assert 1_000_000 < memory_now() < 100_000_000_000
    assert memory_peak() > 1_000_000


def test_includes(block: dict[str, Any]) -> None:
    sizes = {file["name"]: file["size"] for file in block["includes"]}
    own = Path(wikiapi.__file__).parent
    assert sizes["wikiapi/http/app.py"] == readable_size((own / "http/app.py").stat().st_size)
    assert "wikiapi_plugins/actions/query.py" in sizes
    assert all(SIZE.match(size) for size in sizes.values())
    assert not [name for name in sizes if name.startswith("/")]
    assert len(sizes) < 10


def test_includes_are_the_files_of_modules_that_took_part() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    request = {"action": "query", "generator": "allpages", "prop": "info|revisions"}
    block = client.get(request, list="search|random", srsearch="x")["debuginfo"]
    names = {file["name"] for file in block["includes"]}
    assert {
        "wikiapi_plugins/formats/json.py",
        "wikiapi_plugins/query/pages/allpages.py",
        "wikiapi_plugins/query/pages/info.py",
        "wikiapi_plugins/query/search/search.py",
    } <= names
    assert not [name for name in names if name.endswith("/backlinks.py")]
    assert len(names) < 25
    other = client.get(action="parse", text="x", prop="categories|info")["debuginfo"]["includes"]
    assert "wikiapi_plugins/query/pages/info.py" not in {file["name"] for file in other}


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1023, "1,023 bytes"),
        (1024, "1 KB"),
        (1536, "2 KB"),
        (7_644_119, "7.29 MB"),
        (1_048_576, "1 MB"),
        (1_310_720, "1.25 MB"),
        (3 * 1024**3, "3 GB"),
        (10**15, "909.49 TB"),
    ],
)
def test_readable_size(size: int, text: str) -> None:
    assert readable_size(size) == text


def test_errors_have_it_too() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    answer = client.get(action="nope")
    assert answer["error"]["code"] == "badvalue"
    assert answer["debuginfo"]["request"]["params"]["action"] == "nope"


def test_bytes_that_are_not_utf8_are_shown_replaced() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    reply = client.raw("GET", "action=query&format=json&%ff=%ff")
    assert json.loads(reply.body)["debuginfo"]["request"]["params"]["\ufffd"] == "\ufffd"


def test_secrets_in_the_query_string_are_echoed_as_they_came() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    echoed = client.get(action="checktoken", type="csrf", token="abc+\\")["debuginfo"]["request"]
    assert echoed["params"]["token"] == "abc+\\"
    assert "token=abc%2B%5C" in echoed["url"]


def test_a_secret_in_the_body_is_not_shown_if_the_query_string_has_one_of_its_name() -> None:
    client = ApiClient(app_of(http={"debug_info": "on"}))
    query = "action=login&format=json&lgtoken=public&lgpassword=old"
    answer = client.raw("POST", query, form={"lgtoken": "open", "lgpassword": "sesame"})
    assert b"sesame" not in answer.body
    echoed = json.loads(answer.body)["debuginfo"]["request"]["params"]
    assert echoed["lgtoken"] == echoed["lgpassword"] == "(not shown)"
