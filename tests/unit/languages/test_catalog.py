from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wikiapi.languages
from wikiapi.languages.catalog import MessageCatalog, Template
from wikiapi.languages.equivalents import Equivalent
from wikiapi.languages.filling import fill, join_list, needs_parser, render_param
from wikiapi.languages.folders import FolderTexts
from wikiapi.languages.localized import localized_texts
from wikiapi.languages.message import ListOf, Message, MessageParam, Num, Plain, Raw, plain_list


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


@pytest.mark.parametrize(
    ("template", "is_needed"),
    [
        ("plain $1", False),
        ("{{PLURAL:$1|page|pages}} and {{plural:$2|one}}", False),
        ("{{PLURAL:$1|0=none|page|pages}}", True),
        ("{{PLURAL:$1|[[page]]|pages}}", True),
        ("{{SITENAME}}", True),
        ("{{GENDER:$1|he|she}}", False),
        ("{{GENDER:$1|[[he]]|she}}", True),
        ("{{PLURAL:{{formatnum:$1|R}}|a|b}}", True),
    ],
)
def test_only_simple_plural_and_gender_forms_need_no_parser(template: str, is_needed: bool) -> None:
    assert needs_parser(template) is is_needed


@given(st.text(), st.text())
def test_parameters_are_never_read_again(first: str, second: str) -> None:
    assert fill("<$1|$2>", (Plain(first), Plain(second)), "en") == f"<{first}|{second}>"


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
    assert join_list(parts, kind, localized_texts("en").get) == joined


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
    assert {"a", "b", "and", "mainpage"} < set(catalog.keys())
    assert "b" not in catalog.keys("de")


def test_later_folder_overrides(tmp_path: Path) -> None:
    for folder, texts in {"one": {"a": "1", "b": "1"}, "two": {"b": "2"}}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "en.json").write_text(json.dumps(texts), encoding="utf-8")
    loaded = MessageCatalog.load([tmp_path / "one", tmp_path / "two"])
    assert (loaded.template("a", "en"), loaded.template("b", "en")) == ("1", "2")


def own_texts() -> dict[str, str]:
    from pathlib import Path

    folder = Path(wikiapi.languages.__file__).parent / "data"
    return json.loads((folder / "en.json").read_text(encoding="utf-8"))


def test_own_messages_are_in_order_and_complete() -> None:
    texts = own_texts()
    assert list(texts) == sorted(texts)
    assert all(texts.values())


@pytest.mark.parametrize("key", sorted(own_texts()))
def test_own_message_can_be_filled(key: str) -> None:
    filled = fill(own_texts()[key], tuple(Num(n) for n in range(1, 10)), "en")
    assert "$" not in filled
    assert "{{" not in filled


@pytest.fixture
def sailing(tmp_path: Path) -> MessageCatalog:
    """A catalogue with texts in folders, of our own in two languages, and from CLDR."""
    texts = {
        "en": {"boat": "boat (folder)", "sail": "sail (folder)"},
        "fr": {"boat": "bateau", "and": " ainsi que"},
        "frp": {"sea": "mar"},
    }
    for code, content in texts.items():
        (tmp_path / f"{code}.json").write_text(json.dumps(content), encoding="utf-8")
    own = {"en": {"boat": "boat", "sea": "sea", "oar": "oar"}, "fr": {"boat": "?", "oar": "rame"}}
    return MessageCatalog(own, FolderTexts([tmp_path]))


@pytest.mark.parametrize(
    ("key", "language", "text"),
    [
        ("boat", "fr", Template("bateau", "fr")),
        ("oar", "fr", Template("rame", "fr")),
        ("sail", "fr", Template("sail (folder)", "en")),
        ("boat", "en", Template("boat (folder)", "en")),
        ("sea", "en", Template("sea", "en")),
        ("and", "fr", Template(" ainsi que", "fr")),
        ("monday", "fr", Template("lundi", "fr")),
        ("sea", "frp", Template("mar", "frp")),
        ("boat", "frp", Template("bateau", "fr")),
        ("monday", "frp", Template("lundi", "fr")),
        ("mainpage", "fr", Template("Accueil", "fr")),
        ("none", "fr", None),
    ],
)
def test_each_language_is_asked_in_folders_then_our_own_texts_then_cldr(
    sailing: MessageCatalog, key: str, language: str, text: Template | None
) -> None:
    assert sailing.find(key, language) == text
    assert sailing.find(key, language) == text  # from the cache


@pytest.mark.parametrize(
    ("text", "params", "adapted"),
    [
        ("$1 by $2", (), "$1 by $2"),
        ("$1 by {{GENDER:$3|$2}}", (2, 1), "$2 by {{GENDER:|$1}}"),
        ("$1, $2", (0, 1), ", $1"),
        ("", (), None),
        ("-", (), None),
        (None, (1,), None),
    ],
)
def test_texts_of_mediawiki_take_our_parameters(
    text: str | None, params: tuple[int, ...], adapted: str | None
) -> None:
    assert Equivalent("boat", params).adapted(text) == adapted


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", Template("deux: $2 $1", "fr")),
        ("de", Template("own de $1 $2", "de")),
        ("en", Template("own en $1 $2", "en")),
    ],
)
def test_texts_that_say_the_same_stand_in_for_our_own(
    tmp_path: Path, language: str, text: Template
) -> None:
    own, folder = tmp_path / "own", tmp_path / "folder"
    files = {
        own / "en.json": {"tea-boats": "own en $1 $2"},
        own / "fr.json": {"tea-boats": "own fr $1 $2"},
        own / "de.json": {"tea-boats": "own de $1 $2"},
        own / "mediawiki.json": {"tea-boats": ["boats", 2, 1]},
        folder / "fr.json": {"boats": "deux: $1 $2"},
        folder / "de.json": {"boats": "-"},
    }
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    catalog = MessageCatalog.load([own], [folder])
    assert catalog.find("tea-boats", language) == text
    assert "mediawiki" not in catalog._own


def test_lists_have_the_separators_of_the_language(sailing: MessageCatalog) -> None:
    message = Message.of("boat", plain_list(["a", "b", "c"]))
    assert sailing.fill(Template("$1", "fr"), message) == "a, b ainsi que c"
    assert sailing.fill(Template("$1", "ar"), message) == "a، b و c"


@pytest.mark.parametrize(
    ("language", "is_translated"),
    [("en", True), ("en-gb", True), ("de", True), ("gsw", True), ("fr", False), ("simple", True)],
)
def test_languages_with_texts(tmp_path: Path, language: str, is_translated: bool) -> None:
    (tmp_path / "de.json").write_text('{"about": "Über"}')
    catalog = MessageCatalog.load((), [tmp_path])
    assert catalog.is_translated(language) is is_translated
