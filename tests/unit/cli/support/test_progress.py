from __future__ import annotations

import io
import sys

import pytest

from wikiapi.cli.support.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show(stream: io.StringIO, length: int | None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("Pages", length) as bar:
        bar.move_to(5_000_000, "40 pages")
        bar.move_to(10_000_000, "80 pages")
    return stream.getvalue()


def test_bar_with_rate_and_note(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = show(Terminal(), 10_000_000, monkeypatch)
    assert "Pages" in shown
    assert "100%" in shown
    assert "MB/s 80 pages" in shown


def test_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(0, 1000, 10))
    monkeypatch.setattr("time.time", lambda: float(next(moments)))
    assert "00:00:" in show(Terminal(), 10_000_000, monkeypatch)


@pytest.mark.parametrize("length", [None, 0])
def test_no_bar_where_the_length_is_unknown(
    length: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert show(Terminal(), length, monkeypatch) == ""


def test_no_bar_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert show(io.StringIO(), 10, monkeypatch) == ""
