from __future__ import annotations

import click
import pytest

from wikiapi.cli.get import parameters


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["action=query", "titles=A B"], {"action": "query", "titles": "A B"}),
        (["titles=Q&A", "text=a=b"], {"titles": "Q&A", "text": "a=b"}),
        (["action=query&titles=A+B%26C"], {"action": "query", "titles": "A B&C"}),
        (["?action=query&redirects"], {"action": "query", "redirects": ""}),
        (["/w/api.php?action=help"], {"action": "help"}),
        (["https://x.example/w/api.php?action=query&meta=userinfo"],
         {"action": "query", "meta": "userinfo"}),
        (["action=query&titles=A", "titles=B"], {"action": "query", "titles": "B"}),
        (["titles=100%", "action=query"], {"titles": "100%", "action": "query"}),
        (["redirects="], {"redirects": ""}),
        (["https://x.example/w/api.php"], {}),
    ],
)  # fmt: skip
def test_forms_of_a_request(words: list[str], expected: dict[str, str]) -> None:
    assert parameters(words) == expected


@pytest.mark.parametrize("word", ["query", "=x", ""])
def test_words_that_are_not_parameters(word: str) -> None:
    with pytest.raises(click.UsageError, match="name=value"):
        parameters([word])
