from __future__ import annotations

from io import BytesIO
from xml.parsers import expat

import pytest

from wikiapi.xmlfeed import EndlessTag, XmlFeed

LONG = b'<a x="' + b"y" * 500_000 + b'"/>'


def read(data: bytes, longest: int = 1_000_000) -> list[str]:
    names: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, _attributes: names.append(name)
    XmlFeed(parser, longest).read(BytesIO(data))
    return names


def test_whole_documents() -> None:
    assert read(b"<a><b/></a>") == ["a", "b"]
    assert read(LONG) == ["a"]


def test_text_is_no_tag() -> None:
    assert read(b"<a>" + b"y" * 500_000 + b"</a>", longest=1000) == ["a"]


@pytest.mark.parametrize("data", [LONG, LONG[:-1], b"<a><!--" + b"y" * 500_000])
def test_a_tag_that_is_too_long(data: bytes) -> None:
    with pytest.raises(EndlessTag):
        read(data, longest=100_000)


@pytest.mark.parametrize("data", [b"", b"<a>", b"<a></b>", LONG[:-1]])
def test_what_is_not_well_formed(data: bytes) -> None:
    with pytest.raises(expat.ExpatError):
        read(data)
