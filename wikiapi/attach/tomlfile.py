"""Writes settings into a ``wikiapi.toml``, a new one or one whose settings and comments stay."""

from __future__ import annotations

import dataclasses
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Table

from wikiapi.attach.takeover import LISTS, Tables
from wikiapi.config import Config, parse_config
from wikiapi.errors import ConfigError
from wikiapi.filerepo import durable

_WIDTH = 100
_ORDER = [each.name for each in dataclasses.fields(Config)]
"""The tables in the order in which they are written."""
_SECRET_MODE = stat.S_IRUSR | stat.S_IWUSR


def completed(text: str, settings: Tables) -> str:
    """Return the text of a configuration with settings added that it does not have.

    Raises:
        ConfigError: the text is not valid TOML, or no valid configuration, also with the settings.
    """
    try:
        parse_config(tomllib.loads(text))
        document = tomlkit.parse(text)
    except (tomllib.TOMLDecodeError, TOMLKitError) as error:
        raise ConfigError(f"it is not valid TOML: {error}") from error
    added: Tables = {}
    for table in sorted(settings, key=_ORDER.index):
        if table not in document:
            added[table] = settings[table]
        elif table in LISTS:
            _complete_list(document, table, settings[table])
        else:
            _complete(document[table], settings[table])
    result = tomlkit.dumps(document).rstrip("\n") + "\n" + "".join(_new_tables(added))
    result = result.lstrip("\n")
    parse_config(tomllib.loads(result))
    return result


def _new_tables(tables: Tables) -> Iterator[str]:
    """Yield the texts of tables that the file does not have."""
    for name, values in tables.items():
        if name in LISTS:
            for entry in values:
                yield f"\n[[{name}]]\n{_lines(entry)}"
        else:
            yield from _new_table(name, values)


def _new_table(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a table, and of those in it."""
    inner = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    if len(inner) < len(values) or not values:
        yield f"\n[{name}]\n{_lines(values)}"
    for key, value in inner.items():
        yield from _new_table(f"{name}.{tomlkit.key(key).as_string()}", value)


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(
        f"{tomlkit.key(name).as_string()} = {_item(name, value).as_string()}\n"
        for name, value in values.items()
        if not isinstance(value, Mapping)
    )


def kept_settings(text: str, settings: Tables) -> list[str]:
    """Return those of the settings, such as ``site.name``, for which a text has other values."""
    return sorted(_kept(tomllib.loads(text), settings, ""))


def _kept(before: Mapping[str, Any], settings: Mapping[str, Any], place: str) -> Iterator[str]:
    for name, value in settings.items():
        if name not in before or before[name] == value:
            continue
        key = f"{place}{name}"
        if isinstance(value, Mapping) and isinstance(before[name], Mapping):
            yield from _kept(before[name], value, f"{key}.")
        elif not place and name in LISTS:
            entries = {entry.get(LISTS[name]): entry for entry in before[name]}
            for entry in value:
                number = entry[LISTS[name]]
                if number in entries and any(_kept(entries[number], entry, "")):
                    yield f"{name} {number}"
        else:
            yield key


def write(text: str, path: Path) -> bool:
    """Write a configuration, and return whether only its owner may read it.

    That is so if it has the password of a database.

    Raises:
        ConfigError: it cannot be written.
    """
    is_secret = has_password(text)
    partial = path.with_name(f"{path.name}.partial")
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666
        partial.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(
            os.open(partial, flags, _SECRET_MODE if is_secret else mode), "w", encoding="utf-8"
        ) as file:
            file.write(text)
        durable.replace(partial, path)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    return is_secret


def has_password(text: str) -> bool:
    """Return whether a configuration has the password of a database."""
    database = tomllib.loads(text).get("database", {})
    urls = [database.get("url", ""), *database.get("replicas", ())]
    return any(":" in url.partition("://")[2].rpartition("@")[0] for url in urls)


def _complete(table: Any, values: Mapping[str, Any]) -> None:
    """Add the values that a table does not have."""
    for key, value in values.items():
        if not isinstance(value, Mapping):
            if key not in table:
                table.add(key, _item(key, value))
        else:
            if key not in table:
                table.add(key, tomlkit.table())
            _complete(table[key], value)


def _complete_list(document: Any, name: str, entries: list[dict[str, Any]]) -> None:
    """Add the entries that a list of tables does not have, and to others what they lack."""
    key = LISTS[name]
    listed: AoT | Array = document[name]
    present = {entry.get(key): entry for entry in listed}
    for entry in entries:
        if entry[key] in present:
            _complete(present[entry[key]], entry)
            continue
        is_inline = isinstance(listed, Array)
        table: Table | InlineTable = tomlkit.inline_table() if is_inline else tomlkit.table()
        _complete(table, entry)
        if isinstance(table, Table):
            table.add(tomlkit.nl())
        listed.append(table)


def _item(name: str, value: Any) -> Any:
    """Return a value to be written, a long list on lines of its own."""
    item = tomlkit.item(value)
    if isinstance(item, Array) and len(f"{name} = {item.as_string()}") > _WIDTH:
        item.multiline(multiline=True)
    return item
