from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from wikiapi.errors import StoreError
from wikiapi.importing.messages.remote import Position
from wikiapi.importing.messages.storing import MessageStore
from wikiapi.importing.messages.texts import Texts

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
