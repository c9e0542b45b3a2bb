"""Walks along time: where they begin and end, in either direction."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi.store.models import Logging
from wikiapi.testing import ask
from wikiapi_plugins.query.timeline import Timeline, moment_part, timeline_params

COLUMNS = (
    *("log_id", "log_type", "log_action", "log_timestamp", "log_actor", "log_comment_id"),
    "log_params",
)
MOMENTS = {1: "20240102000000", 2: "20240101000000", 3: "20240102000000", 4: "20240103000000"}


@pytest.fixture(scope="module")
def site(make_module_site: Callable[..., Site]) -> Site:
    """A wiki with four log entries, two of them of one moment, and one older than its number."""
    made = make_module_site({"Page": "text"})
    made.db.execute_write(Logging.delete())
    rows = [(number, "move", "move", moment, 1, 1, "") for number, moment in MOMENTS.items()]
    made.db.insert_many(Logging, rows, COLUMNS)
    return made


WALKS = {
    "from new to old": ({}, [4, 3, 1, 2]),
    "from new to old by name": ({"dir": "older"}, [4, 3, 1, 2]),
    "from old to new": ({"dir": "newer"}, [2, 1, 3, 4]),
    "down from a moment": ({"start": "2024-01-02T00:00:00Z"}, [3, 1, 2]),
    "down to a moment": ({"end": "2024-01-02T00:00:00Z"}, [4, 3, 1]),
    "up from a moment": ({"dir": "newer", "start": "2024-01-02T00:00:00Z"}, [1, 3, 4]),
    "up to a moment": ({"dir": "newer", "end": "2024-01-02T00:00:00Z"}, [2, 1, 3]),
    "a single moment": ({"start": "2024-01-02T00:00:00Z", "end": "2024-01-02T00:00:00Z"}, [3, 1]),
    "the wrong way": ({"start": "2024-01-02T00:00:00Z", "end": "2024-01-03T00:00:00Z"}, []),
    "on from an entry": ({"continue": "20240102000000|1"}, [1, 2]),
    "up from an entry": ({"dir": "newer", "continue": "20240102000000|3"}, [3, 4]),
    "on to a moment": ({"continue": "20240102000000|3", "end": "2024-01-02T00:00:00Z"}, [3, 1]),
    "on from another form": ({"continue": "2024-01-02T00:00:00Z|1"}, [1, 2]),
}


def test_parameters() -> None:
    params = timeline_params()
    assert [param.name for param in params] == ["start", "end", "dir"]
    assert all(param.help for param in params)


@pytest.mark.parametrize("name", WALKS)
def test_walk(name: str, site: Site) -> None:
    filters, expected = WALKS[name]
    params = {f"le{param}": value for param, value in filters.items()}
    answer = ask(site, {"action": "query", "list": "logevents", "leprop": "ids", **params})
    assert [entry["logid"] for entry in answer.data["query"]["logevents"]] == expected


@pytest.mark.parametrize(
    ("direction", "expected"), [("newer", [2, 3, 1, 4]), ("older", [4, 1, 3, 2])]
)
def test_rows_of_one_moment_follow_each_other_by_number(
    direction: str, expected: list[int], site: Site
) -> None:
    module: Any = SimpleNamespace(p=SimpleNamespace(text={"dir": direction}.get))
    walk = Timeline(Logging.log_timestamp, Logging.log_id * -1)
    query = walk.ordered(Logging.select(Logging.log_id), module)
    assert [row[0] for row in site.db.execute(query)] == expected


@pytest.mark.parametrize("direction", ["newer", "older"])
def test_steps_of_one(direction: str, site: Site) -> None:
    params = {"action": "query", "list": "logevents", "leprop": "ids", "ledir": direction}
    ids: list[int] = []
    position: dict[str, str] = {}
    for _ in MOMENTS:
        answer = ask(site, params | {"lelimit": "1"} | position).data
        ids += [entry["logid"] for entry in answer["query"]["logevents"]]
        position = answer.get("continue", {})
    assert ids == ([2, 1, 3, 4] if direction == "newer" else [4, 3, 1, 2])
    assert not position


@pytest.mark.parametrize(
    "position", ["", "x", "20240102000000", "20240102000000|x", "x|2", "20240102000000|2|3"]
)
def test_no_position(position: str, site: Site) -> None:
    params = {"action": "query", "list": "logevents", "lecontinue": position}
    assert ask(site, params).codes == "badcontinue"


@pytest.mark.parametrize(
    ("part", "moment"),
    [
        ("20240102030405", "20240102030405"),
        ("99999999999999", "99999999999999"),
        ("2024-01-02T03:04:05Z", "20240102030405"),
        ("1704164645", "20240102030405"),
        ("Tue, 02 Jan 2024 03:04:05 GMT", "20240102030405"),
        ("Tue, 02 Jan 2024 03:04:05 GMT" + " " * 11, "20240102030405"),
    ],
)
def test_moment_within_a_position(part: str, moment: str) -> None:
    assert moment_part(part) == moment


@pytest.mark.parametrize(
    "part",
    ["", "x", "2024010203040", "٢٠٢٤٠١٠٢٠٣٠٤٠٥", "2024010203040x",
     "Tue, 02 Jan 2024 03:04:05 GMT" + " " * 12],
)  # fmt: skip
def test_no_moment_within_a_position(part: str) -> None:
    with pytest.raises(ApiError) as caught:
        moment_part(part)
    assert caught.value.code == "badcontinue"
