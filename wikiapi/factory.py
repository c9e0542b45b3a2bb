"""Builds a :class:`~wikiapi.site.Site` from a configuration, connecting the layers.

`open_site` is the general function. `existing_site` and `empty_site` are for a program that uses a
site inside one block, `reading_workers` for one that uses it in several processes.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import metadata
from os import PathLike, fspath
from pathlib import Path

import pluggy
from peewee import Model

from wikiapi.api.registries import ApiRegistries
from wikiapi.cache.urls import open_cache
from wikiapi.config import Config, NamespaceConfig, check_config, load_config
from wikiapi.errors import InvalidSetting, PluginError
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.i18n.catalog import MessageCatalog
from wikiapi.plugins import ENTRY_POINT_GROUP, installed, make_plugin_manager
from wikiapi.registry import declarations
from wikiapi.site import Site
from wikiapi.store.database import Database, open_database
from wikiapi.store.engines.sqlite import MEMORY
from wikiapi.store.queries import interwiki as interwiki_table
from wikiapi.store.schema import migrate, plugintables
from wikiapi.title.codec import TitleCodec
from wikiapi.title.interwiki import Interwiki, InterwikiMap
from wikiapi.title.namespaces import MAIN, Namespace, NamespaceTable, core_namespaces
from wikiapi.wiki import utc_now
from wikiapi.wikitext.pagecache import PageCache
from wikiapi.wikitext.parser import Parser

logger = logging.getLogger(__name__)

_OWN_MESSAGES = Path(__file__).parent / "i18n" / "data"


def open_site(
    config: Config,
    *,
    plugins: Iterable[object] = (),
    database: Database | None = None,
    clock: Callable[[], datetime] = utc_now,
    manager: pluggy.PluginManager | None = None,
) -> Site:
    """Open the wiki that a configuration describes.

    Args:
        config: the settings.
        plugins: additional plugins besides the installed ones.
        database: an open store to use instead of the configured one.
        clock: returns the current time; tests pass a fixed one.
        manager: a manager of loaded plugins to use instead of all others; sites may share it.

    Raises:
        ConfigError: settings have values that are not permitted, or contradict each other.
        PluginError: a plugin cannot be loaded.
        StoreError: the database cannot be opened.
    """
    check_config(config)
    manager = manager or make_plugin_manager(
        disabled=config.plugins.disabled, order=config.plugins.order, extra=plugins
    )
    # The derived address is put where all code reads it, so that it need not handle a missing one.
    config = replace(config, site=replace(config.site, server=config.server))
    db = database or open_database(config.database)
    interwiki = interwiki_map(db)
    titles = title_codec(config, interwiki)
    check_main_page(config, titles)
    site = Site(
        config=config,
        namespaces=titles.namespaces,
        interwiki=interwiki,
        titles=titles,
        messages=MessageCatalog({}),
        plugins=manager,
        db=db,
        clock=clock,
    )
    site.messages = MessageCatalog.load(_message_folders(manager, site))
    site.cache = open_cache(config.cache)
    site.files = RepositoryGroup(site)
    site.parser = Parser(site, site.files)
    site.page_cache = PageCache(site, site.files)
    site.api = ApiRegistries(site)
    plugintables.create_missing(db, registered_models(site))
    return site


@contextmanager
def existing_site(config: Config, *, read_only: bool = False) -> Iterator[Site]:
    """Open a site on an existing store, and close it at the end of the block.

    MediaWiki's own databases are always opened read-only, other databases if ``read_only`` is true
    or configured.

    Raises:
        StoreError: the database is missing, empty or of another version.
        ConfigError: settings contradict each other, or name plugins that are not installed.
        PluginError: a plugin cannot be loaded.
    """
    check_plugin_names(config)
    # Checked first, because opening a database for writing would create a missing file.
    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        is_ours = migrate.version(db) > 0
    read_only = read_only or config.database.read_only or not is_ours
    site = open_site(config, database=open_database(config.database, read_only=read_only))
    with closing(site.db):
        yield site


NOT_OURS = (
    "site.writable is set, but this is a MediaWiki database, to which wikiapi never writes:"
    " nobody can log in"
)


def check_writable(site: Site) -> None:
    """Check that a wiki that should be writable is; log a warning if settings make it read-only.

    Raises:
        InvalidSetting: the database is MediaWiki's own.
    """
    if not site.config.site.writable or site.is_writable:
        return
    if migrate.version(site.db) == 0:
        raise InvalidSetting(NOT_OURS)
    logger.warning("site.writable has no effect, because the database is opened read-only")


@contextmanager
def empty_site(config: Config) -> Iterator[Site]:
    """Open a site without pages, in memory, for data that depends only on settings and plugins.

    Raises:
        ConfigError, PluginError: see :func:`existing_site`.
    """
    with closing(Database("sqlite:///:memory:")) as db:
        migrate.upgrade(db)
        yield open_site(config, database=db)


def reading_workers(config: Config, jobs: int) -> tuple[int, Callable[[], Site]] | None:
    """Return the number of worker processes and a function that opens the site, or None for none.

    A store in memory has no workers, because other processes cannot open it.
    """
    if jobs < 2 or config.database.url.endswith(MEMORY):
        return None
    return jobs, partial(_open_for_reading, _portable(config))


def _open_for_reading(config: Config) -> Site:
    return open_site(config, database=Database(config.database.url, read_only=True))


def _portable(config: Config) -> Config:
    """Return the configuration with dictionaries for read-only mappings, which pickle rejects."""
    extensions = {name: dict(settings) for name, settings in config.extensions.items()}
    return replace(config, extensions=extensions)


def title_codec(config: Config, interwiki: InterwikiMap) -> TitleCodec:
    """Return the codec that parses and formats titles on a wiki with these settings."""
    return TitleCodec(NamespaceTable(_namespaces(config)), interwiki)


def check_plugin_names(config: Config) -> None:
    """Check that the plugins named in the settings are installed.

    Raises:
        InvalidSetting: some are not; one line for each.
    """
    known = sorted(installed())
    named = {"disabled": config.plugins.disabled, "order": config.plugins.order}
    problems = [
        f"plugins.{setting} names {name!r}, which is not installed{_meant(name, known)}"
        for setting, names in named.items()
        for name in names
        if name not in known
    ]
    if problems:
        raise InvalidSetting("\n".join(problems))


def _meant(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name.lower(), known, 1)
    return f" (did you mean {close[0]}?)" if close else ""


def check_main_page(config: Config, titles: TitleCodec) -> None:
    """Check that ``site.main_page`` is a title that a page of the wiki can have.

    Raises:
        InvalidSetting: it is not.
    """
    name = config.site.main_page
    title = titles.try_parse(name, MAIN)
    if title is None or title.interwiki or not title.dbkey:
        raise InvalidSetting(f"site.main_page is {name!r}, which is not the title of a page")


Source = Config | str | PathLike[str]
"""A wiki to open: settings, a configuration file, or the file or URL of a database."""
_CONFIGURATION = ".toml"


def configuration(source: Source, config: Source | None = None) -> Config:
    """Return the settings of a wiki.

    Args:
        source: settings, the name of a configuration file (``*.toml``), or the file or URL of a
            database.
        config: if ``source`` is a database, the other settings, instead of the defaults.

    Raises:
        ConfigError: the file cannot be read, or is not valid.
    """
    settings = Config() if config is None else configuration(config)
    if isinstance(source, Config):
        return source
    name = fspath(source)
    if name.endswith(_CONFIGURATION):
        return load_config(name)
    url = name if "://" in name else f"sqlite:///{name}"
    return replace(settings, database=replace(settings.database, url=url))


def without_debug_info(config: Config) -> Config:
    """Return the configuration without debuginfo in answers, unless it is always on."""
    if config.http.debug_info == "on":
        return config
    return replace(config, http=replace(config.http, debug_info="off"))


def with_read_right(config: Config) -> Config:
    """Return the configuration with the right to read, since the user can read the store anyway."""
    rights = dict.fromkeys((*config.permissions.anonymous_rights, "read"))
    return replace(config, permissions=replace(config.permissions, anonymous_rights=tuple(rights)))


def interwiki_map(db: Database) -> InterwikiMap:
    """Return the interwiki map of a store."""
    return InterwikiMap(
        Interwiki(row.prefix, row.url, row.api, row.wiki_id, bool(row.local), bool(row.trans))
        for row in interwiki_table.all_rows(db)
    )


def registered_models(site: Site) -> list[type[Model]]:
    """Return the models of the tables that a site's plugins define."""
    return declarations(site.plugins, "register_models", site=site)


def installed_models(site: Site) -> list[type[Model]]:
    """Return the models of the tables that installed plugins define, also of disabled ones.

    A disabled plugin that cannot be loaded is skipped with a warning in the log.
    """
    models = registered_models(site)
    installed = {point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    for name in sorted(installed.intersection(site.config.plugins.disabled)):
        try:
            manager = make_plugin_manager(disabled=installed - {name})
            models += declarations(manager, "register_models", site=site)
        except PluginError as error:
            logger.warning("the tables of a disabled plugin are not known: %s", error)
    return models


def _message_folders(manager: pluggy.PluginManager, site: Site) -> list[Path]:
    return [_OWN_MESSAGES, *declarations(manager, "register_messages", site=site)]


def _namespaces(config: Config) -> list[Namespace]:
    project = config.site.project_namespace or config.site.name
    table = core_namespaces(project.replace("_", " "), main_subpages=config.site.main_subpages)
    by_id = {namespace.id: namespace for namespace in table}
    by_id |= {entry.id: _configured(entry, by_id.get(entry.id)) for entry in config.namespaces}
    if config.site.capital_links:
        return list(by_id.values())
    return [_case_sensitive(namespace) for namespace in by_id.values()]


def _configured(entry: NamespaceConfig, core: Namespace | None) -> Namespace:
    canonical = entry.canonical or (core.canonical if core else entry.name)
    return Namespace(
        entry.id,
        entry.name,
        canonical,
        (*(core.aliases if core else ()), *entry.aliases),
        first_letter=entry.first_letter,
        subpages=entry.subpages,
        content=entry.content,
        content_model=entry.content_model or None,
    )


_ALWAYS_CAPITAL = frozenset({-1, 2, 3, 8, 9})
"""Titles of special, user and interface pages are capitalised on every wiki."""


def _case_sensitive(namespace: Namespace) -> Namespace:
    if namespace.id in _ALWAYS_CAPITAL:
        return namespace
    return replace(namespace, first_letter=False)
