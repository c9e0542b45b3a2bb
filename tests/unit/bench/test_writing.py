"""Accepted edits are compared with the wiki, and servers are killed and started again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bench import writing
from bench.writers import Servers
from bench.writing import Accepted, complaints
from wikiapi_plugins.editing.actions import ACTIONS

FIRST = Accepted("0", "A", "line 0.0.", 5)
SECOND = Accepted("1", "A", "line 1.0.", 6)
OWN = Accepted("0", "Page 0 0", "", 7)


def complaints_of(*accepted: Accepted, text: str = "line 0.0.\n\nline 1.0.") -> list[str]:
    return [each.rpartition("): ")[2] for each in complaints(accepted, {"A": text}, {5, 6, 7})]


def test_edits_that_are_there_in_order() -> None:
    assert complaints_of(FIRST, SECOND, OWN) == []
    assert complaints_of(SECOND, FIRST, OWN) == [], "of two writers, either may be first"


def test_a_missing_line() -> None:
    assert complaints_of(FIRST, SECOND, text="line 0.0.") == ["its line is missing"]


def test_lines_in_another_order_than_their_ids() -> None:
    text = "line 1.0.\n\nline 0.0."
    assert complaints_of(FIRST, SECOND, text=text) == ["its line is above that of an earlier edit"]


def test_a_missing_revision() -> None:
    assert complaints_of(OWN._replace(revision=8)) == ["its revision is missing"]


def test_an_id_that_two_edits_have() -> None:
    assert complaints_of(FIRST, SECOND._replace(revision=5)) == ["two edits have its id"]


def test_ids_of_a_writer_that_decrease() -> None:
    assert complaints_of(OWN, SECOND._replace(writer="0")) == [
        "its id is not above that of the writer's edit before it"
    ]


@pytest.mark.slow
def test_writers_go_on_when_one_of_two_servers_is_killed(tmp_path: Path) -> None:
    url = writing.make_store(tmp_path)
    with Servers(writing.write_settings(tmp_path, url), 2) as servers:
        killer = threading.Thread(target=servers.kill, args=(1, 2.0))
        killer.start()
        first, *more = servers.ports
        actions = frozenset(action.name for action in ACTIONS)
        written = writing.write_for(first, 4, 5, actions, more_ports=more, reconnect=True)
        killer.join()
    assert servers.killed == 1
    assert written.resets >= 1
    assert written.failures == []
    assert written.accepted
    assert writing.lost(url, written) == []
    assert writing.check(tmp_path) == ""
