"""The configurations of wikiapi beside MediaWiki."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.peer.store import SETTINGS, Store
from wikiapi.config import load_config


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    store.folder.mkdir()
    store.config.write_text(SETTINGS.read_text(encoding="utf-8"), encoding="utf-8")
    return store


def test_only_the_configuration_of_reading_has_no_cache(store: Store) -> None:
    files = (store.config, store.caching(), store.writable())
    assert [bool(load_config(file).cache.url) for file in files] == [False, True, True]


def test_only_the_writable_wiki_has_uploads(store: Store) -> None:
    configs = [load_config(file) for file in (store.config, store.caching(), store.writable())]
    assert [config.site.writable for config in configs] == [False, False, True]
    folders = [config.files.folder for config in configs]
    assert folders == ["", "", str(store.folder / "files")]
    assert len({config.site.name for config in configs}) == 1


def test_a_copy_is_in_a_folder_of_its_own(store: Store, tmp_path: Path) -> None:
    store.database.write_bytes(b"pages")
    copied = store.copy(tmp_path / "copies")
    copied.database.write_bytes(b"written")
    assert store.database.read_bytes() == b"pages"
    assert copied.options_with(copied.writable())[-1] == copied.url != store.url
