"""Names of user pages in languages that name them by the gender of the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import UserProperties
from wikiapi.testing import ask


@pytest.fixture(scope="module")
def site(make_module_site: Callable[..., Site]) -> Site:
    made = make_module_site(
        {"Utilisateur:Ada/x": "a", "Utilisateur:Bob": "[[User:Ada]]"},
        config={"site": {"language": "fr"}},
        users=["Ada", "Bob", "Eva"],
    )
    made.db.insert_many(UserProperties, [(1, "gender", "female"), (2, "gender", "male")])
    made.genders.forget()
    return made


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("User:Ada", "Utilisatrice:Ada"),
        ("Utilisateur:Ada/x", "Utilisatrice:Ada/x"),
        ("User talk:Ada", "Discussion utilisatrice:Ada"),
        ("Utilisatrice:Bob", "Utilisateur:Bob"),
        ("User:Eva", "Utilisateur:Eva"),
        ("Ada", "Ada"),
    ],
)
def test_titles(site: Site, text: str, name: str) -> None:
    title = site.titles.parse(text)
    assert title.prefixed_text == name
    assert site.titles.make(*title.key) == title
    assert site.titles.prefixed(*title.key) == name


def test_talk_and_subject(site: Site) -> None:
    title = site.titles.parse("User:Ada")
    talk = site.titles.talk(title)
    assert talk is not None
    assert talk.prefixed_text == "Discussion utilisatrice:Ada"
    assert site.titles.subject(talk) == title


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("{{FULLPAGENAME}} {{TALKPAGENAME}}", "Utilisatrice:Ada Discussion utilisatrice:Ada"),
        ("{{NAMESPACE:User:Ada}}", "Utilisatrice"),
        ("{{TALKSPACE}} {{SUBJECTSPACE}}", "Discussion utilisateur Utilisateur"),
        ("{{ns:2}}", "Utilisateur"),
    ],
)
def test_variables(site: Site, text: str, expanded: str) -> None:
    assert site.parser.expand(text, site.titles.parse("User:Ada")) == expanded


def _query(site: Site, **params: str) -> Any:
    return ask(site, {"action": "query", "formatversion": "2", **params}).data["query"]


def test_answers(site: Site) -> None:
    data = _query(site, titles="User:Ada/x|User:Bob", prop="links")
    assert {(each["from"], each["to"]) for each in data["normalized"]} == {
        ("User:Ada/x", "Utilisatrice:Ada/x"),
        ("User:Bob", "Utilisateur:Bob"),
    }
    assert [link["title"] for page in data["pages"] for link in page.get("links", ())] == [
        "Utilisatrice:Ada"
    ]
    listed = _query(site, list="allpages", apnamespace="2")["allpages"]
    assert [page["title"] for page in listed] == ["Utilisatrice:Ada/x", "Utilisateur:Bob"]
