"""The search for the worst request: its texts, files and requests, and what it measures."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from bench.worst import files, texts
from bench.worst.inputs import (
    Request,
    Text,
    bounded,
    changed,
    described,
    rendered,
    smaller,
)
from bench.worst.measuring import Cost, Measured, failure_of
from bench.worst.requests import Maker
from bench.worst.search import Finding, Population
from bench.worst.wiki import ADMIN, USER
from wikiapi.http.wsgiclient import Received

MODULES: dict[str, dict[str, Any]] = {
    "parse": {"prefix": "", "parameters": [{"name": "text", "type": "text"}]},
    "query+info": {
        "name": "info",
        "group": "prop",
        "prefix": "in",
        "generator": "",
        "parameters": [{"name": "prop", "type": ["protection", "url"], "multi": True}],
    },
    "edit": {
        "prefix": "",
        "writerights": "",
        "parameters": [{"name": "token", "type": "string", "tokentype": "csrf"}],
    },
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        (["*", 3, "a§"], "a0a1a2"),
        (["^", 2, "<b§>¤</b§>", "x"], "<b0><b1>x</b1></b0>"),
        (["^", 2, "{{¤", "x"], "{{{{x"),
        (["+", "a", ["*", 2, ["+", "b", "c"]]], "abcbc"),
        (["*", 2, ["*", 2, "§"]], "0101"),
    ],
)
def test_texts(text: Text, expected: str) -> None:
    assert rendered(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        ["*", 10**9, "é§"],
        ["^", 10**9, "{{a|¤}}", "x"],
        ["+", ["*", 10**9, "ab"], "c"],
        ["*", 10**6, ["*", 10**6, "x"]],
    ],
)
def test_texts_are_bounded(text: Text) -> None:
    assert 0 < len(rendered(text, 1000).encode()) < 2500
    assert len(rendered(bounded(text, 400)).encode()) <= 400 or text[0] == "+"


def test_a_description_names_counts_and_pieces() -> None:
    text = ["+", ["*", 3, "a"], ["^", 2, "{{¤}}", "b"]]
    assert described(text) == "3×('a') + 2 nested '{{¤}}' around ('b')"


def test_changes_depend_on_the_seed_only_and_can_be_sent() -> None:
    def run(seed: int) -> list[str]:
        chance = random.Random(seed)
        request = Request("read", ADMIN, [{"action": "parse", "text": {"text": "a1"}}])
        steps = []
        for _ in range(200):
            request = changed(request, [request], texts.piece, chance)
            json.dumps(request.steps)
            rendered(request.steps[0]["text"]["text"], 10_000)
            steps.append(request.describe())
        return steps

    assert run(1) == run(1)
    assert len(set(run(1))) > 50
    assert run(1) != run(2)


def test_smaller_requests_lack_a_part() -> None:
    step = {"action": "parse", "title": "A", "text": {"text": ["+", "a", ["*", 9, "b"]]}}
    assert [each.describe() for each in smaller(Request("read", ADMIN, [step]))] == [
        "action='parse'&text='a' + 9×('b')",
        "action='parse'&title='A'&text=9×('b')",
        "action='parse'&title='A'&text='a'",
        "action='parse'&title='A'&text='a' + 'b'",
    ]


@pytest.mark.parametrize("kind", ["read", "write"])
def test_made_requests_can_be_written_to_a_file(kind: str) -> None:
    maker, chance = Maker(MODULES), random.Random(1)
    actions = set()
    for _ in range(400):
        request = getattr(maker, kind)(chance)
        assert request.kind == kind
        assert Request(**json.loads(json.dumps(vars(request)))) == request
        actions.add(str(request.steps[0].get("action")))
        request.family()
    assert len(actions) > 8


def test_each_piece_of_the_grammar_is_sent_once_in_a_series() -> None:
    series = {json.dumps(texts.scan(number)) for number in range(texts.SERIES)}
    for leaf in texts.LEAVES:
        assert json.dumps(["*", 1000, leaf]) in series
    numbers = {number * 997 % texts.SERIES for number in range(texts.SERIES)}
    assert len(numbers) == texts.SERIES


@pytest.mark.parametrize("kind", ["png", "gif", "webp", "jpg", "svg", "xml", "txt"])
def test_files(kind: str) -> None:
    descriptions: dict[str, list[Any]] = {
        "png": ["png", 30, 3, 1000, 1],
        "gif": ["gif", 3, 20, 20, 1],
        "webp": ["webp", 20, 3, 1],
        "jpg": ["jpg", 20, 3, 100, 1],
        "svg": ["svg", "<?xml version='1.0'?>", "<rect/>", 3, 4, 1],
        "xml": ["xml", 2, 3, "A", ["*", 3, "a & <b>\0"], 1],
        "txt": ["txt", 100, 1],
    }
    data = files.made(descriptions[kind])
    if kind in ("svg", "xml"):
        assert len(list(ElementTree.fromstring(data).iter())) > 6
    elif kind == "txt":
        assert len(data) == 100
    else:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            assert getattr(picture, "n_frames", 1) == (3 if kind in ("gif", "webp") else 1)


@pytest.mark.parametrize(
    ("status", "headers", "failed"),
    [
        (200, {}, False),
        (200, {"mediawiki-api-error": "badtoken"}, False),
        (200, {"mediawiki-api-error": "internal_api_error_KeyError"}, True),
        (200, {"mediawiki-api-error": "internal_api_error_BudgetExceeded"}, False),
        (500, {}, True),
        (503, {}, True),
        (503, {"retry-after": "1"}, False),
        (413, {}, False),
    ],
)
def test_which_answers_are_failures(status: int, headers: dict[str, str], failed: bool) -> None:
    assert bool(failure_of(Received(status, headers, b""))) is failed


def finding(action: str, seconds: float, peak: float = 0.0) -> Finding:
    return Finding(Request("read", ADMIN, [{"action": action}]), Cost(processor=seconds, peak=peak))


def test_the_worst_are_of_different_families() -> None:
    population = Population()
    for each in (finding("a", 1), finding("a", 3), finding("b", 2), finding("c", 1, peak=400)):
        population.add(each)
    assert [each.cost.score for each in population.top(2)] == [8, 3]
    assert [each.request.family() for each in population.top(9)] == ["c", "a", "b"]


def test_a_population_has_a_largest_size() -> None:
    population = Population()
    for number in range(200):
        population.add(finding(f"a{'x' * number}", number))
    assert len(population.findings()) < 100
    assert population.top(1)[0].cost.processor == 199


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Measured]:
    server = Measured(tmp_path)
    yield server
    server.stop()


@pytest.mark.slow
def test_requests_to_a_server(server: Measured) -> None:
    server.start()
    assert {"query+info", "edit", "main"} <= server.modules().keys()
    text = {"text": ["*", 300, "{{#invoke:Hostile|echo|§}} {{Double 5|x}} "]}
    parse = {"action": "parse", "title": "A", "contentmodel": "wikitext", "text": text}
    read = server.measure(Request("read", USER, [parse]))
    assert (read.status, read.code, read.failure) == (200, "", "")
    assert read.seconds > 0
    assert read.peak > 0
    upload = {"action": "upload", "token": "{token}", "filename": "A.png", "ignorewarnings": "1"}
    chunk = {"stash": "1", "filekey": "{filekey}", "chunk": {"file": ["png", 90, 60, 9999, 1]}}
    steps = [{**upload, **chunk, "part": [n, 2]} for n in range(2)]
    write = server.measure(Request("write", ADMIN, [*steps, {**upload, "filekey": "{filekey}"}]))
    assert (write.status, write.code, write.failure) == (200, "", "")


@pytest.mark.slow
def test_a_server_that_ends_is_a_failure(server: Measured) -> None:
    server.start()
    server.process.kill()
    server.process.wait()
    cost = server.measure(Request("read", ADMIN, [{"action": "query", "meta": "siteinfo"}]))
    assert "the server ended" in cost.failure
    server.start()
    cost = server.measure(Request("read", ADMIN, [{"action": "query", "meta": "siteinfo"}]))
    assert cost.failure == ""
