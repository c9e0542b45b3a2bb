"""The checks of ``wikiapi doctor``, in their order, and the function that runs them."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import click

import wikiapi
from wikiapi.cli.doctor import environment, settings, store
from wikiapi.cli.doctor.installation import Check, Installation, problem
from wikiapi.cli.support.advice import advice_for
from wikiapi.cli.support.findings import Printer
from wikiapi.cli.support.options import DEFAULT_CONFIG
from wikiapi.config import Config
from wikiapi.errors import InvalidSetting, StoreError
from wikiapi.site import Site
from wikiapi.store.check import Finding
from wikiapi.store.database import Database


def run(path: Path | None, database: str | None, verbose: bool, as_json: bool) -> None:
    """Run the checks, print what they find, and exit with status 1 for errors."""
    if path is None and DEFAULT_CONFIG.is_file():
        path = DEFAULT_CONFIG
    printer = Printer(lambda key: key[1], as_json=as_json)
    with closing(Installation(path, database or "")) as installation:
        for check in CHECKS:
            findings = _findings(check, installation)
            printer.show_all(findings or ())
            if verbose and not as_json and not findings:
                click.echo(f"{check.name}: {'skipped' if findings is None else 'ok'}")
    versions = {
        "wikiapi": wikiapi.__version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "platform": platform.platform(),
    }
    summary = "wikiapi {wikiapi}, Python {python}, SQLite {sqlite}".format_map(versions)
    if not printer.finish(versions, f"{summary}:"):
        sys.exit(1)


def _findings(check: Check, installation: Installation) -> list[Finding] | None:
    """Return the findings of a check, or None if it does not apply.

    An error of the store during the check is returned as a finding.
    """
    subject = check.subject(installation)
    if subject is None:
        return None
    try:
        return list(check.run(subject))
    except StoreError as error:
        advice = "`wikiapi check` shows what is damaged."
        return [problem(check.name, f"it cannot be checked: {error}", advice)]


def _check_site(installation: Installation) -> Iterator[Finding]:
    """Check that the site can be opened, to report problems that the other checks missed."""
    if installation.store and installation.site is None and (error := installation.site_error):
        place = str(installation.path) if isinstance(error, InvalidSetting) else ""
        yield problem("site", str(error), advice_for(error), place=place)


def whole(installation: Installation) -> Installation:
    """Return the subject of checks that always apply."""
    return installation


def configuration(installation: Installation) -> Config | None:
    """Return the subject of checks that need a valid configuration."""
    return installation.config


def database(installation: Installation) -> Database | None:
    """Return the subject of checks that need a working database."""
    return installation.store


def site(installation: Installation) -> Site | None:
    """Return the subject of checks that need a site with a usable store."""
    return installation.site


CHECKS: tuple[Check, ...] = (
    Check("Python", whole, environment.check_python),
    Check("libraries", whole, environment.check_dependencies),
    Check("SQLite", whole, environment.check_sqlite),
    Check("configuration file", whole, settings.check_file),
    Check("settings", whole, settings.check_settings),
    Check("secrets", whole, settings.check_secrets),
    Check("addresses", configuration, settings.check_addresses),
    Check("namespaces", configuration, settings.check_namespaces),
    Check("rights", configuration, settings.check_rights),
    Check("openness", configuration, settings.check_openness),
    Check("listening", configuration, environment.check_listen),
    Check("debug info", configuration, environment.check_debug_info),
    Check("proxies", configuration, environment.check_proxies),
    Check("foreign repositories", configuration, environment.check_repositories),
    Check("upload folder", configuration, environment.check_folder),
    Check("cache", configuration, environment.check_cache),
    Check("plugins", whole, settings.check_plugins),
    Check("plugin names", configuration, settings.check_names),
    Check("store", whole, store.check_reachable),
    Check("store permissions", configuration, store.check_permissions),
    Check("store layout", database, store.check_layout),
    Check("writing", whole, store.check_writable),
    Check("tables and indexes", database, store.check_tables),
    Check("site", whole, _check_site),
    Check("pages", site, store.check_pages),
    Check("links", site, store.check_links),
    Check("sort keys", site, store.check_collation),
    Check("search index", site, store.check_search),
    Check("wiki of the pages", site, store.check_wiki),
    Check("namespaces of the pages", site, store.check_namespaces),
    Check("settings of the dump", site, store.check_dump),
    Check("first letters of titles", site, store.check_capitals),
    Check("main page", site, store.check_main_page),
    Check("messages", site, store.check_messages),
    Check("content models", site, store.check_content_models),
    Check("unknown tags and functions", site, store.check_unknown),
    Check("files", site, environment.check_stored),
    Check("interwiki map", site, store.check_interwiki),
)
