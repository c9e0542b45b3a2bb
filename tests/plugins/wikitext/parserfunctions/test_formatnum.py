"""``{{formatnum:}}``: languages; pages that have more than numbers written are tracked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site


@pytest.mark.parametrize(
    ("call", "is_tracked"),
    [
        ("{{formatnum:1234.5}}", False),
        ("{{formatnum:-1e3|NOSEP}}", False),
        ("{{formatnum:}}", False),
        ("{{formatnum:NAN}}{{formatnum:-INF}}", False),
        ("{{formatnum:1<nowiki/>}}", False),
        ("{{formatnum:a 1|R}}", False),
        ("{{formatnum:a 1}}", True),
        ("{{formatnum:1,234|NOSEP}}", True),
        ("{{formatnum:١|LOSSLESS}}", True),
        ("{{formatnum:<nowiki/>1}}", True),
    ],
)
def test_texts_without_a_number_are_tracked(
    make_site: Callable[..., Site], call: str, is_tracked: bool
) -> None:
    site = make_site({})
    output = site.parser.parse(call, site.titles.parse("Page"))
    assert ("Pages_with_non-numeric_formatnum_arguments" in output.categories) is is_tracked


@pytest.mark.parametrize(
    ("language", "number", "grouped", "without_groups"),
    [
        ("ta", "1234567.5", "12,34,567.5", "1234567.5"),
        ("pl", "1234.5", "1234,5", "1234.5"),
        ("pl", "12345.5", "12\u00a0345,5", "12345.5"),
    ],
)
def test_groups_are_those_of_the_language(
    make_site: Callable[..., Site], language: str, number: str, grouped: str, without_groups: str
) -> None:
    site = make_site({}, config={"site": {"language": language}})
    page = site.titles.parse("Page")
    assert site.parser.expand(f"{{{{formatnum:{number}}}}}", page) == grouped
    assert site.parser.expand(f"{{{{formatnum:{grouped}|R}}}}", page) == number
    assert site.parser.expand(f"{{{{formatnum:{number}|NOSEP}}}}", page) == without_groups
