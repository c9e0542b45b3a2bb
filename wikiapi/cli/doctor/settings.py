"""Checks of the configuration file, its settings and the plugins that it names."""

from __future__ import annotations

import dataclasses
import difflib
import stat
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit

from wikiapi.cli.doctor.installation import Installation, note, problem, warning
from wikiapi.cli.support.advice import advice_for
from wikiapi.config import Config, parse_config
from wikiapi.errors import ConfigError, PluginError
from wikiapi.plugins import ENTRY_POINT_GROUP, make_plugin_manager
from wikiapi.plugins import installed as plugins_installed
from wikiapi.store.check import Finding

_NAME = "configuration"
_REFERENCE = "docs/configuration.md lists the settings."
_CLOSE = 0.6


def check_file(installation: Installation) -> Iterator[Finding]:
    """Check that there is a configuration file, and that it is valid TOML."""
    if installation.path is None:
        yield note(
            _NAME,
            "there is no wikiapi.toml in this folder, so every setting has its default",
            "`wikiapi import --write-config wikiapi.toml DUMP` writes one for a dump's wiki,"
            " `wikiapi config from LocalSettings.php` for that of a MediaWiki; --config FILE uses"
            " another file.",
        )
    elif installation.settings is None:
        place = str(installation.path)
        advice = "Correct the line. Strings need quotation marks, and tables [brackets]."
        if not installation.path.is_file():
            advice = "Check the path in --config."
        yield problem(
            _NAME, f"it cannot be read: {installation.settings_error}", advice, place=place
        )


def check_settings(installation: Installation) -> Iterator[Finding]:
    """Report all unknown settings and all values that are not permitted."""
    hints = typing.get_type_hints(Config)
    for table, values in (installation.settings or {}).items():
        if table not in hints:
            yield _unknown(table, hints)
        elif table == "extensions" or not isinstance(values, dict):
            yield from _refused({table: values})
        else:
            names = {field.name for field in dataclasses.fields(hints[table])}
            for name, value in values.items():
                if name in names:
                    yield from _refused({table: {name: value}})
                else:
                    yield _unknown(name, names, f"{table}.")


def check_secrets(installation: Installation) -> Iterator[Finding]:
    """Check that other users cannot read a configuration file that contains a key or password."""
    config, path = installation.config, installation.path
    if config is None or path is None:
        return
    secret = config.http.secret_key or config.cache.secret_key or "@" in config.database.url
    if secret and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        text = f"{path} contains a secret, and other users can read it"
        yield warning(_NAME, text, f"`chmod 600 {path}`")


def _refused(settings: Mapping[str, Any]) -> Iterator[Finding]:
    try:
        parse_config(settings)
    except ConfigError as error:
        for line in str(error).splitlines():
            yield problem(_NAME, line, _REFERENCE)


def _unknown(name: str, names: Iterable[str], table: str = "") -> Finding:
    close = difflib.get_close_matches(name, sorted(names), 1, _CLOSE)
    if close:
        advice = f"Did you mean {table}{close[0]}?"
    elif table and (owner := _owner(name)):
        advice = f"Move it to the table [{owner}]."
    else:
        advice = f"Remove it. {_REFERENCE}"
    what = "setting" if table else "table"
    return problem(_NAME, f"there is no {what} {table}{name}", advice)


def _owner(name: str) -> str:
    """Return the table that has a setting of this name."""
    for table, hint in typing.get_type_hints(Config).items():
        if dataclasses.is_dataclass(hint) and name in {f.name for f in dataclasses.fields(hint)}:
            return table
    return ""


_PLUGINS = "plugins"


def check_plugins(installation: Installation) -> Iterator[Finding]:
    """Report all plugins that cannot be loaded."""
    disabled = set(installation.config.plugins.disabled) if installation.config else set()
    failed = []
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        if point.name in disabled:
            continue
        try:
            point.load()
        except Exception as error:
            failed.append(point.name)
            owner = f" ({point.dist.name} {point.dist.version})" if point.dist else ""
            text = f"{point.name}{owner} cannot be loaded: {error}"
            advice = (
                "Upgrade or reinstall the package it is from, or set"
                f' disabled = ["{point.name}"] in [plugins].'
            )
            yield problem(_PLUGINS, text, advice)
    try:
        make_plugin_manager(disabled=[*disabled, *failed])
    except PluginError as error:
        yield problem(_PLUGINS, str(error), advice_for(error))


def check_names(config: Config) -> Iterator[Finding]:
    """Check that the plugins named in the configuration are installed."""
    installed = plugins_installed()
    plugins = config.plugins
    for setting, names in (("disabled", plugins.disabled), ("order", plugins.order)):
        for name in names:
            if name not in installed:
                text = f"plugins.{setting} names {name!r}, which is not installed"
                similar = _close(name, installed)
                advice = "`wikiapi plugins` lists those that are."
                yield problem(_PLUGINS, text, f"Did you mean {similar!r}?" if similar else advice)
    for name in config.extensions:
        if name not in installed and (close := _close(name, installed)):
            text = f"no plugin reads [extensions.{name}]"
            yield warning(_PLUGINS, text, f"Did you mean [extensions.{close}]?")


def _close(name: str, installed: Set[str]) -> str:
    return next(iter(difflib.get_close_matches(name.lower(), sorted(installed), 1)), "")


_WIKI = "wiki"


def check_addresses(config: Config) -> Iterator[Finding]:
    """Check the server, script path and article path."""
    site = config.site
    parts = urlsplit(config.server)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
        yield problem(
            _WIKI,
            f"site.server is {site.server!r}",
            'Write a scheme and a host without a trailing slash: "https://wiki.example.org".',
        )
    if "$1" not in site.article_path:
        yield problem(
            _WIKI,
            f"site.article_path is {site.article_path!r}, without a place for the page",
            'Write $1 in place of the page\'s name: "/wiki/$1".',
        )
    if site.script_path and (site.script_path[0] != "/" or site.script_path[-1] == "/"):
        yield problem(
            _WIKI,
            f"site.script_path is {site.script_path!r}",
            'It must begin with a slash and not end with one: "/w"; empty for the root.',
        )


def check_namespaces(config: Config) -> Iterator[Finding]:
    """Check that the numbers and names of namespaces are unique."""
    entries = config.namespaces
    for number, count in Counter(entry.id for entry in entries).items():
        if count > 1:
            yield problem(
                _WIKI, f"namespace {number} is configured {count} times", "Keep one of them."
            )
    names = Counter(entry.name.lower() for entry in entries if entry.name)
    for name, count in names.items():
        if count > 1:
            yield problem(
                _WIKI, f"{count} namespaces are called {name!r}", "Give each a different name."
            )


def check_openness(config: Config) -> Iterator[Finding]:
    """Report the settings with which pages can harm their readers, and what has no effect."""
    wikitext, rights = config.wikitext, config.permissions.anonymous_rights
    if wikitext.raw_html:
        text = "wikitext.raw_html: whoever edits a page can run scripts in its readers' browsers"
        advice = "Set it to false, unless all who can edit are trusted like administrators."
        if config.site.writable and "createaccount" in rights:
            text = f"{text}, and anyone can create an account"
            advice = "Remove createaccount from permissions.anonymous_rights, or set it to false."
        yield (warning if config.site.writable else note)(_WIKI, text, advice)
    if wikitext.external_images is True:
        text = (
            "wikitext.external_images: readers' browsers load images from any server that a page"
            " names, which learns their addresses"
        )
        advice = 'List the servers that you trust, as in ["https://images.example.org/"].'
        yield (warning if config.site.writable else note)(_WIKI, text, advice)
    if wikitext.image_tag:
        text = "wikitext.image_tag has no effect: MediaWiki has had no <img> in pages since 1.42"
        yield note(_WIKI, text, "Remove it; wikitext.external_images shows addresses as images.")


def check_rights(config: Config) -> Iterator[Finding]:
    """Check that visitors may read."""
    if config.permissions.is_private:
        text = "visitors have no right to read: nearly every request will be refused"
        advice = 'If this is not intended, add "read" to permissions.anonymous_rights.'
        yield note(_WIKI, text, advice)
