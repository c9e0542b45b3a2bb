from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from wikiapi.api.request import UploadedFile
from wikiapi.http.errors import Refused
from wikiapi.http.requests import Parameters, read_form

MAX_BYTES = 10_000


def read(body: bytes, content_type: str, *, most: int = 20, **environ: Any) -> dict[str, str]:
    parameters = Parameters(most)
    environ = {
        "wsgi.input": BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": content_type,
        **environ,
    }
    read_form(environ, parameters, MAX_BYTES)
    return parameters.values


def part(name: str, value: bytes, extra: str = "") -> bytes:
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n'
    return head.encode() + value + b"\r\n"


MULTIPART = "multipart/form-data; boundary=x"


def test_urlencoded() -> None:
    assert read(b"a=1&b=%C3%9C", "application/x-www-form-urlencoded; charset=UTF-8") == {
        "a": "1",
        "b": "Ü",
    }


def test_multipart() -> None:
    body = part("a", b"1") + part("b", "Ü\r\n|".encode()) + b"--x--\r\n"
    assert read(body, MULTIPART) == {"a": "1", "b": "Ü\r\n|"}


def test_multipart_bytes_that_are_not_utf8_stay_recognisable() -> None:
    assert read(part("a", b"\xff") + b"--x--", MULTIPART) == {"a": "\udcff"}


def test_text_before_the_first_part_is_skipped() -> None:
    assert read(b"text\r\n" + part("a", b"1") + b"--x--", MULTIPART) == {"a": "1"}


def test_uploaded_files_are_no_parameters() -> None:
    body = part("text", b"data", '; filename="x.txt"') + part("a", b"1") + b"--x--"
    assert read(body, MULTIPART) == {"a": "1"}


def test_uploaded_files_are_kept_beside_the_parameters() -> None:
    body = (
        part("file", b"\xff\r\n\x00", '; filename="x.png"')
        + part("none", b"", '; filename=""')
        + part("some[]", b"1", '; filename="y.png"')
        + b"--x--"
    )
    parameters = Parameters(20)
    environ = {
        "wsgi.input": BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": MULTIPART,
    }
    read_form(environ, parameters, MAX_BYTES)
    assert parameters.values == {}
    assert parameters.files == {"file": UploadedFile("x.png", b"\xff\r\n\x00")}


def test_parts_without_a_name_are_read_over() -> None:
    nameless = b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n"
    assert read(nameless + part("a", b"1") + b"--x--", MULTIPART) == {"a": "1"}


def test_other_media_types_hold_no_parameters() -> None:
    assert read(b'{"action":"query"}', "application/json") == {}
    assert read(b"action=query", "") == {}


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("application/json", b"{}"), ("", b"a=1"), ("application/x-www-form-urlencoded", b"a=1")],
)
def test_the_body_is_returned_unless_it_is_a_form(content_type: str, body: bytes) -> None:
    environ: dict[str, Any] = {
        "wsgi.input": BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": content_type,
    }
    returned = read_form(environ, Parameters(20), MAX_BYTES)
    assert returned == (b"" if "urlencoded" in content_type else body)


@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "application/json", MULTIPART]
)
def test_large_bodies_are_refused_whatever_they_are(content_type: str) -> None:
    with pytest.raises(Refused) as caught:
        read(b"a=" + b"x" * MAX_BYTES, content_type)
    assert caught.value.status == 413


def test_bodies_of_undeclared_length_are_measured() -> None:
    with pytest.raises(Refused) as caught:
        read(
            b"a=" + b"x" * 2 * MAX_BYTES,
            "application/x-www-form-urlencoded",
            CONTENT_LENGTH="",
            **{"wsgi.input_terminated": True},
        )
    assert caught.value.status == 413


def test_many_parts_are_refused() -> None:
    body = b"".join(part(f"p{n}", b"") for n in range(30)) + b"--x--"
    with pytest.raises(Refused) as caught:
        read(body, MULTIPART)
    assert caught.value.status == 413


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"--x\r\nbroken", MULTIPART),
        (b"no boundary in sight", MULTIPART),
        (b"--x\r\nContent-Type: text/plain\r\n\r\n1\r\n--x--", MULTIPART),
        (b"", "multipart/form-data"),
        (b"--x--", f"multipart/form-data; boundary={'x' * 71}"),
        (b"text --xy\r\n\r\n--x--", MULTIPART),
    ],
)
def test_broken_multipart_is_refused(body: bytes, content_type: str) -> None:
    with pytest.raises(Refused) as caught:
        read(body, content_type)
    assert caught.value.status == 400
