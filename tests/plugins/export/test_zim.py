"""The metadata of a ZIM file, without libzim."""

from __future__ import annotations

import pytest

from wikiapi_plugins.export.zim import three_letters


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("fr", "fra"),
        ("pt-br", "por"),
        ("sr-ec", "srp"),
        ("af", "afr"),
        ("gsw", "gsw"),
        ("simple", "eng"),
        ("zh-yue", "yue"),
        ("qqqqqqqq", "mul"),
    ],
)
def test_code_of_a_language(language: str, code: str) -> None:
    assert three_letters(language) == code
