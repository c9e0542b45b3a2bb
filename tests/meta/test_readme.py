"""Every curl example of the README gives the answer that is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from docs import commands
from examples.demo_store import PAGES
from tests.meta.readme import Example, examples, mismatches
from wikiapi.api.registries import registries
from wikiapi.registry import collect, own_name
from wikiapi.testing import make_site

README = Path(__file__).parents[2] / "README.md"
EXAMPLES = list(examples(README.read_text(encoding="utf-8")))
JSON = [example for example in EXAMPLES if example.answer.startswith("{")]
NAMES = [
    name
    for _, _, name in (entry.name.partition(" ") for entry in commands.documented())
    if " " not in name
]
"""The commands of wikiapi, and those of the plugins that come with it."""
OTHER = [example for example in EXAMPLES if not example.answer.startswith("{")]


CONTINUE = re.compile(r"\bgatcontinue=\d+\|\d+")
"""Ids within the store: what they are does not matter, but they have to be the server's own."""


def ask(server: str, example: Example) -> str:
    target = CONTINUE.sub(lambda _: f"gatcontinue={first_continue(server)}", example.target())
    with urlopen(server + target) as reply:
        return str(reply.read(), "utf-8")


def first_continue(server: str) -> str:
    """Return the continuation value after the README's first batch."""
    first = next(e for e in JSON if "generator=" in e.target() and not CONTINUE.search(e.target()))
    return str(json.loads(ask(server, first))["continue"]["gatcontinue"])


def without_ids(answer: Any) -> Any:
    """Return the answer with an anonymous continuation value, if it has one."""
    value = answer.get("continue", {}).get("gatcontinue")
    if value is not None and re.fullmatch(r"\d+\|\d+", value):
        answer["continue"]["gatcontinue"] = "N|N"
    return answer


def test_every_command_of_the_readme_is_found() -> None:
    assert len(EXAMPLES) == README.read_text(encoding="utf-8").count("\ncurl ") >= 10


@pytest.mark.parametrize("action", ["query", "parse", "checktoken"])
def test_every_action_has_an_example(action: str) -> None:
    assert any(f"action={action}" in example.target() for example in JSON)


@pytest.mark.parametrize("example", JSON, ids=lambda example: example.target()[:60])
def test_answer_is_the_one_shown(example: Example, demo_server: str) -> None:
    actual = json.loads(ask(demo_server, example))
    # As the README says, it leaves this out of what a client on the same machine gets.
    assert actual.pop("debuginfo")["request"]["method"] == "GET"
    expected = json.loads(example.answer)
    assert list(mismatches(without_ids(expected), without_ids(actual))) == []


@pytest.mark.parametrize("example", OTHER, ids=lambda example: example.target()[:60])
def test_shown_lines_are_in_the_answer(example: Example, demo_server: str) -> None:
    actual = ask(demo_server, example)
    for line in example.answer.splitlines():
        pattern = ".*?".join(map(re.escape, line.strip().split("…")))
        assert re.search(pattern, actual), line


def test_what_it_answers_is_registered() -> None:
    configured = ("commonsmetadata", "displaytitle", "gadgets", "math", "sitematrix")
    answering = make_site(config={"extensions": {name: {} for name in configured}})
    answering.db.close()
    section = README.read_text(encoding="utf-8").split("## What it answers\n")[1].split("\n## ")[0]
    actions, extensions, others, formats, *_ = re.split(r"^- ", section, flags=re.MULTILINE)[1:]
    named = {name.removeprefix("action=") for name in re.findall(r"`([^`]+)`", actions)}
    assert named - {"prop", "list", "meta", *registries(answering).actions} == set()
    assert set(re.findall(r"`([^`]+)`", formats)) <= set(registries(answering).formats)
    credited = set(
        collect(answering.plugins, "register_extension_credits", own_name, site=answering)
    )
    assert set(re.findall(r"\b[A-Z]\w+", extensions)) - {"What", "Lua"} <= credited
    assert set(re.findall(r"\b[A-Z]\w+", others)) - {"What"} <= credited


def test_every_command_is_in_the_table() -> None:
    table = re.findall(r"^\| `wikiapi (\S+)` \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert table == NAMES


def test_every_command_is_in_the_demo_wiki() -> None:
    page = (PAGES / "main" / "Command_line.wikitext").read_text(encoding="utf-8")
    assert re.findall(r"^\| <code>(\S+)</code>", page, re.MULTILINE) == NAMES


def test_every_file_linked_is_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []
