"""Messages are read from a MediaWiki tree or a live wiki, and stored beside a database."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from wikiapi.errors import DumpError, StoreError
from wikiapi.importing import messages
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.messages import (
    Fetched,
    MessageFolder,
    MessageStore,
    Position,
    RemoteMessages,
    Texts,
)
from wikiapi.testing import live_server


def test_texts_are_sorted_and_named_as_messages() -> None:
    texts = Texts([("Sidebar", "a"), ("about page", "b"), ("aboutpage", "c"), ("aboutpage", "d")])
    assert list(texts.items()) == [("about_page", "b"), ("aboutpage", "d"), ("sidebar", "a")]
    assert len(texts) == 3


@pytest.mark.parametrize("name", ["", "a\nb", "a\x00", "x" * 256])
def test_a_name_that_no_message_has(name: str) -> None:
    with pytest.raises(DumpError, match="is not the name of a message"):
        Texts([(name, "")])


def test_limits_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_MESSAGES", 2)
    with pytest.raises(DumpError, match="more than 2 messages"):
        Texts([("a", ""), ("b", ""), ("c", "")])
    monkeypatch.setattr(messages, "MAX_CHARACTERS", 10)
    texts = Texts([("a", "x" * 10)])
    texts.add("a", "y" * 10)
    with pytest.raises(DumpError, match="characters"):
        texts.add("b", "x")


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A MediaWiki tree, whose extensions are links, as in Debian."""
    root = tmp_path / "mediawiki"
    write(root / "languages/i18n/fr.json", {"@metadata": {"authors": []}, "about": "core"})
    write(root / "languages/i18n/exif/fr.json", {"exif-make": "exif"})
    write(root / "languages/i18n/qqq.json", {"about": "explained"})
    write(root / "includes/api/i18n/fr.json", {"apierror-x": "api"})
    write(root / "skins/Vector/i18n/fr.json", {"vector-more": "skin"})
    write(root / "skins/README", b"no folder")
    real = tmp_path / "extensions-core" / "Cite"
    write(real / "i18n/fr.json", {"cite": "extension"})
    write(real / "i18n/api/fr.json", {"apihelp-cite": "inner"})
    write(real / "modules/ve-cite/i18n/fr.json", {"ve-cite": "nested"})
    write(real / "node_modules/x/i18n/fr.json", {"ignored": "x"})
    (real / "again").symlink_to(real)
    (root / "extensions").mkdir()
    (root / "extensions" / "Cite").symlink_to(real)
    return root


def test_a_mediawiki_tree(tree: Path) -> None:
    assert dict(MessageFolder(tree).texts("fr").items()) == {
        "about": "core",
        "apierror-x": "api",
        "apihelp-cite": "inner",
        "cite": "extension",
        "exif-make": "exif",
        "ve-cite": "nested",
        "vector-more": "skin",
    }


def test_an_extension(tree: Path) -> None:
    texts = MessageFolder(tree / "extensions" / "Cite").texts("fr")
    assert dict(texts.items()) == {"cite": "extension", "apihelp-cite": "inner"}


def test_a_plain_folder(tmp_path: Path) -> None:
    write(tmp_path / "fr.json", {"a": "b"})
    write(tmp_path / "de.json.gz", gzip.compress(b'{"c": "d"}'))
    write(tmp_path / "notes.txt", b"")
    source = MessageFolder(tmp_path)
    assert dict(source.texts("fr").items()) == {"a": "b"}
    assert dict(source.texts("de").items()) == {"c": "d"}
    assert len(source.texts("ja")) == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"<?php", "fr.json: not JSON"),
        (["about"], "fr.json: not a file of messages"),
        ({"about": 7}, "fr.json: the message 'about' is not a text"),
        ({"a\nb": "x"}, r"fr.json: 'a\\nb' is not the name of a message"),
        ({"about": "x" * 3000}, "fr.json: more than 0 MiB"),
        (b'{"about": "\\ud800"}', "fr.json: not JSON"),
    ],
)
def test_a_file_that_is_none_of_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: Any, problem: str
) -> None:
    monkeypatch.setattr(messages, "_MAX_BYTES", 2000)
    write(tmp_path / "fr.json", content)
    with pytest.raises(DumpError, match=problem):
        MessageFolder(tmp_path).texts("fr")


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", b"no gzip", gzip.compress(b"{}")[:-4], gzip.compress(bytes(10_000))]
)
def test_a_damaged_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(messages, "_MAX_BYTES", 2000)
    write(tmp_path / "fr.json.gz", data)
    with pytest.raises(DumpError, match=r"fr.json.gz: (cannot be read|more than)"):
        MessageFolder(tmp_path).texts("fr")


def test_a_folder_without_messages(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="contains no messages: neither languages/i18n"):
        MessageFolder(tmp_path)


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
    "too many": (
        lambda _: answer(*[message(f"m{n}", "") for n in range(600)]),
        "more than were requested",
    ),
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
    monkeypatch.setattr(messages, "MAX_CHARACTERS", 1000)
    monkeypatch.setattr(messages, "MAX_MESSAGES", 500)
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


SOURCE = "https://fr.example/w/api.php"


def test_messages_replace_those_that_are_there(tmp_path: Path) -> None:
    store = MessageStore(tmp_path / "messages")
    store.write("fr", Texts([("b", "2"), ("a", "é")]))
    (tmp_path / "messages" / "fr.json.gz").write_bytes(b"older")
    store.write("fr", Texts([("a", "é")]))
    assert [path.name for path in store.folder.iterdir()] == ["fr.json"]
    assert json.loads((tmp_path / "messages" / "fr.json").read_text("utf-8")) == {"a": "é"}


def test_an_interrupted_run_is_continued(tmp_path: Path) -> None:
    store = MessageStore(tmp_path)
    run = store.unfinished(SOURCE)
    run.begin("fr")
    run.complete()
    run.begin("en")
    run.fetched.texts.add("a", "b")
    run.fetched.customised = 1
    run.position = Position("modified", {"amfrom": "x"})
    store.save(run)
    again = store.unfinished(SOURCE)
    again.begin("en")
    assert again.done == {"fr": (0, 0)}
    assert list(again.fetched.texts.items()) == [("a", "b")]
    assert again.fetched.customised == 1
    assert again.position == Position("modified", {"amfrom": "x"})
    again.begin("de")
    assert len(again.fetched.texts) == 0
    assert store.unfinished("https://de.example/api.php").done == {}
    store.finish()
    assert store.unfinished(SOURCE).done == {}


def test_an_old_run_is_not_continued(tmp_path: Path) -> None:
    store = MessageStore(tmp_path)
    run = store.unfinished(SOURCE)
    run.begin("fr")
    run.complete()
    store.save(run)
    (path,) = tmp_path.iterdir()
    os.utime(path, (1e9, 1e9))
    assert store.unfinished(SOURCE).done == {}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", f'{{"source": "{SOURCE}", "done": 7}}'])
def test_a_damaged_state_is_ignored(tmp_path: Path, text: str) -> None:
    store = MessageStore(tmp_path)
    store.save(store.unfinished(SOURCE))
    (path,) = tmp_path.iterdir()
    path.write_text(text)
    assert store.unfinished(SOURCE).done == {}


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "messages").write_text("a file")
    with pytest.raises(StoreError, match="cannot write"):
        MessageStore(tmp_path / "messages").write("fr", Texts())
