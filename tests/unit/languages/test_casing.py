from __future__ import annotations

import pytest

from wikiapi.languages.casing import lower, lower_first, upper_first


@pytest.mark.parametrize(
    ("text", "changed"), [("", ""), ("ÀB", "àb"), ("ΣΑΣ", "σασ"), ("İ", "i\u0307")]
)
def test_lower(text: str, changed: str) -> None:
    assert lower(text) == changed


@pytest.mark.parametrize(
    ("language", "text", "changed"),
    [
        ("en", "", ""),
        ("en", "ab", "Ab"),
        ("en", "ßa", "Ssa"),
        ("en", "ǆa", "ǅa"),
        ("en", "ათ", "ათ"),
        ("nl", "ijs", "Ijs"),
        ("tr", "istanbul", "İstanbul"),
        ("az", "istanbul", "İstanbul"),
    ],
)
def test_upper_first(language: str, text: str, changed: str) -> None:
    assert upper_first(text, language) == changed


@pytest.mark.parametrize(
    ("language", "text", "changed"),
    [("en", "Ab", "ab"), ("en", "IJS", "iJS"), ("tr", "IJS", "ıJS"), ("az", "IJS", "iJS")],
)
def test_lower_first(language: str, text: str, changed: str) -> None:
    assert lower_first(text, language) == changed
