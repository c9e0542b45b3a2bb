from __future__ import annotations

from contextlib import closing
from pathlib import Path

from wikiapi.cli.doctor.patient import Patient, acceptable


def test_without_a_file_there_are_the_defaults() -> None:
    patient = Patient(database_url="sqlite:///elsewhere")
    assert patient.config
    assert patient.config.database.url == "sqlite:///elsewhere"


def test_what_cannot_be_read_has_no_configuration(tmp_path: Path) -> None:
    path = tmp_path / "wikiapi.toml"
    path.write_text("[")
    with closing(Patient(path)) as patient:
        assert patient.config is None
        assert patient.store is None
        assert patient.site is None
        assert patient.settings_error


def test_acceptable_settings() -> None:
    settings = {"site": {"name": "X", "nam": 1}, "x": {}, "namespaces": [{"id": 1}], "http": {}}
    assert acceptable(settings) == {"site": {"name": "X"}, "http": {}}
