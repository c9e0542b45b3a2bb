from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.filewiki import make_file_wiki
from wikiapi.site import Site
from wikiapi.testing import Answer, DeclaredFile, ask

ONE, OTHER = "1" + "0" * 30, "2" + "0" * 30
FILES = (
    *(DeclaredFile(f"Same {n}.png", sha1=ONE, user="Ada") for n in range(4)),
    DeclaredFile("Photo.jpg", sha1=OTHER, comment="see [[Home]]", user="Ada"),
)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = make_file_wiki(files=FILES)
    yield made
    made.db.close()


def query(site: Site, **params: str) -> Answer:
    base = {"action": "query", "prop": "duplicatefiles", "titles": "File:Same 1.png"}
    return ask(site, base | params)


def names(answer: Answer) -> list[str]:
    pages = answer.data["query"]["pages"]
    return [item["name"] for page in pages for item in page.get("duplicatefiles", ())]


def test_duplicates(site: Site) -> None:
    [page] = query(site, dflimit="1").data["query"]["pages"]
    assert page["duplicatefiles"] == [
        {
            "name": "Same_0.png",
            "timestamp": "2024-01-01T00:00:00Z",
            "shared": False,
            "user": "Ada",
        }
    ]


@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_a_walk_one_by_one_equals_the_list(site: Site, direction: str) -> None:
    titles = "File:Same 1.png|File:Same 2.png|File:Photo.jpg|File:Nope.png"
    whole = query(site, titles=titles, dfdir=direction)
    walked: list[str] = []
    position: dict[str, Any] = {}
    for _ in range(9):
        answer = query(site, titles=titles, dfdir=direction, dflimit="1", **position)
        walked += names(answer)
        position = answer.data.get("continue")
        if not position:
            break
    assert sorted(walked) == sorted(names(whole))
    assert len(walked) == 6


def test_a_file_alone_has_none(site: Site) -> None:
    [page] = query(site, titles="File:Photo.jpg").data["query"]["pages"]
    assert "duplicatefiles" not in page


def test_as_a_generator(site: Site) -> None:
    params = {"action": "query", "generator": "duplicatefiles", "titles": "File:Same 1.png"}
    pages = ask(site, params).data["query"]["pages"]
    assert {page["title"] for page in pages} == {f"File:Same {n}.png" for n in (0, 2, 3)}


@pytest.mark.parametrize("value", ["bogus", "a|b|c"])
def test_bad_continue(site: Site, value: str) -> None:
    assert query(site, dfcontinue=value).codes == "badcontinue"
