from __future__ import annotations

import pytest

from wikiapi.languages.magicwords import MagicWords
from wikiapi.testing import make_site
from wikiapi.title.redirects import Redirects


@pytest.mark.parametrize(
    ("language", "text", "target", "rest"),
    [
        ("en", "#REDIRECT [[A]]\n\n\nb", "A", "b"),
        ("en", " #redirect:[[:a|c]] \t b\n", "A", "b\n"),
        ("en", "#REDIRECT\n[[A#b]]", "A", ""),
        ("en", "#REDIRECT [[A]]\u3000b", "A", "\u3000b"),
        ("en", "#REDIRECT [[A|\n]]", None, ""),
        ("en", "\u3000#REDIRECT [[A]]", None, ""),
        ("en", "x #REDIRECT [[A]]", None, ""),
        ("en", "#WEITERLEITUNG [[A]]", None, ""),
        ("de", "#weiterleitung [[A]] b", "A", "b"),
        ("de", "#REDIRECT [[A]]", "A", ""),
        ("ja", "＃転送 [[A]]", "A", ""),
    ],
)
def test_redirects(language: str, text: str, target: str | None, rest: str) -> None:
    site = make_site({}, config={"site": {"language": language}})
    parts = site.redirects.split(text)
    site.db.close()
    assert (parts and (parts[0].text, parts[1])) == (target and (target, rest))


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [
        ("en", "A", "#REDIRECT [[A]]"),
        ("en", "Category:A", "#REDIRECT [[:Category:A]]"),
        ("fr", "Category:A", "#REDIRECTION [[:Catégorie:A]]"),
    ],
)
def test_text(language: str, title: str, text: str) -> None:
    site = make_site({}, config={"site": {"language": language}})
    redirects = Redirects(site.titles, MagicWords(language))
    assert redirects.text(site.titles.parse(title)) == text
    assert redirects.target(text) == site.titles.parse(title)
    site.db.close()
