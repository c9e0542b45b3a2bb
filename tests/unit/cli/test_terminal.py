from __future__ import annotations

from wikiapi.cli.support.options import printable


def test_escape_sequences_lose_their_beginning() -> None:
    assert printable("a\x1b[31mred\x9b2J\x07") == "a\ufffd[31mred\ufffd2J\ufffd"


def test_text_of_any_script_stays() -> None:
    text = "Tab\there\nünï 中文 عربي"
    assert printable(text) == text


def test_direction_overrides_are_shown() -> None:
    assert printable("a\u202eb\u2066c") == "a\ufffdb\ufffdc"
