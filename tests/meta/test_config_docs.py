"""docs/configuration.md and examples/wikiapi.toml say what wikiapi/config.py says."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from docs import build
from wikiapi.config import Config, parse_config


@pytest.mark.parametrize(
    ("path", "render"),
    [(build.CONFIGURATION, build.configuration), (build.EXAMPLE, build.example)],
    ids=["configuration.md", "wikiapi.toml"],
)
def test_file_is_up_to_date(path: Path, render: Callable[[], str]) -> None:
    assert path.read_text(encoding="utf-8") == render(), "run `make docs`"


def test_every_setting_has_a_docstring() -> None:
    undocumented = [
        f"{table.header} {setting.name}"
        for table in build.tables()
        for setting in table.settings
        if not setting.text
    ]
    assert undocumented == []


def test_every_table_of_the_configuration_is_documented() -> None:
    documented = set(re.findall(r"^## `\[+(\w+)", build.configuration(), re.MULTILINE))
    assert documented == {field.name for field in dataclasses.fields(Config)} - {"folder"}


def test_unchanged_example_has_the_defaults() -> None:
    assert parse_config(tomllib.loads(build.EXAMPLE.read_text())) == Config()


def test_defaults_in_the_example_are_the_defaults() -> None:
    text = build.EXAMPLE.read_text(encoding="utf-8").partition("\n# [[")[0]
    settings = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert parse_config(tomllib.loads(settings)) == Config()
    assert settings != text
