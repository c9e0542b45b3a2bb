from __future__ import annotations

import pytest

from wikiapi.title.namespaces import MAIN, Namespace, NamespaceTable, core_namespaces


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("", 0),
        ("Talk", 1),
        ("talk", 1),
        ("TALK", 1),
        ("user talk", 3),
        ("User_talk", 3),
        (" user_talk ", 3),
        ("Project", 4),
        ("My Wiki", 4),
        ("my_wiki talk", 5),
        ("Image", 6),
        ("image_talk", 7),
        ("w", 100),
        ("Special", -1),
    ],
)
def test_find(namespaces: NamespaceTable, name: str, number: int) -> None:
    namespace = namespaces.find(name)
    assert namespace is not None
    assert namespace.id == number


@pytest.mark.parametrize("name", ["Bogus", "usertalk", "Talk:", "100", "de"])
def test_find_of_no_namespace(namespaces: NamespaceTable, name: str) -> None:
    assert namespaces.find(name) is None


def test_numbers_ascend(namespaces: NamespaceTable) -> None:
    numbers = [namespace.id for namespace in namespaces]
    assert numbers == sorted(numbers)
    assert namespaces.ids(virtual=True) == tuple(numbers)
    assert namespaces.ids() == tuple(number for number in numbers if number >= 0)


def test_look_up_by_number(namespaces: NamespaceTable) -> None:
    assert 828 in namespaces
    assert 77 not in namespaces
    assert namespaces.get(77) is None
    assert namespaces[10].canonical == "Template"
    with pytest.raises(KeyError):
        namespaces[77]


@pytest.mark.parametrize(
    ("number", "subject", "talk"),
    [(0, 0, 1), (1, 0, 1), (6, 6, 7), (7, 6, 7), (-1, -1, None), (-2, -2, None), (100, 100, None)],
)
def test_talk_and_subject(
    namespaces: NamespaceTable, number: int, subject: int, talk: int | None
) -> None:
    namespace = namespaces[number]
    talk_namespace = namespaces.talk(namespace)
    assert namespaces.subject(namespace).id == subject
    assert (talk_namespace and talk_namespace.id) == talk


def test_kinds() -> None:
    assert Namespace(1, "Talk", "Talk").is_talk
    assert not Namespace(-1, "Special", "Special").is_talk
    assert Namespace(-1, "Special", "Special").is_virtual
    assert not Namespace(MAIN, "", "").is_virtual


def test_prefix() -> None:
    assert Namespace(MAIN, "", "").prefix == ""
    assert Namespace(3, "User talk", "User talk").prefix == "User talk:"


def test_core_namespaces_are_mediawikis() -> None:
    core = core_namespaces("Foo", main_subpages=True)
    assert [namespace.id for namespace in core] == list(range(-2, 16))
    assert core[2].subpages
    assert [namespace.id for namespace in core if namespace.content] == [MAIN]
    assert not NamespaceTable(core_namespaces("Foo"))[MAIN].subpages


def test_later_namespace_wins_a_shared_name() -> None:
    table = NamespaceTable(
        [*core_namespaces("Help"), Namespace(100, "Portal", "Portal", ("Talk",))]
    )
    help_ = table.find("Help")
    talk = table.find("Talk")
    assert help_ is not None
    assert talk is not None
    assert (help_.id, talk.id) == (12, 100)
