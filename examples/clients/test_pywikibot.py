"""Tests of ``tidy.py``, and examples of other tests with Pywikibot."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.testing import DeclaredUser, Edit, Wiki

pywikibot = pytest.importorskip("pywikibot")
from pywikibot import pagegenerators  # noqa: E402
from tidy import detours, tidied  # noqa: E402

pytestmark = pytest.mark.wiki(
    {
        "Tea": "Like [[Coffee]], unlike [[Brew]] and [[Nothing]]. {{Drink|hot}}",
        "Coffee": [Edit("Black.", user="Ada"), Edit("Black and hot.", user="Bob")],
        "Brew": "#REDIRECT [[Beer#History]]",
        "Beer": "Brewed.",
        "Template:Drink": "{{{1}}} [[Category:Drinks]]",
    },
    users=[DeclaredUser("Ada", groups=("sysop",)), "Bob"],
)


@pytest.fixture
def tea(pywikibot_site: Any) -> Any:
    """Return the page that most tests use."""
    return pywikibot.Page(pywikibot_site, "Tea")


def test_detours_are_found(tea: Any) -> None:
    """Links to articles and to missing pages are not detours."""
    assert list(detours(tea)) == [("Brew", "Beer")]


def test_detours_are_replaced(tea: Any) -> None:
    """The bot would save a text with direct links."""
    assert "unlike [[Beer|Brew]] and" in tidied(tea)


def test_the_bot_saves_what_it_has_tidied(wiki: Wiki, tea: Any) -> None:
    """The edit is in the list of what clients have written."""
    tea.text = tidied(tea)
    tea.save("Direct links")
    assert "unlike [[Beer|Brew]] and" in str(wiki.text("Tea"))
    (write,) = wiki.writes
    assert (write.user, write.params["summary"], write.error) == ("Ada", "Direct links", "")


def test_a_page_without_detours_is_unchanged(wiki: Wiki, pywikibot_site: Any) -> None:
    """A redirect that became an article is not a detour."""
    wiki.edit("Brew", "Brewed as well.")
    page = pywikibot.Page(pywikibot_site, "Tea")
    assert tidied(page) == wiki.text("Tea")


def test_categories_of_templates(wiki: Wiki, pywikibot_site: Any) -> None:
    """An edit of a template moves the pages that use it to another category."""
    wiki.edit("Template:Drink", "{{{1}}} [[Category:Hot drinks]]")
    category = pywikibot.Category(pywikibot_site, "Category:Hot drinks")
    assert [page.title() for page in category.articles(namespaces=0)] == ["Tea"]


def test_generators(pywikibot_site: Any) -> None:
    """Page generators of a bot's command line work."""
    pages = pagegenerators.AllpagesPageGenerator(site=pywikibot_site, filterredir=False)
    assert [page.title() for page in pages] == ["Beer", "Coffee", "Tea"]


def test_contributors(wiki: Wiki, pywikibot_site: Any) -> None:
    """Contributors and timestamps are those of the edits."""
    wiki.clock.set("2026-02-03T04:05:06Z")
    wiki.edit("Coffee", "Cold.", user="Bob")
    page = pywikibot.Page(pywikibot_site, "Coffee")
    assert page.contributors() == {"Ada": 1, "Bob": 2}
    assert page.latest_revision.timestamp.isoformat() == "2026-02-03T04:05:06Z"
