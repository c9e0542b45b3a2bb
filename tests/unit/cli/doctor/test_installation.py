from __future__ import annotations

from contextlib import closing
from pathlib import Path

from wikiapi.cli.doctor.installation import Installation, acceptable


def test_without_a_file_there_are_the_defaults() -> None:
    installation = Installation(database_url="sqlite:///elsewhere")
    assert installation.config
    assert installation.config.database.url == "sqlite:///elsewhere"


def test_what_cannot_be_read_has_no_configuration(tmp_path: Path) -> None:
    path = tmp_path / "wikiapi.toml"
    path.write_text("[")
    with closing(Installation(path)) as installation:
        assert installation.config is None
        assert installation.store is None
        assert installation.site is None
        assert installation.settings_error


def test_acceptable_settings() -> None:
    namespaces = [{"name": "X"}]
    settings = {"site": {"name": "X", "nam": 1}, "x": {}, "namespaces": namespaces, "http": {}}
    assert acceptable(settings) == {"site": {"name": "X"}, "http": {}}
