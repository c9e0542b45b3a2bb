from __future__ import annotations

from tests.filewiki import make_file_wiki
from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.site import Site


def test_the_page_names_bad_files_and_exceptions(wiki: Site) -> None:
    bad = BadFiles(wiki)
    assert bad.is_bad("Photo.jpg")
    assert bad.is_bad("Photo.jpg", wiki.titles.parse("Other"))
    assert not bad.is_bad("Photo.jpg", wiki.titles.parse("Home"))
    assert not bad.is_bad("Copy.jpg")


def test_the_setting_names_bad_files() -> None:
    site = make_file_wiki({"files": {"bad_files": ["Some file.png"]}})
    assert BadFiles(site).is_bad("Some_file.png", site.titles.parse("Home"))
    site.db.close()
