from __future__ import annotations

import json

import pytest

from wikiapi.cli.support.findings import Printer
from wikiapi.store.check import Finding, Severity
from wikiapi.store.sql.batches import Key

FINDINGS = [
    Finding("c", "is bad", "Mend it.", page=(0, "A"), place="revision 1"),
    Finding("c", "is worse", "Mend it.", times=3),
    Finding("c", "is\x1b odd", "Look.", Severity.WARNING),
]


def name_of(key: Key) -> str:
    return f"{key[0]}:{key[1]}"


def test_lines_and_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(name_of, as_json=False)
    printer.show_all(FINDINGS)
    assert not printer.finish({}, "3 pages:")
    assert capsys.readouterr().out == (
        "error: 0:A: revision 1: is bad\n"
        "error: is worse\n"
        "  -> Mend it.\n"
        "warning: is\ufffd odd\n"
        "  -> Look.\n"
        "3 pages: 4 errors, 1 warning.\n"
    )


def test_nothing_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert Printer(name_of, as_json=False).finish({}, "3 pages:")
    assert capsys.readouterr().out == "3 pages: Nothing is wrong.\n"


def test_warnings_do_not_fail(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(name_of, as_json=False)
    printer.show(FINDINGS[2])
    assert printer.finish({}, "")


def test_json_is_printed_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(name_of, as_json=True)
    printer.show_all(FINDINGS)
    assert capsys.readouterr().out == ""
    printer.finish({"pages": 3}, "")
    data = json.loads(capsys.readouterr().out)
    assert (data["ok"], data["pages"]) == (False, 3)
    assert data["findings"][0] == {
        "check": "c",
        "problem": "is bad",
        "advice": "Mend it.",
        "severity": "error",
        "page": "0:A",
        "place": "revision 1",
        "times": 1,
    }
