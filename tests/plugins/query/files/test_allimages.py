from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.filerepo.sha1 import to_hex
from wikiapi.site import Site
from wikiapi.testing import Answer, DeclaredFile, DeclaredUser, ask

SHA1 = "3" + "0" * 30
FILES = (
    DeclaredFile("Apple.png", user="Ada", timestamp="20240105000000", size=10),
    DeclaredFile("Bear.jpg", user="Bot", timestamp="20240103000000", size=20, mime="image/jpeg"),
    DeclaredFile("Boat.gif", user="Ada", timestamp="20240103000000", size=30, mime="image/gif"),
    DeclaredFile("Cat.svg", timestamp="20240101000000", size=40, mime="image/svg+xml", sha1=SHA1),
)


pytestmark = pytest.mark.wiki(
    {"File:Bear.jpg": "a bear"},
    files=FILES,
    users=[DeclaredUser("Ada"), DeclaredUser("Bot", groups=("bot",))],
)


def query(site: Site, **params: str) -> Answer:
    return ask(site, {"action": "query", "list": "allimages"} | params)


def names(answer: Answer) -> list[str]:
    assert answer.codes == ""
    return [item["name"][0:2] for item in answer.data["query"]["allimages"]]


def test_an_item(site: Site) -> None:
    [item] = query(site, aifrom="Bear", ailimit="1").data["query"]["allimages"]
    assert item["url"].endswith("/Bear.jpg")
    assert item | {"url": ""} == {
        "timestamp": "2024-01-03T00:00:00Z",
        "url": "",
        "descriptionurl": "http://127.0.0.1:8080/wiki/File:Bear.jpg",
        "descriptionshorturl": "http://127.0.0.1:8080/w/index.php?curid=1",
        "name": "Bear.jpg",
        "ns": 6,
        "title": "File:Bear.jpg",
    }


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, "Ap Be Bo Ca"),
        ({"aidir": "descending"}, "Ca Bo Be Ap"),
        ({"aifrom": "b"}, "Be Bo Ca"),
        ({"aifrom": "Bo", "aito": "Ca"}, "Bo"),
        ({"aiprefix": "B"}, "Be Bo"),
        ({"aiprefix": "%"}, ""),
        ({"aiminsize": "20", "aimaxsize": "30"}, "Be Bo"),
        ({"aimime": "image/gif|image/jpeg"}, "Be Bo"),
        ({"aimime": "image"}, ""),
        ({"aisha1": to_hex(SHA1)}, "Ca"),
        ({"aisha1": to_hex(SHA1).upper()}, "Ca"),
        ({"aisha1base36": SHA1}, "Ca"),
        ({"aisort": "timestamp"}, "Ca Be Bo Ap"),
        ({"aisort": "timestamp", "aidir": "older"}, "Ap Bo Be Ca"),
        ({"aisort": "timestamp", "aistart": "2024-01-02T00:00:00Z"}, "Be Bo Ap"),
        ({"aisort": "timestamp", "aidir": "older", "aiend": "2024-01-02T00:00:00Z"}, "Ap Bo Be"),
        ({"aisort": "timestamp", "aiuser": "Ada"}, "Bo Ap"),
        ({"aisort": "timestamp", "aiuser": "#1"}, "Bo Ap"),
        ({"aisort": "timestamp", "aiuser": "Nobody"}, ""),
        ({"aisort": "timestamp", "aifilterbots": "bots"}, "Be"),
        ({"aisort": "timestamp", "aifilterbots": "nobots"}, "Ca Bo Ap"),
    ],
)
def test_filters_and_order(site: Site, params: dict[str, str], expected: str) -> None:
    assert names(query(site, **params)) == expected.split()


@pytest.mark.parametrize("order", ["name", "timestamp"])
@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_a_walk_one_by_one_equals_the_list(site: Site, order: str, direction: str) -> None:
    params = {"aisort": order, "aidir": direction}
    walked: list[str] = []
    position: dict[str, Any] = {}
    for _ in range(9):
        answer = query(site, ailimit="1", **params, **position)
        walked += names(answer)
        position = answer.data.get("continue")
        if not position:
            break
    assert walked == names(query(site, **params))


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"aistart": "now"}, "invalidparammix"),
        ({"aiuser": "Ada"}, "invalidparammix"),
        ({"aifilterbots": "bots"}, "invalidparammix"),
        ({"aisort": "timestamp", "aifrom": "A"}, "invalidparammix"),
        (
            {"aisort": "timestamp", "aiuser": "Ada", "aifilterbots": "bots"},
            "invalidparammix-cannotusewith",
        ),
        ({"aisha1": "zz"}, "invalidsha1hash"),
        ({"aisha1base36": "x"}, "invalidsha1base36hash"),
        ({"aisort": "timestamp", "aicontinue": "x"}, "badcontinue"),
        ({"aisort": "timestamp", "aicontinue": "x|y"}, "badcontinue"),
        ({"aisort": "size"}, "badvalue"),
    ],
)
def test_errors(site: Site, params: dict[str, str], code: str) -> None:
    assert query(site, **params).codes == code


def test_as_a_generator(site: Site) -> None:
    params = {"action": "query", "generator": "allimages", "gaiprefix": "B"}
    pages = ask(site, params).data["query"]["pages"]
    assert {page["title"] for page in pages} == {"File:Bear.jpg", "File:Boat.gif"}


def test_number_of_queries(site: Site) -> None:
    with site.db.recording() as log:
        query(site, aiprop="timestamp|user|comment|size|sha1|metadata")
    assert len(log) == 1


def test_files_of_the_same_content_share_extended_metadata(make_site: Callable[..., Site]) -> None:
    files = (DeclaredFile("A.png", sha1=SHA1), DeclaredFile("B.png", sha1=SHA1))
    made = make_site({}, files=files)

    def object_names(**params: str) -> list[str]:
        items = query(made, aiprop="extmetadata", **params).data["query"]["allimages"]
        return [item["extmetadata"]["ObjectName"]["value"] for item in items]

    assert object_names() == ["A", "A"]
    assert object_names(aidir="descending") == ["B", "B"]
    assert object_names(aifrom="B") == ["B"]
