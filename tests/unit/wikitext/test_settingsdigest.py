"""Which settings keep renderings apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

import pytest

from wikiapi.cache.memory import MemoryCache
from wikiapi.config import Config
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagecache import StoredRevision, settings_digest

Settings = dict[str, Any]

RENDERING = {
    "a ceiling": {"limits": {"expansion_depth": 40}},
    "the expiry that the report tells": {"limits": {"parser_cache_expiry": 60}},
    "the language": {"site": {"language": "de"}},
    "the time zone": {"site": {"timezone": "Asia/Kolkata"}},
    "the server": {"site": {"server": "https://wiki.example.org"}},
    "where pages lie": {"site": {"article_path": "/$1"}},
    "the letters of titles": {"site": {"capital_links": False}},
    "a namespace": {"namespaces": [{"id": 828, "name": "Module"}]},
    "an alias": {"namespaces": [{"id": 4, "name": "Wiki", "aliases": ["W"]}]},
    "where files lie": {"files": {"url": "/uploads"}},
    "how files are drawn": {"files": {"svg_thumbnails": True}},
    "files not shown": {"files": {"bad_files": ["A.png"]}},
    "a repository": {"repositories": [{"name": "c", "api": "https://example.org/api.php"}]},
    "a plugin's settings": {"extensions": {"x": {"depth": 2}}},
    "a plugin's nested settings": {"extensions": {"x": {"a": {"b": ["c"]}}}},
    "the order of plugins": {"plugins": {"order": ["poem"]}},
}

INDIFFERENT: Mapping[str, Settings] = {
    "http": {"http": {"threads": 9, "secret_key": "k", "compress": False}},
    "database": {"database": {"query_deadline": 1.0, "pool_size": 3}},
    "cache": {"cache": {"size": 1000, "secret_key": "k", "page_seconds": 7}},
    "rights": {"permissions": {"anonymous_rights": []}},
    "memory for templates": {"limits": {"template_cache_bytes": 1000, "text_cache_bytes": 9}},
    "a folder of this machine": {"files": {"folder": "somewhere"}},
    "being read-only": {"site": {"read_only": "moving"}},
    "being writable": {"site": {"writable": True}},
    "what writers may do": {"editing": {"upload_types": ["svg"]}},
}


def _site(config: Settings, interwiki: Mapping[str, str] | None = None) -> Site:
    site = make_site({}, config=config, interwiki=interwiki or {})
    site.db.close()
    return site


def _same(output: ParserOutput) -> ParserOutput:
    return output


def _digest(config: Settings, interwiki: Mapping[str, str] | None = None) -> str:
    return settings_digest(_site(config, interwiki))


@pytest.mark.parametrize("config", RENDERING.values(), ids=RENDERING)
def test_what_changes_renderings_changes_the_digest(config: Settings) -> None:
    assert _digest(config) != _digest({})


@pytest.mark.parametrize("config", INDIFFERENT.values(), ids=INDIFFERENT)
def test_indifferent_settings_do_not_change_the_digest(config: Settings) -> None:
    assert _digest(config) == _digest({})


def test_the_address_listened_on_counts_only_where_it_is_the_server() -> None:
    listen = {"http": {"listen": "127.0.0.1:9"}}
    server = {"site": {"server": "https://wiki.example.org"}}
    assert _digest(listen) != _digest({})
    assert _digest(listen | server) == _digest(server)


def test_the_interwiki_map_counts() -> None:
    digests = {
        _digest({}, interwiki)
        for interwiki in (
            {},
            {"w": "https://w.example.org/$1"},
            {"v": "https://w.example.org/$1"},
            {"w": "https://v.example.org/$1"},
        )
    }
    assert len(digests) == 4


def test_the_order_in_which_settings_are_written_does_not() -> None:
    one = {"extensions": {"x": {"a": 1, "b": 2}, "y": {"c": 3}}}
    other = {"extensions": {"y": {"c": 3}, "x": {"b": 2, "a": 1}}}
    assert _digest(one) == _digest(other)


def test_every_setting_of_a_rendering_counts_by_default() -> None:
    """A table that nobody has thought of keeps renderings apart."""
    without_effect = {"cache", "database", "editing", "http", "permissions"}
    site = _site({})
    for name in {f.name for f in fields(Config)} - without_effect:
        before = settings_digest(site)
        new: dict[str, Any] = {name: {"new": "setting"}}
        site.config = replace(site.config, **new)
        assert settings_digest(site) != before, name


def test_processes_with_a_shared_cache_do_not_exchange_different_renderings() -> None:
    shared = MemoryCache(10**6)
    page = StoredRevision(1, 1, "20260101000000")
    settings: list[Settings] = [{}, {"limits": {"expansion_depth": 40}}, {"http": {"threads": 2}}]
    made: list[str] = []
    for number, config in enumerate(settings):
        site = make_site({"Page": "x"}, config=config)
        site.cache = shared
        output = ParserOutput(html=str(number))
        made.append(site.page_cache.output(page, ParserOptions(), partial(_same, output)).html)
        site.db.close()
    assert made == ["0", "1", "0"]
