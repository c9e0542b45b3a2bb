from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import cases
from wikiapi.errors import InvalidTitle
from wikiapi.languages.message import Num
from wikiapi.title.codec import TitleCodec, decode_title_references
from wikiapi.title.interwiki import Interwiki, InterwikiMap
from wikiapi.title.namespaces import NamespaceTable


def text_of(case: dict[str, Any]) -> str:
    if "text" in case:
        return str(case["text"])
    parts = case["text_of"]
    return "".join(part * times for part, times in zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("case", cases("title/valid.json"))
def test_valid_title(codec: TitleCodec, case: dict[str, Any]) -> None:
    title = codec.parse(text_of(case), case.get("default", 0))
    assert title.ns == case.get("ns", 0)
    assert title.interwiki == case.get("interwiki", "")
    assert title.fragment == case.get("fragment", "")
    if "length" in case:
        assert len(title.dbkey) == case["length"]
    else:
        assert title.prefixed_text == case["title"]


@pytest.mark.parametrize("case", cases("title/valid.json"))
def test_prefixed_text_is_its_own_spelling(codec: TitleCodec, case: dict[str, Any]) -> None:
    title = codec.parse(text_of(case), case.get("default", 0)).without_fragment()
    if title.prefixed_text:
        assert codec.parse(title.prefixed_text) == title


@pytest.mark.parametrize("case", cases("title/invalid.json"))
def test_invalid_title(codec: TitleCodec, case: dict[str, Any]) -> None:
    with pytest.raises(InvalidTitle) as caught:
        codec.parse(text_of(case))
    assert caught.value.message.key == case["reason"]
    if "found" in case:
        assert caught.value.message.params == (case["found"],)


@pytest.mark.parametrize("case", cases("title/invalid.json"))
def test_try_parse_of_invalid_titles(codec: TitleCodec, case: dict[str, Any]) -> None:
    assert codec.try_parse(text_of(case)) is None


def test_error_for_a_too_long_title_has_both_lengths(codec: TitleCodec) -> None:
    with pytest.raises(InvalidTitle) as caught:
        codec.parse("a" * 300)
    assert caught.value.message.params == (Num(255), Num(300))


PIECES = st.sampled_from(
    ["Talk", "de", "File", "User", ":", "::", "#", "&", "&#", "&#x", ";", "amp", "%", "%0", "~~",
     ".", "/", "_", " ", "\u200e", "\u00a0", "ß", "ﬁ", "ǆ", "A\u030a", "\ufffd", "\ud800", "\n",
     "\x00", "65", "[", "1", "1.2.3.4"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(st.characters(codec=None)), st.lists(st.one_of(PIECES, st.text())).map("".join)
)


@given(text=TEXTS, default=st.sampled_from([0, 2, 6, 10, -1]))
@example(text="&amp;amp;", default=0)
@example(text="User:::", default=0)
def test_any_text_is_a_title_or_invalid(codec: TitleCodec, text: str, default: int) -> None:
    try:
        title = codec.parse(text, default)
    except InvalidTitle:
        return
    title.prefixed_text.encode()
    assert not title.prefixed_text.endswith(" ")
    if title.without_fragment().prefixed_text:
        assert codec.parse(title.prefixed_text).key == title.key


@given(text=TEXTS)
def test_parsing_is_idempotent(codec: TitleCodec, text: str) -> None:
    title = codec.try_parse(text)
    if title is not None and title.dbkey:
        again = codec.parse(title.prefixed_text)
        assert again.prefixed_text == title.prefixed_text
        assert codec.parse(title.prefixed_dbkey) == again


def test_made_title_of_a_removed_namespace(codec: TitleCodec) -> None:
    title = codec.make(4000, "Foo_bar")
    assert title.key == (4000, "Foo_bar")
    assert title.prefixed_text == "Namespace 4000:Foo bar"


def test_made_title_keeps_its_case(codec: TitleCodec) -> None:
    assert codec.make(0, "alpha").text == "alpha"


@pytest.mark.parametrize(
    ("text", "talk", "subject"),
    [
        ("Alpha", "Talk:Alpha", "Alpha"),
        ("Talk:Alpha", "Talk:Alpha", "Alpha"),
        ("File:A.png", "File talk:A.png", "File:A.png"),
        ("Special:Version", None, "Special:Version"),
        ("Media:A.png", None, "Media:A.png"),
        ("Word:x", None, "Word:x"),
        ("de:Alpha", None, None),
    ],
)
def test_talk_and_subject(
    codec: TitleCodec, text: str, talk: str | None, subject: str | None
) -> None:
    title = codec.parse(text)
    talk_page = codec.talk(title)
    assert (talk_page and talk_page.prefixed_text) == talk
    if subject is not None:
        assert codec.subject(title).prefixed_text == subject


def test_namespace_stands_in_for_an_unknown_number(
    codec: TitleCodec, namespaces: NamespaceTable
) -> None:
    assert codec.namespace(10) is namespaces[10]
    assert codec.namespace(77).id == 77


@pytest.mark.parametrize(
    ("text", "capital"),
    [("", ""), ("a", "A"), ("ßa", "Ssa"), ("ŉ", "ʼN"), ("ǆ", "ǅ"), ("Ǆ", "ǅ"), ("1a", "1a")],
)
def test_capitalise(codec: TitleCodec, text: str, capital: str) -> None:
    assert codec.capitalise(text) == capital


def test_capitals_are_those_of_the_language(namespaces: NamespaceTable) -> None:
    turkish = TitleCodec(namespaces, InterwikiMap([]), "tr")
    assert turkish.parse("istanbul").text == "İstanbul"
    assert turkish.parse("ısparta").text == "Isparta"


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("a&b", "a&b"),
        ("&amp", "&amp"),
        ("&#65", "&#65"),
        ("&#;", "&#;"),
        ("&#x;", "&#x;"),
        ("&#0;", "\ufffd"),
        ("&#10;", "\n"),
        ("&#13;", "\ufffd"),
        ("&#x80;", "\ufffd"),
        ("&#xfffe;", "\ufffd"),
        ("&lt;&gt;", "<>"),
        ("&amp;lt;", "&lt;"),
        ("&NotEqualTilde;", "\u2242\u0338"),
    ],
)
def test_decode_references(text: str, decoded: str) -> None:
    assert decode_title_references(text) == decoded


@pytest.mark.parametrize("number", [0, 1, 10, 4711])
def test_prefixed_names_are_those_of_titles(number: int, codec: TitleCodec) -> None:
    assert codec.prefixed(number, "A_b") == codec.make(number, "A_b").prefixed_text


@pytest.fixture(scope="module")
def at_home(namespaces: NamespaceTable) -> TitleCodec:
    """A wiki with two interwiki prefixes of its own, one of them unknown to its map."""
    entries = [
        Interwiki("home", "https://home.example/$1"),
        Interwiki("doi", "https://doi.example/$1"),
    ]
    return TitleCodec(namespaces, InterwikiMap(entries, ["Home", "nowhere"]), main_page="start")


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("home:alpha", "Alpha"),
        ("HOME: alpha b#c", "Alpha b#c"),
        ("home:", "Start"),
        ("home:home:x", "X"),
        (":home:x", "X"),
        ("home:category:x", "Category:X"),
        ("home:talk:x", "Talk:X"),
        ("home:doi:x", "doi:x"),
        ("doi:home:x", "doi:home:x"),
        ("home:#a", "#a"),
        ("home:/sub", "/sub"),
        ("nowhere:x", "Nowhere:x"),
        ("home", "Home"),
        ("Template:home:x", "Template:Home:x"),
    ],
)
def test_own_prefixes_lead_to_the_wiki_itself(at_home: TitleCodec, text: str, parsed: str) -> None:
    assert at_home.parse(text).full_text == parsed


@pytest.mark.parametrize(
    "text", ["home::x", "home:talk:home:x", "talk:home:x", "home:../x", "home:<x"]
)
def test_invalid_titles_after_own_prefixes(at_home: TitleCodec, text: str) -> None:
    assert at_home.try_parse(text) is None


def test_own_prefixes_keep_the_namespace_of_templates(at_home: TitleCodec) -> None:
    assert at_home.parse("home:nav", 10).prefixed_text == "Template:Nav"


def test_many_own_prefixes_are_read_in_a_loop(at_home: TitleCodec) -> None:
    assert at_home.parse("home:" * 20_000 + "x").prefixed_text == "X"


@pytest.mark.parametrize(
    ("text", "leads"), [("home:x", True), (" Home :x", True), ("doi:home:x", False), ("x", False)]
)
def test_links_that_lead_here(at_home: TitleCodec, text: str, leads: bool) -> None:
    assert at_home.leads_here(text) is leads
