"""Messages are asked from a wiki that answers in parts, or what no wiki answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.messages import texts
from wikiapi.importing.messages.remote import Fetched, Position, RemoteMessages
from wikiapi.testing import live_server

Request = dict[str, str]
Answer = dict[str, Any]


def message(name: str, content: str, **more: Any) -> Answer:
    return {"name": name, "normalizedname": name, "content": content, **more}


def answer(*messages: Any, **more: Any) -> Answer:
    return {"batchcomplete": True, "query": {"allmessages": list(messages)}, **more}


def going_on(name: str) -> Answer:
    return {"continue": {"amfrom": name, "continue": "-||"}}


class FakeWiki:
    """A wiki whose answers are those of a function, with the requests that it has received."""

    def __init__(self, reply: Callable[[Request], Answer]) -> None:
        self.reply = reply
        self.requests: list[Request] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        self.requests.append({name: values[0] for name, values in parse_qs(body).items()})
        data = json.dumps(self.reply(self.requests[-1])).encode()
        start_response("200 OK", [("Content-Length", str(len(data)))])
        return [data]


@pytest.fixture
def asked(request: pytest.FixtureRequest) -> Iterator[tuple[RemoteMessages, FakeWiki]]:
    wiki = FakeWiki(request.param)
    with live_server(wiki) as url:
        yield RemoteMessages(LiveApi(f"{url}/api.php", tries=1)), wiki


def in_parts(request: Request) -> Answer:
    if request["amcustomised"] == "modified":
        return answer(message("sidebar", "mine", customised=True))
    if "amfrom" in request:
        return answer(message("sidebar", "mine"), {"name": "none", "missing": True})
    return answer(message("about", "À propos"), **going_on("sidebar"))


@pytest.mark.parametrize("asked", [in_parts], indirect=True)
def test_all_parts_are_asked_for(asked: tuple[RemoteMessages, FakeWiki]) -> None:
    remote, wiki = asked
    fetched = Fetched()
    positions = list(remote.fetch("fr", fetched, Position()))
    assert list(fetched.texts.items()) == [("about", "À propos"), ("sidebar", "mine")]
    assert fetched.customised == 1
    assert [position.share for position in positions] == ["all", "modified"]
    assert [request["amlang"] for request in wiki.requests] == ["fr"] * 3
    assert wiki.requests[0]["maxlag"] == "5"


@pytest.mark.parametrize("asked", [in_parts], indirect=True)
def test_an_interrupted_language_is_resumed(asked: tuple[RemoteMessages, FakeWiki]) -> None:
    remote, wiki = asked
    fetched = Fetched()
    position = next(remote.fetch("fr", fetched, Position()))
    list(remote.fetch("fr", fetched, position))
    assert len(fetched.texts) == 2
    assert [request.get("amfrom") for request in wiki.requests] == [None, "sidebar", None]


def old_format(request: Request) -> Answer:
    """Answer as MediaWiki before 1.25, which ignores formatversion=2."""
    return answer({"name": "about", "*": "À propos"}, {"name": "none", "missing": ""})


@pytest.mark.parametrize("asked", [old_format], indirect=True)
def test_an_old_wiki(asked: tuple[RemoteMessages, FakeWiki]) -> None:
    fetched = Fetched()
    list(asked[0].fetch("fr", fetched, Position()))
    assert list(fetched.texts.items()) == [("about", "À propos")]


def same_part(request: Request) -> Answer:
    more = {"continue": {"amfrom": f"a{int(request.get('amfrom', 'a0')[1:]) + 1}"}}
    return answer(message("about", "x"), **more)


def new_parts(request: Request) -> Answer:
    number = int(request.get("amfrom", "a0")[1:]) + 1
    return answer(message(f"a{number}", "x"), **{"continue": {"amfrom": f"a{number}"}})


HOSTILE = {
    "the same part again and again": (same_part, "continue without end"),
    "new parts without end": (new_parts, "continue without end"),
    "no list": (lambda _: {"query": {"allmessages": 7}}, "is not a list"),
    "no query": (lambda _: {"query": []}, "query is not an object"),
    "numbers for messages": (lambda _: answer(7), "is not an object"),
    "no text": (lambda _: answer(message("about", 7)), "is not a text"),  # type: ignore[arg-type]
    "no name": (lambda _: answer({"content": "x"}), "name of one of the allmessages"),
    "a name with a line break": (lambda _: answer(message("a\nb", "x")), "name of a message"),
    "too much text": (lambda _: answer(message("a", "x" * 2000)), "characters"),
    "too many": (lambda _: answer(*[message(f"m{n}", "") for n in range(600)]), "more than 500"),
    "a refusal": (
        lambda _: {"error": {"code": "readapidenied", "info": "Log in\x1b[2J."}},
        r"answers readapidenied: Log in \[2J\.",
    ),
}


@pytest.mark.parametrize(
    ("asked", "problem"), HOSTILE.values(), indirect=["asked"], ids=HOSTILE.keys()
)
def test_hostile_answers_are_refused(
    asked: tuple[RemoteMessages, FakeWiki], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "MAX_CHARACTERS", 1000)
    monkeypatch.setattr(texts, "MAX_MESSAGES", 500)
    with pytest.raises(DumpError, match=problem):
        list(asked[0].fetch("fr", Fetched(), Position()))
    assert len(asked[1].requests) <= 200


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        (lambda _: {"query": {"general": {"lang": "pt-br"}}}, "pt-br"),
        (lambda _: {"query": {"general": {"lang": "../etc"}}}, ""),
        (lambda _: {"query": {"general": {}}}, ""),
    ],
    indirect=["asked"],
)
def test_content_language(asked: tuple[RemoteMessages, FakeWiki], language: str) -> None:
    assert asked[0].content_language() == language
