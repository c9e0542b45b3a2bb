from __future__ import annotations

import pytest

from wikiapi.wikitext.media.options import is_language_tag, read_options, split_options
from wikiapi.wikitext.state import ParseState


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [""]),
        ("a|b", ["a", "b"]),
        ("a|-{b|c}-|d", ["a", "-{b|c}-", "d"]),
        ("-{a|-{b|c}-|d}-|e", ["-{a|-{b|c}-|d}-", "e"]),
        ("-{a|b", ["-{a|b"]),
        ("}-|a", ["}-|a"]),
    ],
)
def test_split(text: str, parts: list[str]) -> None:
    assert split_options(text) == parts


def test_the_first_of_equal_options_counts(state: ParseState) -> None:
    options = read_options("left|right|middle|top|thumb|frame", state)
    assert (options.align, options.valign, options.format) == ("left", "middle", "thumbnail")
    assert options.caption == "frame"


def test_the_last_value_counts(state: ParseState) -> None:
    options = read_options("alt=a|alt=b|10px|x20px|30px|class=c|class=d", state)
    assert (options.alt, options.css, options.width, options.height) == ("b", "d", 30, 20)


def test_language_is_a_caption_for_other_files(state: ParseState) -> None:
    options = read_options("a|lang=de", state)
    assert options.for_file(has_languages=True) == ("a", "de")
    assert options.for_file(has_languages=False) == ("lang=de", "")


@pytest.mark.parametrize("value", ["", "a", "1e", "--1", "1_0", "٢", "1 2"])
def test_upright_needs_a_number(value: str, state: ParseState) -> None:
    options = read_options(f"upright={value}", state)
    assert options.upright is None
    assert options.caption == f"upright={value}"


@pytest.mark.parametrize(
    ("value", "factor"), [("1", 1), (".5", 0.5), ("2.", 2), ("+1e1", 10), ("1e999", 1e6)]
)
def test_upright(value: str, factor: float, state: ParseState) -> None:
    assert read_options(f"upright={value}", state).upright == factor


@pytest.mark.parametrize(
    ("tag", "valid"),
    [
        ("de", True),
        ("zh-Hant-TW", True),
        ("de-1996", True),
        ("x", False),
        ("", False),
        ("a b", False),
        ("de_at", False),
        ("de\n", False),
        ("invalid:language", False),
    ],
)
def test_language_tags(tag: str, valid: bool) -> None:
    assert is_language_tag(tag) is valid


@pytest.mark.parametrize("link", ["javascript:alert(1)", "JAVASCRIPT:x", "vbscript:x", "data:x"])
def test_only_known_schemes_are_addresses(link: str, state: ParseState) -> None:
    options = read_options(f"link={link}", state)
    assert not options.link.url


def test_links_are_noted(state: ParseState) -> None:
    read_options("link=Page|link=https://example.org|link=other:Page|link=Media:A.png", state)
    output = state.output
    assert list(output.links) == [(0, "Page"), (6, "A.png")]
    assert list(output.external_links) == ["https://example.org"]
    assert list(output.interwiki_links) == [("other", "Page")]
