"""The configuration file: whether it is there, can be read, and says what wikiapi knows."""

from __future__ import annotations

import dataclasses
import difflib
import stat
import typing
from typing import TYPE_CHECKING, Any

from wikiapi.cli.doctor.declaration import note, problem, warning
from wikiapi.config import Config, parse_config
from wikiapi.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wikiapi.cli.doctor.patient import Patient
    from wikiapi.store.check.finding import Finding

_NAME = "configuration"
_REFERENCE = "docs/configuration.md lists the settings."
_CLOSE = 0.6


def check_file(patient: Patient) -> Iterator[Finding]:
    """There is a file, and it is TOML."""
    if patient.path is None:
        yield note(
            _NAME,
            "there is no wikiapi.toml in this folder, so every setting has its default",
            "`wikiapi import --write-config wikiapi.toml DUMP` writes one for a dump's wiki;"
            " --config FILE names one that is elsewhere.",
        )
    elif patient.settings is None:
        place = str(patient.path)
        advice = "Correct the line. Texts need quotation marks, and a table [brackets]."
        if not patient.path.is_file():
            advice = "Check the path that --config gives."
        yield problem(_NAME, f"it cannot be read: {patient.settings_error}", advice, place=place)


def check_settings(patient: Patient) -> Iterator[Finding]:
    """Every setting is known and has a value of the right kind; all of them are told, not one."""
    hints = typing.get_type_hints(Config)
    for table, values in (patient.settings or {}).items():
        if table not in hints:
            yield _unknown(table, hints)
        elif table == "extensions" or not isinstance(values, dict):
            yield from _refused({table: values})
        else:
            known = {field.name for field in dataclasses.fields(hints[table])}
            for name, value in values.items():
                if name in known:
                    yield from _refused({table: {name: value}})
                else:
                    yield _unknown(name, known, f"{table}.")


def check_secrets(patient: Patient) -> Iterator[Finding]:
    """A file with a key or password in it is nobody else's to read."""
    config, path = patient.config, patient.path
    if config is None or path is None:
        return
    secret = config.http.secret_key or config.cache.secret_key or "@" in config.database.url
    if secret and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        text = f"{path} holds a secret and others may read it"
        yield warning(_NAME, text, f"`chmod 600 {path}`")


def _refused(settings: Mapping[str, Any]) -> Iterator[Finding]:
    try:
        parse_config(settings)
    except ConfigError as error:
        yield problem(_NAME, str(error), _REFERENCE)


def _unknown(name: str, known: Iterable[str], table: str = "") -> Finding:
    close = difflib.get_close_matches(name, sorted(known), 1, _CLOSE)
    if close:
        advice = f"Did you mean {table}{close[0]}?"
    elif table and (owner := _owner(name)):
        advice = f"It belongs into the table [{owner}]."
    else:
        advice = f"Remove it. {_REFERENCE}"
    what = "setting" if table else "table"
    return problem(_NAME, f"there is no {what} {table}{name}", advice)


def _owner(name: str) -> str:
    """The table that has a setting of this name."""
    for table, hint in typing.get_type_hints(Config).items():
        if dataclasses.is_dataclass(hint) and name in {f.name for f in dataclasses.fields(hint)}:
            return table
    return ""
