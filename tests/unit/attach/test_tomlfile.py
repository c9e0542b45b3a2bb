from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from wikiapi.attach.tomlfile import completed, has_password, kept_settings, write
from wikiapi.errors import ConfigError

SETTINGS: dict[str, Any] = {
    "namespaces": [{"id": 100, "name": "Portal", "subpages": True}, {"id": 4, "aliases": ["WP"]}],
    "site": {"name": 'A "wiki"\x7f', "wiki_id": "w"},
    "permissions": {"groups": {"new group": ["a"]}},
    "extensions": {"gadgets": {}, "loops": {"limit": 5}},
    "plugins": {"disabled": [f"plugin{number}" for number in range(20)]},
}


def test_a_new_file_has_the_settings_in_the_order_of_the_tables() -> None:
    text = completed("# Heading\n", SETTINGS)
    assert tomllib.loads(text) == SETTINGS
    places = [text.index(f"[{table}") for table in ("site", "permissions", "plugins", "[namesp")]
    assert places == sorted(places)
    assert text.startswith('# Heading\n\n[site]\nname = "A \\"wiki\\"\\u007f"\n')
    assert '\n[permissions.groups]\n"new group" = ["a"]\n' in text
    assert "disabled = [\n" in text
    assert all(len(line) < 100 for line in text.splitlines())


BEFORE = """\
# My own remark

[site]
name = "Mine"  # as I like it
server = "https://mine.example"

[[namespaces]]
id = 100
name = "Mine"

# Ports
[http]
listen = "127.0.0.1:1"  # here

[extensions.loops]
limit = 7
"""


def test_settings_and_comments_of_a_file_stay() -> None:
    text = completed(BEFORE, SETTINGS)
    values = tomllib.loads(text)
    for line in BEFORE.splitlines():
        assert line in text
    assert values["site"] == {
        "name": "Mine",
        "server": "https://mine.example",
        "wiki_id": "w",
    }
    assert values["namespaces"] == [
        {"id": 100, "name": "Mine", "subpages": True},
        {"id": 4, "aliases": ["WP"]},
    ]
    assert values["extensions"] == {"loops": {"limit": 7}, "gadgets": {}}
    assert values["permissions"] == SETTINGS["permissions"]
    assert completed(text, SETTINGS) == text


def test_settings_that_stay_are_named() -> None:
    assert kept_settings(BEFORE, SETTINGS) == [
        "extensions.loops.limit",
        "namespaces 100",
        "site.name",
    ]
    assert kept_settings("", SETTINGS) == []


@pytest.mark.parametrize(
    "before",
    [
        'site.name = "Mine"\n',
        'site = { name = "Mine" }\n',
        'namespaces = [{ id = 100, name = "Mine" }]\n',
        '[site]\nname = "Mine"',
        '[extensions]\n[extensions.loops]\nlimit = 7\n[site]\nname = "Mine"\n',
        '[[namespaces]]\nid = 1\n[site]\nname = "Mine"\n[[namespaces]]\nid = 100\nname = "Mine"\n',
        "\r\n[site]\r\nname = 'Mine'\r\n",
    ],
)
def test_every_form_of_a_file_is_completed(before: str) -> None:
    values = tomllib.loads(completed(before, SETTINGS))
    assert values["site"]["wiki_id"] == "w"
    assert {entry["id"] for entry in values["namespaces"]} >= {100, 4}
    assert values["extensions"]["gadgets"] == {}
    kept = tomllib.loads(before)
    assert values["site"]["name"] == kept.get("site", SETTINGS["site"])["name"]


@pytest.mark.parametrize("before", ["[site", "[site]\nnmae = 'x'", "[site]\nname = 5", "site = 5"])
def test_a_file_that_is_not_valid_is_not_completed(before: str) -> None:
    with pytest.raises(ConfigError):
        completed(before, SETTINGS)


@pytest.mark.parametrize(
    ("url", "is_secret"),
    [
        ("mysql://u:p@h/d", True),
        ("mysql://u@h/d", False),
        ("mysql://h:3306/d", False),
        ("sqlite:////a@b:c/d.sqlite", False),
    ],
)
def test_passwords_are_recognised(url: str, is_secret: bool, tmp_path: Path) -> None:
    text = f'[database]\nurl = "{url}"\n'
    assert has_password(text) == is_secret
    path = tmp_path / "wikiapi.toml"
    path.write_text("")
    path.chmod(0o644)
    assert write(text, path) == is_secret
    assert path.stat().st_mode & 0o777 == (0o600 if is_secret else 0o644)
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_replica_has_a_password_as_well() -> None:
    assert has_password('[database]\nreplicas = ["mysql://u:p@h/d"]\n')


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write"):
        write("", tmp_path / "none" / "wikiapi.toml")
