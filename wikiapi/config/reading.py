"""Reading ``wikiapi.toml`` into its tables.

Unknown settings and values that are not permitted raise an error that names all of them.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import os
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

from wikiapi.config.permitted import Counterpart, Index, Linking, Permitted, Range
from wikiapi.config.tables import FOLDER, Config, MessagesConfig
from wikiapi.errors import ConfigError

CONFIG_NAME = "wikiapi.toml"
_SQLITE = "sqlite:///"


def load_config(path: str | PathLike[str]) -> Config:
    """Return the configuration in a file. Relative paths in it are relative to its folder.

    Raises:
        ConfigError: the file cannot be read, is not valid TOML, or contains settings that are
            unknown or not permitted; one line for each.
    """
    try:
        with Path(path).open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    try:
        return parse_config(data, Path(path).parent)
    except ConfigError as error:
        lines = str(error).splitlines()
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from error


def parse_config(data: Mapping[str, Any], folder: str | PathLike[str] = "") -> Config:
    """Return a configuration built from the tables of a TOML document.

    Args:
        data: the tables.
        folder: the folder that relative paths are relative to, by default that of the process.

    Raises:
        ConfigError: settings are unknown or have values that are not permitted; one line for each.
    """
    config = dataclasses.replace(
        typing.cast("Config", _build(Config, data, "")), folder=os.fspath(folder)
    )
    return with_paths(config, config.path)


def with_paths(config: Config, path: Callable[[str], str]) -> Config:
    """Return a configuration in which a function has replaced each path of a file or folder.

    It is not called for settings that are empty, nor for database servers and databases in memory.
    """

    def replaced(text: str) -> str:
        return path(text) if text else text

    def database_url(url: str) -> str:
        file = url.removeprefix(_SQLITE)
        return url if file in (url, "", ":memory:") else _SQLITE + path(file)

    database, files = config.database, config.files
    return dataclasses.replace(
        config,
        database=dataclasses.replace(
            database,
            url=database_url(database.url),
            replicas=tuple(map(database_url, database.replicas)),
        ),
        files=dataclasses.replace(files, folder=replaced(files.folder)),
        messages=MessagesConfig(tuple(map(replaced, config.messages.folders))),
    )


def settings_beside(url: str) -> Config:
    """Return the settings of a ``wikiapi.toml`` in the folder of an SQLite database.

    They are the defaults if there is none, or if it names another database.

    Raises:
        ConfigError: see :func:`load_config`.
    """
    store = Path(url.removeprefix(_SQLITE))
    path = store.with_name(CONFIG_NAME) if url.startswith(_SQLITE) and store.is_file() else None
    if path is None or not path.is_file():
        return Config()
    settings = load_config(path)
    named = Path(settings.database.url.removeprefix(_SQLITE))
    usual = path.with_name(Config().database.url.removeprefix(_SQLITE))
    is_its_own = named == usual or (named.exists() and named.samefile(store))
    return settings if is_its_own else Config()


def check_setting(table: str, name: str, value: object) -> None:
    """Check the value of one setting, as in TOML, whatever the others are.

    Raises:
        ConfigError: there is no such setting, or the value is not permitted.
    """
    cls: Any = _hints(Config)[table]
    if name not in _hints(cls):
        raise ConfigError(f"unknown setting {_joined(table, name)}")
    _checked(_hints(cls)[name], value, _joined(table, name))


def check_config(config: Config) -> None:
    """Check the values of a configuration, which may have been made or changed by a program.

    Raises:
        ConfigError: values are not permitted, or contradict each other; one line for each.
    """
    problems = [*_problems(config, ""), *_contradictions(config)]
    if problems:
        raise ConfigError("\n".join(problems))


def _contradictions(config: Config) -> Iterator[str]:
    """Yield sentences about settings that are permitted, but not together."""
    may_edit = config.site.writable and "edit" in config.permissions.anonymous_rights
    if config.wikitext.raw_html and may_edit:
        yield (
            "wikitext.raw_html is true on a wiki that anonymous visitors can edit, so that anyone"
            " could run scripts in the browsers of all users; remove edit from"
            " permissions.anonymous_rights, or set wikitext.raw_html or site.writable to false"
        )


def permitted(cls: type, name: str) -> Permitted | Range | None:
    """Return the permitted values of a setting, besides its type; ``None`` for any."""
    return _permitted(_hints(cls)[name])


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {name: hint for name, hint in hints.items() if hint != FOLDER}


def counterparts(cls: type, name: str) -> tuple[str, ...]:
    """Return the variables of ``LocalSettings.php`` that say what a setting says; may be none."""
    metadata = getattr(_hints(cls)[name], "__metadata__", ())
    return next((each for each in metadata if isinstance(each, Counterpart)), ())


def linking_settings(config: Config) -> dict[str, Any]:
    """Return the settings on which stored links depend and that do not have their default."""
    settings: dict[str, Any] = {}
    for name in _hints(Config):
        table: Any = getattr(config, name)
        if isinstance(table, tuple):
            entries = [values for entry in table if (values := dict(_linking_items(entry)))]
            settings |= {name: entries} if entries else {}
        elif dataclasses.is_dataclass(table):
            settings |= {f"{name}.{key}": value for key, value in _linking_items(table)}
    return settings


def _linking_items(table: Any) -> Iterator[tuple[str, Any]]:
    cls: Any = type(table)
    hints = _hints(cls)
    for each in dataclasses.fields(table):
        value = getattr(table, each.name)
        if value != each.default and Linking in getattr(hints[each.name], "__metadata__", ()):
            yield each.name, value


def _permitted(hint: Any) -> Permitted | Range | None:
    metadata = getattr(hint, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, Permitted | Range)), None)


def _problems(table: Any, where: str) -> Iterator[str]:
    cls: Any = type(table)
    for name, hint in _hints(cls).items():
        value, place = getattr(table, name), _joined(where, name)
        if dataclasses.is_dataclass(value):
            yield from _problems(value, place)
        elif isinstance(value, tuple) and any(map(dataclasses.is_dataclass, value)):
            for number, entry in enumerate(value):
                yield from _problems(entry, f"{place}[{number}]")
        elif (accepted := _permitted(hint)) and not accepted.accepts(value):
            yield _refusal(place, value, accepted)
    yield from _wrong_indices(table, where)


def _wrong_indices(table: Any, where: str) -> Iterator[str]:
    """Yield a line for each setting that is an index beyond the end of its list."""
    cls: Any = type(table)
    for name, hint in _hints(cls).items():
        accepted, value = _permitted(hint), getattr(table, name)
        if not isinstance(accepted, Index):
            continue
        last = len(getattr(table, accepted.list_name)) - 1
        if value > last:
            entries = _joined(where, accepted.list_name)
            place = _joined(where, name)
            yield f"{place} is {value!r}; permitted: 0 to {last}, the indices in {entries}"


def _refusal(where: str, value: Any, accepted: Permitted | Range) -> str:
    return f"{where} is {value!r}; permitted: {accepted.text}"


def _build(cls: type, data: object, where: str) -> object:
    if not isinstance(data, Mapping):
        raise ConfigError(f"{where or 'the file'} must be a table")
    hints = _hints(cls)
    problems, values = [], {}
    for name in sorted(data.keys() - hints.keys()):
        close = difflib.get_close_matches(name, sorted(hints), 1)
        meant = f" (did you mean {_joined(where, close[0])}?)" if close else ""
        problems.append(f"unknown setting {_joined(where, name)}{meant}")
    for name in filter(hints.__contains__, data):
        try:
            values[name] = _checked(hints[name], data[name], _joined(where, name))
        except ConfigError as error:
            problems += str(error).splitlines()
    for each in dataclasses.fields(cls):
        has_default = each.default is not dataclasses.MISSING
        has_default |= each.default_factory is not dataclasses.MISSING
        if not has_default and each.name not in data:
            problems.append(f"{_joined(where, each.name)} must be set")
    if problems:
        raise ConfigError("\n".join(problems))
    table = cls(**values)
    if problems := list(_wrong_indices(table, where)):
        raise ConfigError("\n".join(problems))
    return table


def _checked(hint: Any, value: object, where: str) -> object:
    """Return a value of TOML as the type of a setting has it, or raise ConfigError."""
    origin = typing.get_origin(hint)
    if origin is Annotated:
        accepted = _permitted(hint)
        inner: Any = _checked(hint.__origin__, value, where)
        if accepted and not accepted.accepts(inner):
            raise ConfigError(_refusal(where, inner, accepted))
        return inner
    if dataclasses.is_dataclass(hint):
        return _build(typing.cast("type", hint), value, where)
    if origin is tuple:
        return _sequence(typing.get_args(hint)[0], value, where)
    if origin is Literal:
        choices = typing.get_args(hint)
        if value not in choices:
            raise ConfigError(f"{where} must be one of {', '.join(map(str, choices))}")
        return value
    if origin is Mapping:
        if not isinstance(value, dict):
            raise ConfigError(f"{where} must be a table")
        return types.MappingProxyType(value)
    if origin in (types.UnionType, typing.Union):
        return _either(typing.get_args(hint), value, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ConfigError(f"{where} must be of type {hint.__name__}")
    return value


def _either(hints: tuple[Any, ...], value: object, where: str) -> object:
    """Return a value that may be of several types; ``None`` only stands for what is not set."""
    reasons = []
    for hint in hints:
        if hint is types.NoneType:
            continue
        try:
            return _checked(hint, value, where)
        except ConfigError as error:
            reasons.append(str(error).removeprefix(f"{where} must be "))
    raise ConfigError(f"{where} must be {' or '.join(reasons)}")


def _sequence(item: Any, value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{where} must be a list")
    values, problems = [], []
    for number, entry in enumerate(value):
        try:
            values.append(_checked(item, entry, f"{where}[{number}]"))
        except ConfigError as error:
            problems += str(error).splitlines()
    if problems:
        raise ConfigError("\n".join(problems))
    return tuple(values)


def _joined(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
