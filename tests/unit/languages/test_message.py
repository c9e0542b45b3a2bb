from __future__ import annotations

from wikiapi.languages.message import ListOf, Message, Num, Plain, plain_list


def test_messages_are_values() -> None:
    assert Message.of("a", "b", Num(1)) == Message("a", ("b", Num(1)))
    assert len({Message.of("a"), Message("a"), Message.of("a", "b")}) == 2


def test_plain_list() -> None:
    assert plain_list(iter(["a", "b"])) == ListOf((Plain("a"), Plain("b")), "text")
    assert plain_list([], "comma").kind == "comma"
