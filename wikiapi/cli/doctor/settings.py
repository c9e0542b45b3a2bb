"""The configuration file: whether it is there, can be read, and says what wikiapi knows."""

from __future__ import annotations

import dataclasses
import difflib
import stat
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError

from wikiapi.cli.doctor.declaration import note, problem, warning
from wikiapi.cli.doctor.patient import Patient
from wikiapi.cli.support.advice import advice_for
from wikiapi.config import Config, parse_config
from wikiapi.errors import ConfigError, PluginError
from wikiapi.plugins import ENTRY_POINT_GROUP, make_plugin_manager
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


_PLUGINS = "plugins"


def check_plugins(patient: Patient) -> Iterator[Finding]:
    """Each plugin loads; all that fail are told, not the first."""
    disabled = set(patient.config.plugins.disabled) if patient.config else set()
    failed = []
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        if point.name in disabled:
            continue
        try:
            point.load()
        except Exception as error:
            failed.append(point.name)
            owner = f" ({point.dist.name} {point.dist.version})" if point.dist else ""
            yield problem(
                _PLUGINS, f"{point.name}{owner} cannot be loaded: {error}", _advice(point)
            )
    try:
        make_plugin_manager(disabled=[*disabled, *failed])
    except PluginError as error:
        yield problem(_PLUGINS, str(error), advice_for(error))


def check_names(config: Config) -> Iterator[Finding]:
    """The plugins that the configuration names are installed."""
    installed = {point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    plugins = config.plugins
    for setting, names in (("disabled", plugins.disabled), ("order", plugins.order)):
        for name in names:
            if name not in installed:
                text = f"plugins.{setting} names {name!r}, which is not installed"
                yield warning(_PLUGINS, text, _meant(name, installed))
    for name in config.extensions:
        if name not in installed and (close := _close(name, installed)):
            text = f"[extensions.{name}] is read by no plugin"
            yield warning(_PLUGINS, text, f"Did you mean [extensions.{close}]?")


def _advice(point: metadata.EntryPoint) -> str:
    return (
        f'Upgrade or reinstall the package it is from, or set disabled = ["{point.name}"] in'
        " [plugins]."
    )


def _meant(name: str, installed: set[str]) -> str:
    close = _close(name, installed)
    return f"Did you mean {close!r}?" if close else "`wikiapi plugins` lists those that are."


def _close(name: str, installed: set[str]) -> str:
    return next(iter(difflib.get_close_matches(name.lower(), sorted(installed), 1)), "")


_WIKI = "wiki"


def check_addresses(config: Config) -> Iterator[Finding]:
    """Server, script path and article path make addresses."""
    site = config.site
    parts = urlsplit(config.server)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
        yield problem(
            _WIKI,
            f"site.server is {site.server!r}",
            'It is a scheme and a host without a slash at the end: "https://wiki.example.org".',
        )
    if "$1" not in site.article_path:
        yield problem(
            _WIKI,
            f"site.article_path is {site.article_path!r}, without a place for the page",
            'Write $1 where the page\'s name stands: "/wiki/$1".',
        )
    if site.script_path and (site.script_path[0] != "/" or site.script_path[-1] == "/"):
        yield problem(
            _WIKI,
            f"site.script_path is {site.script_path!r}",
            'It begins with a slash and ends without: "/w"; empty for the root.',
        )


def check_time_zone(config: Config) -> Iterator[Finding]:
    """The time zone is one that there is."""
    name = config.site.timezone
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        advice = "Write an IANA name such as UTC or Europe/Berlin; `pip install tzdata` if it is."
        yield problem(_WIKI, f"there is no time zone {name!r}", advice)


def check_language(config: Config) -> Iterator[Finding]:
    """The content language is known."""
    code = config.site.language
    try:
        Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        text = f"the language {code!r} is not known: numbers and dates will be English"
        yield warning(_WIKI, text, "Write MediaWiki's code of it in site.language: en, pt-br.")


def check_namespaces(config: Config) -> Iterator[Finding]:
    """No number or name is given twice."""
    entries = config.namespaces
    for number, count in Counter(entry.id for entry in entries).items():
        if count > 1:
            yield problem(
                _WIKI, f"namespace {number} is configured {count} times", "Keep one of them."
            )
    names = Counter(entry.name.lower() for entry in entries)
    for name, count in names.items():
        if count > 1:
            yield problem(
                _WIKI, f"{count} namespaces are called {name!r}", "Give each a name of its own."
            )


def check_rights(config: Config) -> Iterator[Finding]:
    """Visitors may read."""
    if "read" not in config.permissions.anonymous_rights:
        text = "visitors have no right to read: nearly every request will be refused"
        advice = 'If that is not meant so, add "read" to permissions.anonymous_rights.'
        yield note(_WIKI, text, advice)
