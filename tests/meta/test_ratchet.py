from __future__ import annotations

from pathlib import Path

from tests.reference import ratchet


def test_a_group_that_falls_is_named() -> None:
    fallen = ratchet.drops({"query/info": 3, "query/main": 2}, {"query/info": 2, "query/main": 2})
    assert list(map(str, fallen)) == ["query/info: 2 pass, 3 did before"]


def test_a_group_that_vanished_has_fallen() -> None:
    assert [drop.passed for drop in ratchet.drops({"query/info": 3}, {})] == [0]


def test_raising_never_lowers() -> None:
    assert ratchet.raised({"a": 3, "b": 1}, {"a": 2, "b": 4, "c": 1}) == {"a": 3, "b": 4, "c": 1}


def test_saved_passes_are_loaded(tmp_path: Path) -> None:
    file = tmp_path / "ratchet.json"
    assert ratchet.load(file) == {}
    ratchet.save({"a": 3}, file)
    assert ratchet.load(file) == {"a": 3}


def test_counts_are_added_up_by_kind() -> None:
    assert ratchet.by_kind({"query/a": 1, "query/b": 2, "pages/c": 3}) == {"query": 3, "pages": 3}
