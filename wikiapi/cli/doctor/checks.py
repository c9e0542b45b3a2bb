"""Every check, in the order in which they are made: what rests on another comes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.cli.advice import advice_for
from wikiapi.cli.doctor import (
    caching,
    content,
    environment,
    files,
    plugins,
    repositories,
    server,
    settings,
    store,
    wiki,
)
from wikiapi.cli.doctor.declaration import Check, problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.cli.doctor.patient import Patient
    from wikiapi.config import Config
    from wikiapi.site import Site
    from wikiapi.store.check.finding import Finding
    from wikiapi.store.database import Database


def _check_site(patient: Patient) -> Iterator[Finding]:
    """The site can be made, whatever the reason may be that the other checks have not found."""
    if patient.store and patient.site is None and patient.site_error:
        yield problem("site", str(patient.site_error), advice_for(patient.site_error))


def whole(patient: Patient) -> Patient:
    """For checks that have something to look at in any case."""
    return patient


def configuration(patient: Patient) -> Config | None:
    """For checks of settings that can be read."""
    return patient.config


def database(patient: Patient) -> Database | None:
    """For checks of a database that answers."""
    return patient.store


def site(patient: Patient) -> Site | None:
    """For checks of a store that can be served."""
    return patient.site


CHECKS: tuple[Check, ...] = (
    Check("Python", whole, environment.check_python),
    Check("libraries", whole, environment.check_dependencies),
    Check("SQLite", whole, environment.check_sqlite),
    Check("configuration file", whole, settings.check_file),
    Check("settings", whole, settings.check_settings),
    Check("secrets", whole, settings.check_secrets),
    Check("addresses", configuration, wiki.check_addresses),
    Check("time zone", configuration, wiki.check_time_zone),
    Check("language", configuration, wiki.check_language),
    Check("namespaces", configuration, wiki.check_namespaces),
    Check("rights", configuration, wiki.check_rights),
    Check("listening", configuration, server.check_listen),
    Check("debug info", configuration, server.check_debug_info),
    Check("proxies", configuration, server.check_proxies),
    Check("foreign repositories", configuration, repositories.check_repositories),
    Check("upload folder", configuration, files.check_folder),
    Check("cache", configuration, caching.check_cache),
    Check("plugins", whole, plugins.check_plugins),
    Check("plugin names", configuration, plugins.check_names),
    Check("store", whole, store.check_reachable),
    Check("store permissions", configuration, store.check_permissions),
    Check("store layout", database, store.check_layout),
    Check("tables and indexes", database, store.check_tables),
    Check("site", whole, _check_site),
    Check("pages", site, content.check_pages),
    Check("links", site, content.check_links),
    Check("search index", site, content.check_search),
    Check("wiki of the pages", site, content.check_wiki),
    Check("namespaces of the pages", site, content.check_namespaces),
    Check("main page", site, content.check_main_page),
    Check("content models", site, content.check_content_models),
    Check("files", site, files.check_stored),
    Check("interwiki map", site, content.check_interwiki),
)
