"""A store tells what its pages' wiki is called, in which language, and with which namespaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.config import Config, NamespaceConfig, SiteConfig
from wikiapi.errors import InvalidSetting
from wikiapi.factory import open_site
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.origin import Origin, load_origin, messages_command, origin_of, save_origin
from wikiapi.importing.source import open_source
from wikiapi.importing.xml.records import DumpNamespace, SiteInfo
from wikiapi.site import Site

FRENCH = (
    dump(page("Modèle:Boîte", 1, ns=10), page("A", 2, revision(2, "{{Boîte}}")))
    .replace(b'xml:lang="en"', b'xml:lang="fr"')
    .replace(b">Template<", ">Modèle<".encode())
)


@pytest.fixture
def imported(make_site: Callable[..., Site], tmp_path: Path) -> Callable[[bytes], Site]:
    def make(data: bytes) -> Site:
        (tmp_path / "a.xml").write_bytes(data)
        site = make_site()
        with open_source(str(tmp_path / "a.xml")) as source:
            DumpImporter(site).import_dump(source)
        return site

    return make


def reopened(site: Site, config: Config | None = None) -> Site:
    return open_site(config or Config(), database=site.db)


def test_a_store_is_served_without_a_configuration(imported: Callable[[bytes], Site]) -> None:
    site = reopened(imported(FRENCH))
    assert site.language == "fr"
    assert site.config.site.name == "Tests"
    assert site.config.site.wiki_id == "testwiki"
    assert site.config.site.source == "https://tests.example/wiki/Main_Page"
    assert site.titles.parse("template:boîte").prefixed_text == "Modèle:Boîte"
    assert site.namespaces[4].name == "Tests"


def test_the_configuration_has_the_last_word(imported: Callable[[bytes], Site]) -> None:
    settings = Config(
        site=SiteConfig(name="Mine", language="de", project_namespace="Own"),
        namespaces=(NamespaceConfig(10, "Vorlage"),),
    )
    site = reopened(imported(FRENCH), settings)
    assert site.language == "de"
    assert site.config.site.name == "Mine"
    assert site.namespaces[4].name == "Own"
    assert site.namespaces[10].name == "Vorlage"


def test_an_empty_store_is_in_english(make_site: Callable[..., Site]) -> None:
    site = make_site()
    assert load_origin(site.db) == Origin()
    assert site.language == "en"


def test_case_sensitive_titles(imported: Callable[[bytes], Site]) -> None:
    site = reopened(imported(FRENCH.replace(b"first-letter", b"case-sensitive")))
    assert site.titles.parse("abc").dbkey == "abc"
    assert site.titles.parse("User:abc").dbkey == "Abc"


def test_main_page_that_cannot_be_one_is_ignored(imported: Callable[[bytes], Site]) -> None:
    data = FRENCH.replace(b"wiki/Main_Page", b"wiki/A%5B%5DB")
    site = reopened(imported(data))
    assert site.main_page.prefixed_text == "Accueil"


def test_right_to_edit_the_interface_is_kept_under_another_name(
    imported: Callable[[bytes], Site],
) -> None:
    data = FRENCH.replace(
        b'<namespace key="10"', b'<namespace key="8">Interface</namespace><namespace key="10"'
    )
    namespace = reopened(imported(data)).namespaces[8]
    assert (namespace.name, namespace.protection) == ("Interface", ("editinterface",))


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("fr", "fr"),
        ("gsw", "gsw"),
        ("zh-Hant-TW", "zh-tw"),
        ("nan", "nan"),
        ("sr-Cyrl", "sr-ec"),
        ("", ""),
        ("../etc", ""),
        ("qqqqqqqq", ""),
    ],
)
def test_language_of_a_head(code: str, language: str) -> None:
    assert origin_of(SiteInfo("", "", "", "", code, True, ())).language == language


def test_a_head_with_very_many_namespaces_keeps_the_language(
    make_site: Callable[..., Site],
) -> None:
    db = make_site().db
    many = tuple(DumpNamespace(number, f"{number}" * 50, True) for number in range(1000, 2000))
    save_origin(db, Origin({"language": "fr"}, many))
    assert load_origin(db) == Origin({"language": "fr"}, ())


def test_a_dump_of_another_wiki_does_not_change_it(
    imported: Callable[[bytes], Site], tmp_path: Path
) -> None:
    site = imported(FRENCH)
    other = dump(page("B", 3)).replace(b"testwiki", b"otherwiki")
    (tmp_path / "b.xml").write_bytes(other)
    with open_source(str(tmp_path / "b.xml")) as source:
        DumpImporter(site, any_wiki=True).import_dump(source)
    assert load_origin(site.db).language == "fr"


def test_settings_that_this_version_does_not_know_are_ignored(
    make_site: Callable[..., Site],
) -> None:
    site = make_site()
    save_origin(site.db, Origin({"language": "fr", "writable": True, "new": 1}))
    config = reopened(site).config.site
    assert config == replace(SiteConfig(), language="fr", server=config.server)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("https://fr.example/wiki/Accueil", "https://fr.example/wiki/Accueil"),
        ("", "URL"),
        ("https://x.example/$(reboot);`id`", "'https://x.example/$(reboot);`id`'"),
    ],
)
def test_a_command_can_be_copied_into_a_shell(source: str, place: str) -> None:
    assert messages_command(SiteConfig(source=source)) == f"wikiapi fetch-messages {place}"


def test_a_namespace_without_a_name_is_ignored(imported: Callable[[bytes], Site]) -> None:
    data = FRENCH.replace(b"<namespaces>", b'<namespaces><namespace key="3000"></namespace>')
    assert reopened(imported(data)).namespaces.get(3000) is None


def test_a_namespace_in_the_settings_needs_a_name(make_site: Callable[..., Site]) -> None:
    with pytest.raises(InvalidSetting, match="the namespace 3000 needs a name"):
        make_site(namespaces=[NamespaceConfig(3000)])
