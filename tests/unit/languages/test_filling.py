from __future__ import annotations

import pytest

from wikiapi.languages.filling import resolve_genders
from wikiapi.languages.message import Plain


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("$1 {{GENDER:$1|he|she|they}}", "$1 she"),
        ("{{GENDER:$2|he|she|they}}", "he"),
        ("{{gender:$3|he|she|they}} {{GENDER:$3|he|she}}", "they he"),
        ("{{GENDER:$2|did}} {{GENDER:$1|did}}", "did did"),
        ("{{GENDER:$9|he|she|they}}", "they"),
        ("{{GENDER:Ada|he|she}}", "{{GENDER:Ada|he|she}}"),
    ],
)
def test_genders(template: str, text: str) -> None:
    genders = {"Ada": "female", "Bob": "male", "Eva": "", "": ""}
    assert resolve_genders(template, ("Ada", Plain("Bob"), "Eva"), genders.__getitem__) == text
