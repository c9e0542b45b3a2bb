from __future__ import annotations

import dataclasses
import tomllib
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.cases import cases
from wikiapi import config
from wikiapi.config import (
    Config,
    NamespaceConfig,
    RepositoryConfig,
    check_config,
    load_config,
    parse_config,
    reading,
)
from wikiapi.errors import ConfigError
from wikiapi.factory import open_site


@pytest.mark.parametrize("case", cases("config_errors.json"))
def test_error_names_the_setting(case: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(tomllib.loads(case["toml"]))
    assert str(caught.value) == case["error"]


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        (config.HttpConfig(threads=-3), "http"),
        (config.DatabaseConfig(pool_size=0), "database"),
        (config.SiteConfig(language="klingon"), "site"),
    ],
)
def test_a_configuration_made_by_a_program_is_checked_too(table: Any, setting: str) -> None:
    made = dataclasses.replace(Config(), **{setting: table})
    with pytest.raises(ConfigError, match=rf"^{setting}\.\w+ is .*; permitted: "):
        check_config(made)
    with pytest.raises(ConfigError, match=rf"^{setting}\."):
        open_site(made)


@pytest.mark.parametrize(
    ("settings", "is_permitted"),
    [
        ({"site": {"writable": True}}, False),
        ({}, True),
        ({"site": {"writable": True}, "permissions": {"anonymous_rights": ["read"]}}, True),
    ],
)
def test_raw_html_is_refused_where_visitors_can_edit(
    settings: dict[str, Any], is_permitted: bool
) -> None:
    made = parse_config({**settings, "wikitext": {"raw_html": True}})
    if is_permitted:
        return check_config(made)
    with pytest.raises(ConfigError, match=r"^wikitext\.raw_html is true .* permissions\."):
        open_site(made)
    return None


def test_defaults_are_permitted() -> None:
    check_config(Config())


@pytest.mark.parametrize("code", ["en", "pt-br", "simple", "zh-min-nan", "de-formal", "ace", "qqx"])
def test_languages_of_mediawiki_are_permitted(code: str) -> None:
    assert parse_config({"site": {"language": code}}).site.language == code


def test_empty_file_is_all_defaults() -> None:
    assert parse_config({}) == Config()


def settings() -> list[tuple[type, str, Any]]:
    """Return every setting: its class, its name and its type."""
    rows = []
    for cls in vars(config).values():
        is_table = dataclasses.is_dataclass(cls) and isinstance(cls, type)
        if is_table and cls.__name__.endswith("Config"):
            hints = typing.get_type_hints(cls)
            rows += [(cls, name, hint) for name, hint in hints.items()]
    rows.remove((Config, "folder", str))
    return rows


def another_value(hint: Any) -> Any:
    """Return a value of a setting, as in TOML, that differs from the default."""
    origin = typing.get_origin(hint)
    if dataclasses.is_dataclass(hint):
        return required(hint)
    if origin is tuple:
        return [another_value(typing.get_args(hint)[0])]
    if origin is Literal:
        return typing.get_args(hint)[-1]
    if origin is Mapping:
        return {"thing": {"deep": [1, "x"]}}
    return {str: "some other text", int: 987_654, float: 98.5}.get(hint)


OTHERS = {
    "language": "pt-br",
    "timezone": "Europe/Berlin",
    "listen": "[::1]:0",
    "category_collation": "uca-fr-u-kn",
    "robots": "noindex,nofollow",
    "add_protocols": ["steam://", "xmpp:"],
    "remove_protocols": ["gopher://"],
    "fragment_mode": ["legacy"],
    "thumb_limits": [100, 200, 300, 400, 500, 600],
    "thumb_size": 1,
    "image_limits": [[320, 240], [640, 480], [800, 600]],
    "image_size": 1,
}
"""Other values of settings for which not all of their type are permitted."""


def required(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    bare = dataclasses.MISSING
    return {
        field.name: another_value(hints[field.name])
        for field in dataclasses.fields(cls)
        if field.default is bare and field.default_factory is bare
    }


@pytest.mark.parametrize(
    ("cls", "name", "hint"), settings(), ids=lambda value: getattr(value, "__name__", str(value))
)
def test_setting_is_read(cls: Any, name: str, hint: Any) -> None:
    basis = required(cls)
    value = another_value(hint)
    accepted = config.permitted(cls, name)
    if isinstance(accepted, config.Range):
        value = min(value, accepted.most)
    elif accepted:
        value = OTHERS[name]
    if bool in (hint, *typing.get_args(hint)):
        value = not getattr(reading._build(cls, basis, ""), name)
    built: Any = reading._build(cls, basis | {name: value}, "")
    again = dataclasses.replace(built)
    assert again == built
    assert plain(getattr(built, name)) == filled_out(hint, value)


def plain(value: Any) -> Any:
    """Return a read setting as in TOML."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def filled_out(hint: Any, value: Any) -> Any:
    """Return what was written, with the defaults of its tables."""
    if dataclasses.is_dataclass(hint):
        return plain(reading._build(typing.cast("type", hint), value, ""))
    if typing.get_origin(hint) is tuple:
        return [filled_out(typing.get_args(hint)[0], item) for item in value]
    return value


def test_integer_is_a_number() -> None:
    assert parse_config({"database": {"query_deadline": 3}}).database.query_deadline == 3.0


def test_lists_of_tables() -> None:
    read = parse_config(
        tomllib.loads(
            """
            [[namespaces]]
            id = 100
            name = "Portal"
            aliases = ["P"]
            [[repositories]]
            name = "commons"
            api = "https://commons.example/w/api.php"
            """
        )
    )
    assert read.namespaces == (NamespaceConfig(100, "Portal", aliases=("P",)),)
    assert read.repositories == (RepositoryConfig("commons", "https://commons.example/w/api.php"),)


def test_settings_of_a_plugin_cannot_be_changed() -> None:
    read = parse_config({"extensions": {"poem": {"class": "x"}}})
    assert read.extensions["poem"]["class"] == "x"
    with pytest.raises(TypeError):
        read.extensions["other"] = {}  # type: ignore[index]


@pytest.mark.parametrize(
    ("listen", "server"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("192.0.2.1:80", "http://192.0.2.1"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("wiki.example.org:8000", "http://wiki.example.org:8000"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("*:8000", "http://127.0.0.1:8000"),
        ("[::]:8000", "http://[::1]:8000"),
    ],
)
def test_the_server_is_where_it_listens(listen: str, server: str) -> None:
    assert parse_config({"http": {"listen": listen}}).server == server


def test_a_server_that_is_named_wins() -> None:
    config = parse_config({"http": {"listen": "[::]:80"}, "site": {"server": "https://w.example"}})
    assert config.server == "https://w.example"


def test_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wikiapi.toml"
    path.write_text('[site]\nname = "Wikí"\n', encoding="utf-8")
    assert load_config(path).site.name == "Wikí"
    assert load_config(str(path)) == load_config(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.toml: No such file"):
        load_config(tmp_path / "none.toml")


@pytest.mark.parametrize("content", [b"[site\n", b'[site]\nname = "\xff"\n'])
def test_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wikiapi.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"wikiapi\.toml is not valid TOML"):
        load_config(path)


def test_configuration_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().site.name = "x"  # type: ignore[misc]


def test_relative_paths_begin_in_the_folder_of_the_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "wikiapi.toml"
    file.write_text(
        '[database]\nurl = "sqlite:///data/wiki.sqlite"\n'
        'replicas = ["sqlite:///../copy.sqlite", "sqlite:////srv/copy.sqlite"]\n'
        '[files]\nfolder = "images"\n[extensions.codexicons]\nfile = "icons.json"\n'
    )
    read = load_config(file)
    assert read.database.url == f"sqlite:///{tmp_path}/data/wiki.sqlite"
    assert read.database.replicas == (
        f"sqlite:///{tmp_path}/../copy.sqlite",
        "sqlite:////srv/copy.sqlite",
    )
    assert read.files.folder == f"{tmp_path}/images"
    assert read.path(read.extensions["codexicons"]["file"]) == f"{tmp_path}/icons.json"
    assert read.path("") == ""
    assert read.path("/srv/x") == "/srv/x"


def test_default_database_lies_beside_the_configuration_file(tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text("")
    url = load_config(tmp_path / "wikiapi.toml").database.url
    assert url == f"sqlite:///{tmp_path}/wikiapi.sqlite"


@pytest.mark.parametrize(
    "url", ["sqlite:///:memory:", "sqlite:////srv/a.sqlite", "mysql://a:b@c/d", "postgresql:///x"]
)
def test_addresses_that_are_not_relative_stay(url: str, tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text(f'[database]\nurl = "{url}"\n')
    assert load_config(tmp_path / "wikiapi.toml").database.url == url


def test_paths_of_a_configuration_in_this_folder_stay_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wikiapi.toml").write_text('[files]\nfolder = "images"\n')
    read = load_config("wikiapi.toml")
    assert (read.database.url, read.files.folder) == ("sqlite:///wikiapi.sqlite", "images")


def test_the_folder_is_no_setting() -> None:
    with pytest.raises(ConfigError, match="unknown setting folder"):
        parse_config({"folder": "x"})


def test_folders_of_messages_are_seen_from_the_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "wikiapi.toml"
    file.write_text('[messages]\nfolders = ["texts", "/usr/share/texts", "more/*/i18n"]\n')
    assert load_config(file).messages.folders == (
        f"{tmp_path}/texts",
        "/usr/share/texts",
        f"{tmp_path}/more/*/i18n",
    )
