from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wikiapi.i18n
from wikiapi.i18n.catalog import (
    MessageCatalog,
    fallback_chain,
    fill,
    join_list,
    plural_index,
    render_param,
)
from wikiapi.i18n.message import ListOf, Message, MessageParam, Num, Plain, Raw, plain_list


@pytest.mark.parametrize(
    ("template", "params", "filled"),
    [
        ("plain", (), "plain"),
        ("$1 and $2", ("a", "b"), "a and b"),
        ("$2 and $1 and $2", ("a", "b"), "b and a and b"),
        ("$3 is not there", ("a",), "$3 is not there"),
        ("$1", (Plain("$2"), Plain("x")), "$2"),
        ("$10", ("a",), "a0"),
        ("$1", (Raw("[[x]]"),), "[[x]]"),
        ("$1", (7,), "7"),
        ("$1", (1234567,), "1234567"),
        ("$1", (Num(1234567),), "1,234,567"),
        ("$1", (Num(0.5),), "0.5"),
        ("$1", (Num(60.0),), "60"),
        ("$1", (plain_list(["a", "b", "c"]),), "a, b and c"),
        ("$1", (plain_list(["a", "b"], "comma"),), "a, b"),
        ("$1", (ListOf((Num(1000), Plain("x"))),), "1,000 and x"),
        ("$1", (plain_list([]),), ""),
        ("$1 {{PLURAL:$1|byte|bytes}}", (Num(1),), "1 byte"),
        ("$1 {{PLURAL:$1|byte|bytes}}", (Num(0),), "0 bytes"),
        ("$1 {{PLURAL:$1|byte|bytes}}", (Num(2000),), "2,000 bytes"),
        ("{{PLURAL:$1|$1 byte|$1 bytes}}", (Num(2),), "2 bytes"),
        ("{{plural:$1|a|b}}", (1,), "a"),
        ("{{PLURAL:$1|a|b}}", ("1",), "a"),
        ("{{PLURAL:$1|a|b}}", (plain_list(["x"]),), "a"),
        ("{{PLURAL:$1|a|b}}", (plain_list(["x", "y"]),), "b"),
        ("{{PLURAL:$1|only}}", (Num(5),), "only"),
        ("{{PLURAL:$2|a|b}}", (Num(1),), "b"),
        ("{{PLURAL:$1|a|b}}", ("many",), "b"),
        ("{{PLURAL:$1|a|b}}", (Plain("$2|x}}"), Plain("y")), "b"),
        ("{{OTHER:$1|a}}", ("x",), "{{OTHER:x|a}}"),
    ],
)
def test_fill(template: str, params: tuple[MessageParam, ...], filled: str) -> None:
    assert fill(template, params, "en") == filled


@given(st.text(), st.text())
def test_parameters_are_never_read_again(first: str, second: str) -> None:
    assert fill("<$1|$2>", (Plain(first), Plain(second)), "en") == f"<{first}|{second}>"


@pytest.mark.parametrize(
    ("language", "number", "index"),
    [
        ("en", "1", 0),
        ("en", "0", 1),
        ("en", "1.5", 1),
        ("fr", "0", 0),
        ("fr", "2", 2),
        ("ru", "1", 0),
        ("ru", "3", 1),
        ("ru", "5", 2),
        ("ja", "1", 0),
        ("ar", "0", 0),
        ("ar", "2", 2),
        ("no-such-language", "1", 0),
        ("no-such-language", "2", 1),
    ],
)
def test_plural_index_by_cldr(language: str, number: str, index: int) -> None:
    assert plural_index(number, language) == index


def test_render_param_of_a_plain_string() -> None:
    assert render_param("x", "en") == "x"


@pytest.mark.parametrize(
    ("parts", "kind", "joined"),
    [
        ([], "text", ""),
        (["a"], "text", "a"),
        (["a", "b"], "text", "a and b"),
        (["a", "b", "c"], "text", "a, b and c"),
        (["a", "b", "c"], "comma", "a, b, c"),
    ],
)
def test_join_list(parts: list[str], kind: str, joined: str) -> None:
    assert join_list(parts, kind) == joined


@pytest.mark.parametrize(
    ("language", "chain"),
    [
        ("en", ("en",)),
        ("de", ("de", "en")),
        ("zh-hant-tw", ("zh-hant-tw", "zh-hant", "zh", "en")),
    ],
)
def test_fallback_chain(language: str, chain: tuple[str, ...]) -> None:
    assert fallback_chain(language) == chain


@pytest.fixture
def catalog() -> MessageCatalog:
    return MessageCatalog(
        {"en": {"a": "A $1", "b": "B"}, "de": {"a": "Ä $1"}, "de-at": {"b": "Be"}}
    )


@pytest.mark.parametrize(
    ("key", "language", "text"),
    [
        ("a", "en", "A x"),
        ("a", "de", "Ä x"),
        ("a", "de-at", "Ä x"),
        ("b", "de-at", "Be"),
        ("b", "de", "B"),
        ("a", "tlh", "A x"),
        ("no-such", "de", "⧼no-such⧽"),
    ],
)
def test_text_in_the_nearest_language(
    catalog: MessageCatalog, key: str, language: str, text: str
) -> None:
    assert catalog.text(Message.of(key, "x"), language) == text


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        ("ja", 1, "1 page"),
        ("ja", 2, "2 pages"),
        ("zh-hant", 1, "1 page"),
        ("ru", 21, "21 pages"),
        ("fr", 0, "0 pages"),
        ("hi", 1234567, "1,234,567 pages"),
        ("ar-eg", 3, "3 pages"),
        ("de", 1234567, "1.234.567 Seiten"),
        ("de-at", 1, "1 Seite"),
    ],
)
def test_numbers_follow_the_language_of_the_text(language: str, number: int, text: str) -> None:
    catalog = MessageCatalog(
        {
            "en": {"pages": "$1 {{PLURAL:$1|page|pages}}"},
            "de": {"pages": "$1 {{PLURAL:$1|Seite|Seiten}}"},
        }
    )
    assert catalog.text(Message.of("pages", Num(number)), language) == text


def test_template_of_an_unknown_key(catalog: MessageCatalog) -> None:
    assert catalog.template("no-such", "en") is None


def test_keys_of_a_language(catalog: MessageCatalog) -> None:
    assert set(catalog.keys()) == {"a", "b"}
    assert set(catalog.keys("de")) == {"a"}
    assert set(catalog.keys("fr")) == set()


def test_later_folder_overrides(tmp_path: Path) -> None:
    for folder, texts in {"one": {"a": "1", "b": "1"}, "two": {"b": "2"}}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "en.json").write_text(json.dumps(texts), encoding="utf-8")
    loaded = MessageCatalog.load([tmp_path / "one", tmp_path / "two"])
    assert (loaded.template("a", "en"), loaded.template("b", "en")) == ("1", "2")


def own_texts() -> dict[str, str]:
    from pathlib import Path

    folder = Path(wikiapi.i18n.__file__).parent / "data"
    texts: dict[str, str] = json.loads((folder / "en.json").read_text(encoding="utf-8"))
    return texts


def test_own_messages_are_in_order_and_complete() -> None:
    texts = own_texts()
    assert list(texts) == sorted(texts)
    assert all(texts.values())


@pytest.mark.parametrize("key", sorted(own_texts()))
def test_own_message_can_be_filled(key: str) -> None:
    filled = fill(own_texts()[key], tuple(Num(n) for n in range(1, 10)), "en")
    assert "$" not in filled
    assert "{{" not in filled
