from __future__ import annotations

import io
import sys
import threading

import pytest

from wikiapi.cli.support import progress
from wikiapi.cli.support.progress import Progress

SECONDS = 60.0
"""After which a test that hangs fails."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show(stream: io.StringIO, length: int | None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_BAR_SECONDS", SECONDS)
    monkeypatch.setattr(progress, "LINE_SECONDS", SECONDS)
    with Progress("Pages", length) as bar:
        bar.move_to(5_000_000, "40 pages")
        bar.show()
        bar.move_to(10_000_000, "80 pages")
    return stream.getvalue()


def test_bar_with_rate_and_note(monkeypatch: pytest.MonkeyPatch) -> None:
    output = show(Terminal(), 10_000_000, monkeypatch)
    assert "Pages" in output
    assert "100%" in output
    assert "MB/s 80 pages" in output


def test_the_bar_is_there_before_the_first_step(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("Links", 7, "pages", 1):
        assert "Links" in stream.getvalue()
        assert "0%" in stream.getvalue()


def test_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(0, 1000, 10))
    monkeypatch.setattr("time.time", lambda: float(next(moments)))
    assert "00:00:" in show(Terminal(), 10_000_000, monkeypatch)


def test_a_bar_of_unknown_length_tells_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    output = show(Terminal(), None, monkeypatch)
    assert "MB/s 80 pages" in output
    assert "%" not in output


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_nothing_is_shown_of_a_phase_without_steps(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert show(stream, 0, monkeypatch) == ""


def test_a_line_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", iter([0.0, 10.0, 10.0]).__next__)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    bar = Progress("Pages", 10_000_000)
    bar.move_to(2_500_000, "40 pages")
    assert bar.line() == "Pages: 25 %, 0.2 MB/s 40 pages (0:00:30 left)"
    assert stream.getvalue() == ""


def test_lines_come_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    line_written = threading.Event()

    class Stream(io.StringIO):
        def write(self, text: str) -> int:
            if "left)" in text:
                line_written.set()
            return super().write(text)

    monkeypatch.setattr(sys, "stderr", Stream())
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.001)
    with Progress("Files", 8, "files", 1, reached=lambda: 2):
        assert line_written.wait(SECONDS)


def test_what_is_said_stands_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("Pages", 10) as bar:
        bar.say("A warning.")
    assert "\r\x1b[KA warning.\n" in stream.getvalue()
