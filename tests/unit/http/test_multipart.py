from __future__ import annotations

import pytest

from wikiapi.http.errors import Refused
from wikiapi.http.multipart import Part, parts_of

HEAD = b'Content-Disposition: form-data; name="a"'


def parts(body: bytes, most: int = 20) -> list[Part]:
    return list(parts_of(body, b"x", most))


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"], ids=["CR and LF", "LF", "CR"])
def test_ends_of_lines(end: bytes) -> None:
    body = b"--x" + end + HEAD + end + end + b"1" + end + end + b"--x--" + end
    assert parts(body) == [Part("a", None, b"1" + end)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"1 --x--", id="a boundary within a line"),
        pytest.param(b"--xy", id="a longer boundary at the start"),
        pytest.param(b"\r\n--xy", id="a longer boundary"),
        pytest.param(b"\n--x \t2", id="more after a boundary"),
        pytest.param(b"\r\r\n\n", id="line breaks of several kinds"),
        pytest.param(bytes(range(256)), id="binary data"),
    ],
)
def test_data_is_returned_as_it_is(data: bytes) -> None:
    body = b"--x \t\r\n" + HEAD + b"\r\n\r\n" + data + b"\r\n--x--"
    assert parts(body) == [Part("a", None, data)]


def test_a_part_without_data_may_end_with_its_header_fields() -> None:
    assert parts(b"--x\r\n" + HEAD + b"\r\n\r\n--x--") == [Part("a", None, b"")]


def test_header_fields_may_be_continued() -> None:
    head = (
        b'Content-Type: text/plain\r\nCONTENT-DISPOSITION: form-data;\r\n\tname="a";\r\n filename=b'
    )
    assert parts(b"--x\r\n" + head + b"\r\n\r\n1\r\n--x--") == [Part("a", "b", b"1")]


def test_what_follows_the_last_delimiter_is_skipped() -> None:
    first = b"--x\r\n" + HEAD + b"\r\n\r\n1\r\n--x--"
    assert parts(first + b"\r\n" + first) == [Part("a", None, b"1")]
    assert parts(b"--x--") == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"--x\r\n" + HEAD + b"\r\n\r\n1", id="no delimiter at the end"),
        pytest.param(b"--x\r\n" + HEAD + b"\r\n\r\n1--x--", id="none on a line of its own"),
        pytest.param(b"--x\r\n" + HEAD + b"\r\n--x--\r\n\r\n", id="no blank line"),
        pytest.param(b"--x\r\n\r\n" + HEAD + b"\r\n1\r\n--x--", id="no header fields"),
        pytest.param(b"--x\r\n" + HEAD + b"\xff\r\n\r\n1\r\n--x--", id="fields are not UTF-8"),
    ],
)
def test_malformed(body: bytes) -> None:
    with pytest.raises(Refused) as caught:
        parts(body)
    assert caught.value.status == 400


def test_parts_are_counted_and_so_are_boundaries_in_their_data() -> None:
    part = b"--x\r\n" + HEAD + b"\r\n\r\n1\r\n"
    assert len(parts(part * 20 + b"--x--")) == 20
    for body in (part * 21 + b"--x--", part + b"--x " * 21 + b"\r\n--x--"):
        with pytest.raises(Refused) as caught:
            parts(body)
        assert caught.value.status == 413
