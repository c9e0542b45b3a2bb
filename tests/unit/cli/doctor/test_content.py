from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from wikiapi.cli.doctor import store
from wikiapi.config import Config, SiteConfig
from wikiapi.factory import open_site
from wikiapi.importing.importer import Checkpoint
from wikiapi.importing.origin import set_wiki_id
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.store.check import Finding
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database

INTERWIKI = {"de": "https://de.example/$1"}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    made = make_site({"Main Page": "[[Other]]", "Other": "x"}, interwiki=INTERWIKI)
    made.db.execute_sql("UPDATE page SET page_links_updated = page_touched")
    return made


def only(findings: Iterator[Finding]) -> str:
    (finding,) = findings
    assert finding.advice
    return finding.problem


CHECKS = (
    store.check_pages,
    store.check_links,
    store.check_collation,
    store.check_search,
    store.check_wiki,
    store.check_namespaces,
    store.check_main_page,
    store.check_messages,
    store.check_content_models,
    store.check_interwiki,
    store.check_unknown,
)


@pytest.mark.parametrize("check", CHECKS)
def test_a_whole_wiki(site: Site, check: Callable[[Any], Iterator[Finding]]) -> None:
    assert list(check(site)) == []


def test_no_pages(make_site: Callable[..., Site]) -> None:
    empty = make_site()
    assert only(store.check_pages(empty)) == "the store has no pages"
    assert list(store.check_main_page(empty)) == []
    assert only(store.check_interwiki(empty)).startswith("the interwiki map is empty")


def test_an_import_that_was_stopped(site: Site) -> None:
    Checkpoint("a", 12).save(site.db)
    Checkpoint("b", 99, done=True).save(site.db)
    assert only(store.check_pages(site)) == "an import was stopped after 12 pages"


def test_links_that_wait(site: Site) -> None:
    site.db.execute_sql("UPDATE page SET page_links_updated = NULL WHERE page_id = 1")
    problem = only(store.check_links(site))
    assert problem == "the links of 1 of 2 pages have not been derived"


def test_empty_link_tables(site: Site) -> None:
    site.db.execute_sql("DELETE FROM pagelinks")
    assert only(store.check_links(site)) == "no page links to another"


def test_no_search_index(site: Site) -> None:
    site.db.execute_sql("DROP TABLE searchindex")
    assert only(store.check_search(site)).startswith("there is no full-text index")


def test_the_index_of_mediawiki_on_a_server(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there, and its words are in a code that only MediaWiki reads."""
    monkeypatch.setattr(type(site.db.dialect), "searches_mediawiki", False)
    monkeypatch.setattr(site.db, "full_text", "")
    assert only(store.check_search(site)).startswith("there is no full-text index")
    monkeypatch.setattr("wikiapi.store.schema.migrate.version", lambda _db: 0)
    assert only(store.check_search(site)).startswith("MediaWiki's own full-text index")


def test_pages_that_the_search_does_not_know(site: Site) -> None:
    site.db.execute_sql("DELETE FROM searchindex WHERE rowid = 1")
    assert only(store.check_search(site)) == "1 of 2 pages are not in the full-text index"


def test_pages_of_another_wiki(site: Site) -> None:
    set_wiki_id(site.db, "frwiki")
    assert only(store.check_wiki(site)) == (
        "the pages are of the wiki 'frwiki', but the configuration is for 'wiki'"
    )


def test_a_namespace_that_is_not_configured(site: Site) -> None:
    site.db.execute_sql("UPDATE page SET page_namespace = 3000 WHERE page_id = 2")
    (finding,) = store.check_namespaces(site)
    assert finding.problem == "1 page is in namespace 3000, which is not configured"
    assert "id = 3000" in finding.advice


def test_a_main_page_that_is_not_there(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "a"}, config={"site": {"main_page": "None"}})
    assert only(store.check_main_page(site)) == "the main page, 'None', is not in the store"


def test_a_content_model_without_a_renderer(site: Site) -> None:
    site.db.execute_sql(
        "INSERT INTO content_models (model_id, model_name) VALUES (50, 'flow-board')"
    )
    site.db.execute_sql("UPDATE content SET content_model = 50 WHERE content_id = 1")
    assert only(store.check_content_models(site)) == (
        "pages have the content model 'flow-board', which no plugin renders"
    )


def test_modules_without_lua(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "lupa" else find(name)
    )
    site.db.execute_sql(
        "INSERT INTO content_models (model_id, model_name) VALUES (50, 'Scribunto')"
    )
    assert list(store.check_content_models(site)) == []
    site.db.execute_sql("UPDATE content SET content_model = 50 WHERE content_id = 1")
    (finding,) = store.check_content_models(site)
    assert "wikiapi-server[lua]" in finding.advice


def test_links_with_other_settings(site: Site) -> None:
    french = open_site(Config(site=SiteConfig(language="fr")), database=site.db)
    assert only(store.check_links(french)) == (
        "links were derived with other settings: site.language"
    )


def test_sort_keys_of_another_collation(make_site: Callable[..., Site]) -> None:
    site = make_site({"Ä": "[[Category:X]]"})
    numeric = open_site(Config(site=SiteConfig(category_collation="numeric")), database=site.db)
    (finding,) = store.check_collation(numeric)
    assert finding.problem == "sort keys were made by uppercase, and 'numeric' is set"
    assert finding.advice == "`wikiapi links` makes them again."
    site.db.execute_sql("DELETE FROM updatelog WHERE ul_key LIKE 'wikiapi-%'")
    (finding,) = store.check_collation(numeric)
    assert finding.advice == "Set category_collation = 'uppercase' in [site] of wikiapi.toml."
    site.db.execute_sql("UPDATE categorylinks SET cl_sortkey = 'B'")
    assert only(store.check_collation(site)) == (
        "1 sort key is not what 'uppercase' makes here of the first 500, such as that of 'Ä'"
    )


def test_sort_keys_without_icu(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "icu", None)
    with closing(Database(f"sqlite:///{tmp_path}/copy.sqlite")) as db:
        list(copy_store(site.db, db))
    with closing(Database(f"sqlite:///{tmp_path}/copy.sqlite", read_only=True)) as db:
        config = Config(site=SiteConfig(category_collation="uca-da"))
        (finding,) = store.check_collation(open_site(config, database=db))
    assert finding.problem.startswith("the wiki sorts by 'uca-da', and PyICU is not installed")
    assert finding.advice == "`pip install 'wikiapi-server[icu]'`"


def test_no_messages_in_the_language(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"site": {"language": "fr", "source": "https://fr.example/"}})
    (finding,) = store.check_messages(site)
    assert finding.problem == "there are no messages in the wiki's language, 'fr'"
    assert "`wikiapi fetch-messages https://fr.example/` gets" in finding.advice


THIRD_PARTY = {
    "Main Page": "[[Other]] {{#ask:a|b}} {{Tabs}}",
    "Other": "{{Tabs}} {{#nobody:x}}",
    "Template:Tabs": "<quiz>a=b</quiz>",
}
FOUND = (
    "no plugin knows <quiz> on 3 pages, of the extension Quiz",
    "no plugin knows {{#ask:}} on 1 page, of the extension Semantic MediaWiki",
    "no plugin knows {{#nobody:}} on 1 page, of an unknown extension",
)


def test_tags_and_functions_that_no_plugin_knows(make_site: Callable[..., Site]) -> None:
    site = make_site(THIRD_PARTY)
    mark_all(site.db)
    LinksUpdate(site).run()
    assert tuple(finding.problem for finding in store.check_unknown(site)) == FOUND


def test_a_database_of_mediawiki_is_sampled(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(THIRD_PARTY)
    site.db.execute_sql("DELETE FROM updatelog")
    site.db.execute_sql("DELETE FROM page_props")
    assert tuple(finding.problem for finding in store.check_unknown(site)) == FOUND
    monkeypatch.setattr(store, "_SECONDS", 0.0)
    assert list(store.check_unknown(site)) == []


def test_names_are_not_looked_for_unless_wanted(make_site: Callable[..., Site]) -> None:
    site = make_site(THIRD_PARTY, config={"site": {"track_unknown": False}})
    site.db.execute_sql("DELETE FROM updatelog")
    assert list(store.check_unknown(site)) == []
