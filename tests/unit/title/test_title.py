from __future__ import annotations

import pytest

from wikiapi.title.addresses import spell_address
from wikiapi.title.namespaces import Namespace
from wikiapi.title.title import Title

MAIN = Namespace(0, "", "")
USER_TALK = Namespace(3, "User talk", "User talk")


def test_forms_of_a_title() -> None:
    title = Title(USER_TALK, "Ada_Example", "See also")
    assert title.key == (3, "Ada_Example")
    assert title.ns == 3
    assert title.text == "Ada Example"
    assert title.prefixed_text == "User talk:Ada Example"
    assert title.prefixed_dbkey == "User_talk:Ada_Example"
    assert title.full_text == "User talk:Ada Example#See also"
    assert not title.is_external


def test_title_of_another_wiki() -> None:
    title = Title(MAIN, "Talk:Foo_bar", "", "de")
    assert title.is_external
    assert title.prefixed_text == "de:Talk:Foo bar"
    assert title.prefixed_dbkey == "de:Talk:Foo_bar"
    assert title.full_text == title.prefixed_text


def test_without_fragment() -> None:
    title = Title(MAIN, "Foo", "bar", "de")
    assert title.without_fragment() == Title(MAIN, "Foo", "", "de")
    assert title.without_fragment().without_fragment() is not title
    plain = Title(MAIN, "Foo")
    assert plain.without_fragment() is plain


def test_titles_are_values() -> None:
    assert Title(MAIN, "Foo") == Title(Namespace(0, "", ""), "Foo")
    assert len({Title(MAIN, "Foo"), Title(MAIN, "Foo"), Title(MAIN, "Foo", "x")}) == 2


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.000.02.001", "192.0.2.1"),
        ("::", "0:0:0:0:0:0:0:0"),
        ("2001:0db8::00ff", "2001:DB8:0:0:0:0:0:FF"),
        ("192.0.2.0/24", "192.0.2.0/24"),
        ("::/128", "0:0:0:0:0:0:0:0/128"),
        ("192.0.2.0/33", None),
        ("::/129", None),
        ("192.0.2.0/", None),
        ("192.0.2.0/-1", None),
        ("192.0.2.256", None),
        ("192.0.2", None),
        ("1.2.3.4\n", None),
        (" 1.2.3.4", None),
        ("١.٢.٣.٤", None),
        ("fe80::1%eth0", None),
        (":::", None),
        ("", None),
        ("Ada", None),
    ],
)
def test_spell_address(text: str, spelled: str | None) -> None:
    assert spell_address(text) == spelled
