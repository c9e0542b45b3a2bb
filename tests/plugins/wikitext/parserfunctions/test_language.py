"""Functions about languages: codes that are none."""

from __future__ import annotations

import pytest

CATEGORY = "Pages_with_invalid_language_codes"


pytestmark = pytest.mark.wiki()


@pytest.mark.parametrize(
    ("text", "direction", "is_tracked"),
    [
        ("{{#dir:he}}", "rtl", False),
        ("{{#dir:none-such}}", "ltr", False),
        ("{{#dir}} {{#dir:}}", "ltr ltr", False),
        ("{{#dir:a&b}}", "ltr", True),
        ("{{#dir:a/b|bcp47}}", "ltr", True),
    ],
)
def test_codes_that_are_none_are_tracked(site, text, direction, is_tracked):
    output = site.parser.parse(text, site.titles.parse("Page"))
    assert f"<p>{direction}\n</p>" in output.html
    assert (CATEGORY in output.categories) is is_tracked
