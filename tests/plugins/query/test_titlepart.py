"""Parts of titles, as lists are begun and ended with."""

from __future__ import annotations

import pytest

from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi_plugins.query.titlepart import title_part


@pytest.mark.parametrize(
    ("text", "namespace", "key"),
    [
        ("alpha", 0, "Alpha"),
        ("foo bar", 0, "Foo_bar"),
        ("foo ", 0, "Foo_"),
        ("", 0, ""),
        ("", 10, ""),
        ("x", 0, "X"),
        ("X", 0, "X"),
        ("nav", 10, "Nav"),
    ],
)
def test_title_part(query_site: Site, text: str, namespace: int, key: str) -> None:
    assert title_part(query_site, text, namespace) == key


@pytest.mark.parametrize("text", ["bad[", "a#b", "Talk:a"])
def test_invalid_beginnings_of_titles(query_site: Site, text: str) -> None:
    with pytest.raises(ApiError):
        title_part(query_site, text, 0)
