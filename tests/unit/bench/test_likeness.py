"""Two renderings are compared by the words that a reader sees."""

from __future__ import annotations

import pytest

from bench.peer.likeness import likeness


def parsed(html: str) -> dict[str, object]:
    return {"parse": {"text": html}}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("<p>a b</p>", "<div class='x'>a <b>b</b></div>", 1.0),
        ("<p>a</p><!-- report 1 -->", "<p>a</p><!-- report 2 -->", 1.0),
        ("<p>&eacute;</p>", "<p>é</p>", 1.0),
        ("<p>a b</p>", "<p>a c</p>", 0.5),
        ("<p>a a</p>", "<p>a</p>", 2 / 3),
        ("<p>a</p>", "<p>b</p>", 0.0),
        ("", "<p></p>", 1.0),
    ],
)
def test_share_of_common_words(one: str, other: str, expected: float) -> None:
    assert likeness(parsed(one), parsed(other)) == pytest.approx(expected)


def test_an_error_has_no_likeness() -> None:
    assert likeness({"error": {}}, parsed("<p>a</p>")) == 0.0
    assert likeness(parsed(""), {"error": {}}) == 0.0
