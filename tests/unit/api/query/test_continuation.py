from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api.query.continuation import Continuation
from wikiapi.api.result import Result
from wikiapi.errors import ApiError

PROPS = ("links", "info")
LISTS = ("allpages",)


def continuation(marker: str | None = None, request: dict[str, str] | None = None) -> Continuation:
    return Continuation(marker, (*PROPS, *LISTS), PROPS, request or {})


def written(made: Continuation, *, raw: bool = False) -> dict[str, Any]:
    result = Result(1000)
    (made.write_raw if raw else made.write)(result)
    return dict(result.root)


@pytest.mark.parametrize("marker", [None, ""])
def test_no_marker_begins_anew(marker: str | None) -> None:
    made = continuation(marker)
    assert not made.generator_done
    assert made.finished.isdisjoint((*PROPS, *LISTS))


@pytest.mark.parametrize(
    "marker", ["x", "-", "|", "|-", "a|b", "||a||b", "-||||", "x' OR 1=1--", "\x00", "9" * 5000]
)
def test_hostile_marker(marker: str) -> None:
    with pytest.raises(ApiError) as caught:
        continuation(marker)
    assert caught.value.code == "badcontinue"


@given(
    marker=st.text(st.sampled_from("-|ab")) | st.text(),
    request=st.dictionaries(st.text(), st.text()),
)
def test_any_marker_is_read_or_refused(marker: str, request: dict[str, str]) -> None:
    try:
        made = continuation(marker, request)
    except ApiError:
        assert len(marker.split("||")) != 2
        return
    made.set("links", "plcontinue", "x")
    answer = written(made)
    assert set(answer["continue"]) <= {"plcontinue", "continue"} | set(request)


@pytest.mark.parametrize(
    ("marker", "done", "finished"),
    [
        ("||", False, set()),
        ("||info", False, {"info"}),
        ("||info|allpages", False, {"info", "allpages"}),
        ("||info|bogus", False, {"info"}),
        ("-||", True, {"links", "info"}),
        ("-||allpages", True, {"links", "info", "allpages"}),
        ("gapcontinue||", False, set()),
        ("gapcontinue||links", False, {"links"}),
    ],
)
def test_marker(marker: str, done: bool, finished: set[str]) -> None:
    made = continuation(marker, {"gapcontinue": "B"})
    assert made.generator_done == done
    assert made.finished & {*PROPS, *LISTS} == finished


def test_all_properties_continue() -> None:
    made = continuation()
    made.set("links", "plcontinue", "1|0|B")
    made.set("info", "incontinue", "2")
    position = {"plcontinue": "1|0|B", "incontinue": "2", "continue": "||allpages"}
    assert written(made) == {"continue": position}


def test_everything_said() -> None:
    assert written(continuation()) == {"batchcomplete": True}


def test_list_goes_on() -> None:
    made = continuation()
    made.set("allpages", "apcontinue", "B")
    assert written(made) == {
        "batchcomplete": True,
        "continue": {"apcontinue": "B", "continue": "-||links|info"},
    }


def test_prop_goes_on() -> None:
    made = continuation()
    made.set("links", "plcontinue", "13|0|B")
    assert written(made) == {"continue": {"plcontinue": "13|0|B", "continue": "||info|allpages"}}


def test_prop_and_list_go_on() -> None:
    made = continuation()
    made.set("links", "plcontinue", "x")
    made.set("allpages", "apcontinue", "B")
    assert written(made) == {
        "continue": {"plcontinue": "x", "apcontinue": "B", "continue": "||info"}
    }


def test_generator_goes_on_when_props_are_done() -> None:
    made = continuation("||allpages")
    made.set_next_batch("allpages", "gapcontinue", "C")
    assert written(made) == {
        "batchcomplete": True,
        "continue": {"gapcontinue": "C", "continue": "gapcontinue||allpages"},
    }


def test_generator_waits_for_props() -> None:
    made = continuation("gapcontinue||", {"gapcontinue": "B"})
    made.set_next_batch("allpages", "gapcontinue", "C")
    made.set("links", "plcontinue", "x")
    assert written(made)["continue"] == {
        "gapcontinue": "B",
        "plcontinue": "x",
        "continue": "gapcontinue||info|allpages",
    }


def test_first_batch_of_a_generator_needs_no_position() -> None:
    made = continuation()
    made.set_next_batch("allpages", "gapcontinue", "C")
    made.set("links", "plcontinue", "x")
    assert written(made)["continue"] == {"plcontinue": "x", "continue": "||info|allpages"}


def test_generator_repeats_the_pages_it_has_found() -> None:
    """Else a list that grows meanwhile would give other pages to the same batch."""
    made = continuation()
    made.set_same_batch("gapcontinue", "A")
    made.set_next_batch("allpages", "gapcontinue", "C")
    made.set("links", "plcontinue", "x")
    assert written(made)["continue"] == {
        "gapcontinue": "A",
        "plcontinue": "x",
        "continue": "gapcontinue||info|allpages",
    }


def test_a_generator_may_have_several_positions() -> None:
    made = continuation("gapfrom|gapcontinue||", {"gapfrom": "A", "gapcontinue": "1", "gapto": "B"})
    made.set("links", "plcontinue", "x")
    assert written(made)["continue"] == {
        "gapfrom": "A",
        "gapcontinue": "1",
        "plcontinue": "x",
        "continue": "gapfrom|gapcontinue||info|allpages",
    }


def test_positions_in_the_pages_of_the_batch_come_first() -> None:
    made = continuation()
    made.set("allpages", "apcontinue", "B")
    made.set("links", "plcontinue", "x")
    made.set_same_batch("gapcontinue", "A")
    names = ["gapcontinue", "plcontinue", "apcontinue", "continue"]
    assert list(written(made)["continue"]) == names


def test_finished_prop_stays_finished_within_a_batch() -> None:
    made = continuation("gapcontinue||info", {"gapcontinue": "B"})
    made.set("links", "plcontinue", "y")
    assert written(made)["continue"]["continue"] == "gapcontinue||info|allpages"


def test_marker_cannot_hold_a_module_back() -> None:
    made = continuation("plcontinue||", {"plcontinue": "old"})
    made.set("links", "plcontinue", "new")
    assert written(made)["continue"]["plcontinue"] == "new"


def test_raw() -> None:
    made = continuation()
    made.set("links", "plcontinue", "x")
    made.set_next_batch("allpages", "gapcontinue", "C")
    assert written(made, raw=True) == {
        "query-continue": {"links": {"plcontinue": "x"}, "allpages": {"gapcontinue": "C"}}
    }
    assert written(continuation(), raw=True) == {}


def test_raw_generator_that_is_a_list_too() -> None:
    made = continuation()
    made.set("allpages", "apcontinue", "B")
    made.set_next_batch("allpages", "gapcontinue", "C")
    assert written(made, raw=True) == {
        "query-continue": {"allpages": {"apcontinue": "B", "gapcontinue": "C"}}
    }
