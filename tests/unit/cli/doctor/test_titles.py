"""First letters of titles, and the settings of the dump, against the configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from wikiapi.cli.doctor.store import check_capitals, check_dump
from wikiapi.config import parse_config
from wikiapi.importing.origin import Origin, save_origin
from wikiapi.importing.xml.records import DumpNamespace
from wikiapi.site import Site
from wikiapi.store.check import Finding
from wikiapi.store.models import Page

Make = Callable[..., Site]


def with_titles(site: Site, titles: Iterable[str], namespace: int = 0) -> Site:
    """Rename the pages of a site, whose titles are capitalised, to titles as they are stored."""
    ids = [number for (number,) in site.db.execute(Page.select(Page.page_id))]
    for number, title in zip(ids, titles, strict=True):
        values = {Page.page_title: title, Page.page_namespace: namespace}
        site.db.execute_write(Page.update(values).where(Page.page_id == number))
    return site


def said(findings: Iterable[Finding]) -> list[str]:
    return [f"{finding.problem}; {finding.advice}" for finding in findings]


def test_capitals_that_fit(make_site: Make) -> None:
    titles = ["Tea", "Éa", "漢字", "123", "Ωmega", "Я", "ა", "ʻa"]
    site = with_titles(make_site({f"Page {n}": "x" for n in range(len(titles))}), titles)
    assert said(check_capitals(site)) == []


@pytest.mark.parametrize(
    ("titles", "number", "example"),
    [
        (["iPod", "Tea"], "1 title begins", "iPod"),
        (["ünder_way", "éa", "z", "Z"], "3 titles begin", "z"),
        (["я", "ω", "a", "漢字"], "3 titles begin", "a"),
        (["𐐨", "x_y"], "2 titles begin", "x y"),
    ],
)
def test_small_letters_on_a_wiki_with_capitals(
    make_site: Make, titles: list[str], number: str, example: str
) -> None:
    site = with_titles(make_site({f"Page {n}": "x" for n in range(len(titles))}), titles)
    (text,) = said(check_capitals(site))
    assert text == (
        f"{number} with a small letter in the main namespace, such as {example!r}, but titles are"
        " capitalised here, so that nobody can reach these pages; To make titles case-sensitive,"
        " set capital_links = false in [site]."
    )


def test_small_letters_in_another_namespace(make_site: Make) -> None:
    site = with_titles(make_site({"Page 0": "x"}), ["iPod"], namespace=10)
    (text,) = said(check_capitals(site))
    assert "in the namespace 'Template', such as 'iPod'" in text
    assert text.endswith("set first_letter = false in [[namespaces]] with id = 10.")


def test_only_capitals_on_a_case_sensitive_wiki(make_site: Make) -> None:
    config = parse_config({"site": {"capital_links": False}})
    site = make_site({f"Page {number}": "x" for number in range(100)}, config=config)
    (text,) = said(check_capitals(site))
    assert text == (
        "none of 100 titles in the main namespace begins with a small letter, although they are"
        " case-sensitive; If this is not intended, set capital_links = true in [site]."
    )
    few = make_site({"Page": "x"}, config=config)
    assert said(check_capitals(few)) == []


def test_turkish_letters(make_site: Make) -> None:
    config = parse_config({"site": {"language": "tr"}})
    site = with_titles(make_site({"A": "x", "B": "x"}, config=config), ["İstanbul", "istanbul"])
    (text,) = said(check_capitals(site))
    assert text.startswith("1 title begins with a small letter")


def test_queries_are_few(make_site: Make) -> None:
    titles = [f"{chr(0x4E00 + number)}x" for number in range(300)]
    site = with_titles(make_site({f"Page {n}": "x" for n in range(300)}), titles)
    with site.db.recording() as records:
        assert said(check_capitals(site)) == []
    assert len(records) < 20


def test_settings_that_differ_from_those_of_the_dump(make_site: Make) -> None:
    config = parse_config(
        {
            "site": {"name": "Mine", "language": "fr"},
            "namespaces": [{"id": 100, "name": "Portail"}],
        }
    )
    site = make_site({"A": "x"}, config=config)
    namespaces = (DumpNamespace(100, "Portal", True), DumpNamespace(102, "Quest", True))
    settings = {"name": "Wiki of all", "language": "en", "capital_links": False}
    save_origin(site.db, Origin(settings, namespaces))
    assert [finding.problem for finding in check_dump(site)] == [
        "the dump's wiki is called 'Wiki of all', the configuration's 'Mine'",
        "the dump's language is 'en', the configuration's 'fr'",
        "titles of the dump are case-sensitive; see the setting capital_links",
        "namespace 100 is 'Portal' in the dump, 'Portail' here",
        "namespace 102 ('Quest') is not configured",
    ]


def test_a_store_without_a_dump(make_site: Make) -> None:
    assert said(check_dump(make_site({"A": "x"}))) == []
