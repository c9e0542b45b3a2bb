"""mwn and nodemw, which are for Node.js, change a wiki as their documentation shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.environments import node_with, run
from tests.clients.writingwiki import SECRET, declared, needs
from wikiapi.testing import Wiki

pytestmark = pytest.mark.slow

_SCRIPTS = Path(__file__).parent


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    with Wiki(declared(tmp_path)) as made:
        yield made


def mwn(wiki: Wiki, *actions: str) -> None:
    _node("mwn", wiki.api_url, "Ada@bot", SECRET, *actions)


def nodemw(wiki: Wiki, *actions: str) -> None:
    host, port = wiki.host.split(":")
    _node("nodemw", host, port, "Ada@bot", SECRET, *actions)


def _node(package: str, *arguments: str) -> None:
    folder = node_with(package)
    modules = str(folder / "node_modules")
    script = str(_SCRIPTS / f"write_{package}.js")
    run(["node", script, *arguments], folder, NODE_PATH=modules)


def test_mwn_edits(wiki: Wiki) -> None:
    mwn(wiki, "edit", "create", "newSection")
    assert (wiki.text("Tea"), wiki.text("Water")) == ("It is cold.", "Wet.")
    assert wiki.text("Talk:Tea") == "Is it?\n\n== Milk ==\n\nWith milk?"
    assert [(write.user, write.error) for write in wiki.writes] == [("Ada", "")] * 3


def test_mwn_saves(wiki: Wiki) -> None:
    mwn(wiki, "save")
    assert wiki.text("Tea") == "It is warm."


def test_mwn_moves_and_deletes(wiki: Wiki) -> None:
    needs("move", "delete")
    mwn(wiki, "move", "delete")
    assert (wiki.text("Green tea"), wiki.text("Spam")) == ("It is hot.", None)


def test_nodemw_edits(wiki: Wiki) -> None:
    nodemw(wiki, "edit", "append")
    assert wiki.text("Tea") == "It is warm. Very."


def test_nodemw_moves_and_deletes(wiki: Wiki) -> None:
    needs("move", "delete")
    nodemw(wiki, "move", "delete")
    assert (wiki.text("Green tea"), wiki.text("Spam")) == ("It is hot.", None)
