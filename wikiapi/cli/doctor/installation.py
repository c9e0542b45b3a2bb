"""The examined installation, as far as it can be opened, and declarations of checks of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from wikiapi.config import Config, parse_config
from wikiapi.errors import ConfigError, WikiapiError
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.check import Finding, Severity
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate


def acceptable(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the valid settings. Each is tried alone, so that one mistake does not hide others."""
    accepted: dict[str, Any] = {}
    for table, values in settings.items():
        if isinstance(values, dict) and table != "extensions":
            valid = {name: value for name, value in values.items() if _fits({table: {name: value}})}
            accepted[table] = valid
        elif _fits({table: values}):
            accepted[table] = values
    return {table: values for table, values in accepted.items() if _fits({table: values})}


def _fits(settings: Mapping[str, Any]) -> bool:
    try:
        parse_config(settings)
    except ConfigError:
        return False
    return True


@dataclass
class Installation:
    """An installation. Its parts are opened when they are needed, and nothing is written.

    ``path`` is the configuration file, or None. Each ``..._error`` is the reason for a None.
    """

    path: Path | None = None
    database_url: str = ""
    settings_error: str = ""
    store_error: WikiapiError | None = None
    site_error: WikiapiError | None = None
    _open: list[Database] = field(default_factory=list)

    @cached_property
    def settings(self) -> Mapping[str, Any] | None:
        """The unchecked tables of the file, or None if it cannot be read."""
        if self.path is None:
            return {}
        try:
            return tomllib.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            self.settings_error = str(error.strerror)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.settings_error = str(error)
        return None

    @cached_property
    def config(self) -> Config | None:
        """The configuration without invalid settings, with the database of ``--database``."""
        if self.settings is None:
            return None
        folder = self.path.parent if self.path else ""
        config = parse_config(acceptable(self.settings), folder)
        if not self.database_url:
            return config
        return replace(config, database=replace(config.database, url=self.database_url))

    @cached_property
    def store(self) -> Database | None:
        """The database, opened read-only, or None if it cannot be reached."""
        if self.config is None:
            return None
        try:
            db = Database(self.config.database.url, read_only=True)
        except WikiapiError as error:
            self.store_error = error
            return None
        self._open.append(db)
        return db

    @cached_property
    def site(self) -> Site | None:
        """The site, or None if the store cannot be served or the site cannot be created."""
        if self.config is None or self.store is None:
            return None
        try:
            migrate.check(self.store)
            return open_site(self.config, database=self.store)
        except WikiapiError as error:
            self.site_error = error
            return None

    def close(self) -> None:
        """Close all open databases."""
        for db in self._open:
            with suppress(WikiapiError):
                db.close()


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one part of an installation.

    ``subject`` returns the part that ``run`` examines, or None to skip the check. ``name`` is the
    name of that part.
    """

    name: str
    subject: Callable[[Installation], Any]
    run: Callable[[Any], Iterator[Finding]]


def problem(
    check: str, text: str, advice: str, severity: Severity = Severity.ERROR, place: str = ""
) -> Finding:
    """Return a finding, by default an error, which prevents wikiapi from working."""
    return Finding(check, text, advice, severity, None, place)


def warning(check: str, text: str, advice: str, place: str = "") -> Finding:
    """Return a warning: a finding that does not prevent wikiapi from working."""
    return problem(check, text, advice, Severity.WARNING, place)


def note(check: str, text: str, advice: str, place: str = "") -> Finding:
    """Return a note: a finding that may be intended."""
    return problem(check, text, advice, Severity.NOTE, place)
