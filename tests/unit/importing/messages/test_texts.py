from __future__ import annotations

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.messages import texts
from wikiapi.importing.messages.texts import Texts


def test_they_are_sorted_and_named_as_messages() -> None:
    found = Texts([("Sidebar", "a"), ("about page", "b"), ("aboutpage", "c"), ("aboutpage", "d")])
    assert list(found.items()) == [("about_page", "b"), ("aboutpage", "d"), ("sidebar", "a")]
    assert len(found) == 3


@pytest.mark.parametrize("name", ["", "a\nb", "a\x00", "x" * 256])
def test_a_name_that_no_message_has(name: str) -> None:
    with pytest.raises(DumpError, match="is not the name of a message"):
        Texts([(name, "")])


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_MESSAGES", 2)
    with pytest.raises(DumpError, match="more than 2 messages"):
        Texts([("a", ""), ("b", ""), ("c", "")])
    monkeypatch.setattr(texts, "MAX_CHARACTERS", 10)
    found = Texts([("a", "x" * 10)])
    found.add("a", "y" * 10)
    with pytest.raises(DumpError, match="characters"):
        found.add("b", "x")
