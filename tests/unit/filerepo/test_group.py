"""Several repositories together."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.filewiki import make_file_wiki
from wikiapi.errors import PluginError
from wikiapi.filerepo import group
from wikiapi.filerepo.file import RepositoryUnavailable
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site


class Foreign:
    """A repository that holds the files of another wiki, or is down."""

    is_local = False
    is_remote = True

    def __init__(self, name: str, source: Site | None) -> None:
        self.name = name
        self.source = source
        self.breaks_off = False
        self.asked: list[list[str]] = []

    def find(self, names: Iterable[str]) -> dict[str, Any]:
        self.asked.append(list(names))
        if self.source is None:
            raise RepositoryUnavailable("down")
        files = self.source.files.local.find(self.asked[-1])
        if self.breaks_off:
            raise RepositoryUnavailable("broke off", files)
        return files

    def by_sha1(self, hashes: Iterable[str]) -> dict[str, Any]:
        raise RepositoryUnavailable("down")


class Plugin:
    """Registers repositories."""

    def __init__(self, *repositories: Foreign) -> None:
        self.repositories = repositories

    @hookimpl
    def register_file_repositories(self) -> Iterable[Foreign]:
        return self.repositories


@pytest.fixture
def foreign(wiki: Site) -> Foreign:
    return Foreign("commons", wiki)


@pytest.fixture
def site(make_site: Any, foreign: Foreign) -> Site:
    down = Foreign("down", None)
    return make_site(files=["Own.png"], plugins=[Plugin(down, foreign)])


def test_own_files_first_then_the_others_in_order(site: Site, foreign: Foreign) -> None:
    titles = [site.titles.parse(f"File:{name}") for name in ("Own.png", "Photo.jpg", "Nope.png")]
    files = site.files.find(titles)
    assert {title.dbkey: file.is_local for title, file in files.items()} == {
        "Own.png": True,
        "Photo.jpg": True,
    }
    assert foreign.asked == [["Nope.png", "Photo.jpg"]]


def test_local_only(site: Site, foreign: Foreign) -> None:
    assert site.files.find([site.titles.parse("File:Photo.jpg")], local_only=True) == {}
    assert foreign.asked == []


def test_known(site: Site) -> None:
    titles = [site.titles.parse(f"File:{name}") for name in ("Own.png", "Photo.jpg", "Nope.png")]
    assert {title.dbkey for title in site.files.existing(titles)} == {"Own.png", "Photo.jpg"}


def test_only_file_titles_stand_for_files(site: Site, foreign: Foreign) -> None:
    assert site.files.find([site.titles.parse("Photo.jpg")]) == {}
    assert foreign.asked == []


def test_a_silent_repository_is_logged(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "wikiapi.filerepo"):
        site.files.find([site.titles.parse("File:Photo.jpg")])
        assert site.files.by_sha1(["0" * 31])["0" * 31][0].name == "Own.png"
    assert "file repository down cannot be reached: down" in caplog.messages


def test_a_part_of_an_answer_is_used(site: Site, foreign: Foreign) -> None:
    foreign.breaks_off = True
    title = site.titles.parse("File:Photo.jpg")
    before = site.files.outages
    assert site.files.find([title]).keys() == {title}
    assert site.files.outages == before + 2


def test_a_silent_repository_does_not_fill_the_log(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter((1.0, 1.0, 1.5, 2.0, 2.9))
    clock = SimpleNamespace(monotonic=lambda: next(moments))
    monkeypatch.setattr(group, "time", clock)
    with caplog.at_level(logging.WARNING, "wikiapi.filerepo"):
        for _ in range(5):
            site.files.find([site.titles.parse("File:Photo.jpg")])
    assert len(caplog.messages) == 2


@pytest.mark.parametrize("names", [("local",), ("twice", "twice")])
def test_names_are_unique(names: tuple[str, ...]) -> None:
    with pytest.raises(PluginError):
        make_file_wiki(plugins=[Plugin(*(Foreign(name, None) for name in names))])
