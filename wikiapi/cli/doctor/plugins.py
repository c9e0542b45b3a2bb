"""Installed plugins: whether each loads, and whether the configuration names those there are."""

from __future__ import annotations

import difflib
from importlib import metadata
from typing import TYPE_CHECKING

from wikiapi.cli.advice import advice_for
from wikiapi.cli.doctor.declaration import problem, warning
from wikiapi.errors import PluginError
from wikiapi.plugins import ENTRY_POINT_GROUP, make_plugin_manager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.cli.doctor.patient import Patient
    from wikiapi.config import Config
    from wikiapi.store.check.finding import Finding

_NAME = "plugins"


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
            yield problem(_NAME, f"{point.name}{owner} cannot be loaded: {error}", _advice(point))
    try:
        make_plugin_manager(disabled=[*disabled, *failed])
    except PluginError as error:
        yield problem(_NAME, str(error), advice_for(error))


def check_names(config: Config) -> Iterator[Finding]:
    """The plugins that the configuration names are installed."""
    installed = {point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    plugins = config.plugins
    for setting, names in (("disabled", plugins.disabled), ("order", plugins.order)):
        for name in names:
            if name not in installed:
                text = f"plugins.{setting} names {name!r}, which is not installed"
                yield warning(_NAME, text, _meant(name, installed))
    for name in config.extensions:
        if name not in installed and (close := _close(name, installed)):
            text = f"[extensions.{name}] is read by no plugin"
            yield warning(_NAME, text, f"Did you mean [extensions.{close}]?")


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
