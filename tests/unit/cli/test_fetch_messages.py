"""The messages of a wiki that is served on this machine, or of a folder, get beside a store."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from click.testing import Result

from tests.unit.importing.xmldump import dump, page
from wikiapi.testing import Wiki, live_server
from wikiapi.testing.declaration import Declaration

Run = Callable[..., Result]
FOLDER = Path("wikiapi.sqlite.messages")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr("wikiapi.cli.fetch_messages.time.sleep", waits.append)
    return waits


@pytest.fixture(scope="module")
def live() -> Iterator[str]:
    """The address of a wiki whose administrators have changed a message."""
    pages = {"Main Page": "x", "MediaWiki:Aboutsite": "All about us"}
    config = {"site": {"language": "fr"}}
    with Wiki(Declaration(pages=pages, config=config)) as wiki:
        yield wiki.url


def stored(language: str) -> dict[str, str]:
    return json.loads((FOLDER / f"{language}.json").read_text("utf-8"))


def names() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("path", ["/w/api.php", "/w/index.php?title=Main_Page", "/wiki/x", "", "/"])
def test_the_address_may_be_that_of_a_page(live: str, wikiapi: Run, path: str) -> None:
    result = wikiapi("fetch-messages", f"{live}{path}", "--language", "en")
    assert result.exit_code == 0, result.output
    assert " of en in wikiapi.sqlite.messages.\n" in result.output
    assert len(stored("en")) > 100
    assert names() == ["en.json"]


def test_the_language_is_that_of_the_wiki_and_those_that_stand_in_for_it(
    live: str, wikiapi: Run
) -> None:
    result = wikiapi("fetch-messages", live)
    assert result.exit_code == 0, result.output
    assert names() == ["en.json", "fr.json"]
    assert ", 1 of them changed by that wiki" in result.output
    assert stored("fr")["aboutsite"] == "All about us"
    assert stored("en")["aboutsite"] != "All about us"


def test_the_language_of_the_pages_comes_before_that_of_the_live_wiki(
    live: str, wikiapi: Run
) -> None:
    data = dump(page("A", 1)).replace(b'xml:lang="en"', b'xml:lang="gsw"')
    Path("a.xml").write_bytes(data)
    assert wikiapi("import", "a.xml", "--database", "wikiapi.sqlite").exit_code == 0
    Path("wikiapi.toml").unlink()
    assert wikiapi("fetch-messages", live).exit_code == 0
    assert names() == ["de.json", "en.json", "gsw.json"]


def test_a_folder(wikiapi: Run) -> None:
    Path("i18n").mkdir()
    Path("i18n/fr.json").write_text('{"@metadata": {}, "about": "À propos", "help": "Aide"}')
    result = wikiapi("fetch-messages", "i18n", "--language", "fr", "--language", "ja")
    assert result.exit_code == 0, result.output
    assert result.output.startswith(
        "There are no messages in the language 'ja'.\n"
        "Stored 2 messages of fr in wikiapi.sqlite.messages.\n"
    )
    assert stored("fr") == {"about": "À propos", "help": "Aide"}


def test_a_folder_of_ones_own(wikiapi: Run) -> None:
    Path("i18n").mkdir()
    Path("i18n/fr.json").write_text('{"about": "À propos"}')
    url = "mysql://nobody@localhost/nothing"
    refused = wikiapi("fetch-messages", "i18n", "--database", url, "--language", "fr")
    assert refused.exit_code == 2
    assert 'folders = ["FOLDER"] in [messages] of wikiapi.toml' in refused.output
    arguments = ("i18n", "--database", url, "--language", "fr", "--to", "there")
    assert wikiapi("fetch-messages", *arguments).exit_code == 0
    assert json.loads(Path("there/fr.json").read_text("utf-8")) == {"about": "À propos"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nowhere",), "nowhere is neither a folder nor the address of a wiki"),
        (("empty",), "contains no messages"),
        (("i18n", "--language", "../x"), "'../x' is not the code of a language"),
        (("i18n", "--language", "ja"), "nothing was stored"),
        (("https://[/", "--language", "ja"), "is not the address of a wiki"),
        (("http://127.0.0.1:1/w/api.php", "--contact", "a\nb"), "--contact"),
    ],
)
def test_mistakes(wikiapi: Run, arguments: tuple[str, ...], problem: str) -> None:
    Path("empty").mkdir()
    Path("i18n").mkdir()
    Path("i18n/fr.json").write_text("{}")
    result = wikiapi("fetch-messages", *arguments)
    assert result.exit_code
    assert problem in result.output
    assert "Traceback" not in result.output
    assert not FOLDER.exists()


class Faulty:
    """A wiki in front of which failures are put: each is the answer to one request."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.faults: list[tuple[str, list[tuple[str, str]], bytes] | None] = []
        self.languages: list[str] = []
        self.agents: set[str] = set()
        self.at_once = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        self.languages += parse_qs(body.decode()).get("amlang", [])
        self.agents.add(environ["HTTP_USER_AGENT"])
        fault = self.faults.pop(0) if self.faults else None
        with self._lock:
            if fault:
                status, headers, data = fault
                start_response(status, [*headers, ("Content-Length", str(len(data)))])
                return [data]
            kept = json.dumps(
                {"query": {"allmessages": [{"name": "about", "content": "x", "customised": True}]}}
            ).encode()
            start_response("200 OK", [("Content-Length", str(len(kept)))])
            return [kept]


@pytest.fixture
def faulty() -> Iterator[tuple[Faulty, str]]:
    app = Faulty(None)
    with live_server(app) as url:
        yield app, f"{url}/w/api.php"


BUSY = ("503 Service Unavailable", [("Retry-After", "11")], b"")
LAGGED = ("200 OK", [("Retry-After", "7")], b'{"error": {"code": "maxlag", "info": "Waiting"}}')


def test_a_busy_wiki_is_waited_for(
    faulty: tuple[Faulty, str], wikiapi: Run, no_waiting: list[float]
) -> None:
    app, url = faulty
    app.faults = [BUSY, LAGGED]
    result = wikiapi("fetch-messages", url, "--language", "fr", "--contact", "ada@example.org")
    assert result.exit_code == 0, result.output
    assert "The wiki does not answer (HTTP 503): trying again in 11 s.\n" in result.output
    assert {11, 7} <= set(no_waiting)
    (agent,) = app.agents
    assert agent.startswith("wikiapi/")
    assert "ada@example.org; wikiapi fetch-messages" in agent


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (("200 OK", [], b"<!DOCTYPE html>"), "does not answer with JSON: is it an api.php?"),
        (
            ("302 Found", [("Location", "http://169.254.169.254/latest/")], b""),
            "redirects to 'http://169.254.169.254/latest/', which is not followed",
        ),
        (("200 OK", [], b"[" * 1000), "does not answer with JSON"),
        (("200 OK", [], b" " * ((1 << 25) + 1)), "sends an answer of more than 32 MiB"),
        (("404 Not Found", [], b""), "answers HTTP 404"),
    ],
)
def test_what_no_wiki_answers(
    faulty: tuple[Faulty, str],
    wikiapi: Run,
    fault: tuple[str, list[tuple[str, str]], bytes],
    problem: str,
) -> None:
    app, url = faulty
    app.faults = [fault]
    result = wikiapi("fetch-messages", url, "--language", "fr")
    assert result.exit_code == 1
    assert problem in result.output
    assert not FOLDER.exists()


def test_an_interrupted_run_resumes(faulty: tuple[Faulty, str], wikiapi: Run) -> None:
    app, url = faulty
    # French is complete after two answers; English has the first of its two.
    app.faults = [None, None, None, ("404 Not Found", [], b"")]
    first = wikiapi("fetch-messages", url, "--language", "fr", "--language", "en")
    assert first.exit_code == 1
    assert names() == ["fetching.partial", "fr.json"]
    again = wikiapi("fetch-messages", url, "--language", "fr", "--language", "en")
    assert again.exit_code == 0, again.output
    assert again.output.startswith(
        "Resuming an interrupted run.\n"
        "Stored 1 message of fr, 1 of them changed by that wiki, 1 message of en,"
        " 1 of them changed by that wiki in wikiapi.sqlite.messages.\n"
    )
    assert app.languages == ["fr", "fr", "en", "en", "en"]
    assert names() == ["en.json", "fr.json"]
