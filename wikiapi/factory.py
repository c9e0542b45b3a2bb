"""Builds a :class:`~wikiapi.site.Site` from a configuration, connecting the layers.

`open_site` is the general function. `existing_site` and `empty_site` are for a program that uses a
site inside one block, `reading_workers` for one that uses it in several processes.
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import metadata
from os import PathLike, fspath
from pathlib import Path
from socket import gethostname

import pluggy
from peewee import Model

from wikiapi.api.query.reports import query_pages
from wikiapi.api.registries import registries
from wikiapi.cache.urls import open_cache
from wikiapi.config import (
    CONFIG_NAME,
    Config,
    NamespaceConfig,
    check_config,
    load_config,
    settings_beside,
    with_paths,
)
from wikiapi.errors import ConfigError, InvalidSetting, PluginError, StoreError
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.importing.origin import Origin, completed, load_origin
from wikiapi.importing.source import DumpLimits, limits_for
from wikiapi.languages.catalog import MessageCatalog
from wikiapi.languages.collation import UPPERCASE, collation
from wikiapi.languages.language import language
from wikiapi.plugins import ENTRY_POINT_GROUP, installed, make_plugin_manager
from wikiapi.registry import declarations
from wikiapi.site import Site
from wikiapi.store.database import Database, open_database
from wikiapi.store.engines.sqlite import MEMORY, PREFIX
from wikiapi.store.genders import Genders
from wikiapi.store.messagesfolder import stored_messages_folder
from wikiapi.store.models.writing import TABLES as WRITING_TABLES
from wikiapi.store.queries import interwiki as interwiki_table
from wikiapi.store.queries import storestate
from wikiapi.store.queries.storestate import StoreState
from wikiapi.store.schema import migrate
from wikiapi.title.codec import TitleCodec
from wikiapi.title.interwiki import Interwiki, InterwikiMap
from wikiapi.title.namespaces import (
    ENGLISH_NAMES,
    FILE,
    MAIN,
    MEDIA,
    MEDIAWIKI,
    MEDIAWIKI_TALK,
    SPECIAL,
    USER,
    USER_TALK,
    Namespace,
    NamespaceTable,
    core_namespaces,
    local_aliases,
    local_name,
)
from wikiapi.version import __version__
from wikiapi.wiki import utc_now
from wikiapi.wikitext.contentmodels import content_models
from wikiapi.wikitext.pagecache import PageCache
from wikiapi.wikitext.parser import Parser
from wikiapi.wikitext.sitemessages import SiteMessages
from wikiapi.workers import BatchWorkers

__all__ = [
    "existing_site",
    "reading_workers",
    "with_read_right",
    "without_debug_info",
]


logger = logging.getLogger(__name__)

_OWN_MESSAGES = (
    Path(__file__).parent / "wikitext" / "messages",
    Path(__file__).parent / "languages" / "data",
    Path(__file__).parent / "pages" / "messages",
)


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
        CollationUnavailable: the database can be written to, and its sort keys cannot be made.
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
    interwiki, genders = interwiki_map(config, db), Genders(db)
    config = _completed(config, load_origin(db), interwiki)
    titles = title_codec(config, interwiki, genders)
    check_main_page(config, titles)
    if not db.read_only:
        collation(config.site.category_collation, config.site.language).check()
    site = Site(
        config=config,
        namespaces=titles.namespaces,
        interwiki=interwiki,
        titles=titles,
        plugins=manager,
        db=db,
        genders=genders,
        clock=clock,
    )
    site.messages = SiteMessages(
        message_catalog(site), site.language, titles, genders, db, site.budgets
    )
    site.cache = open_cache(config.cache)
    site.files = RepositoryGroup(site)
    site.parser = Parser(site, site.files)
    site.content_models = site.derived(content_models)
    site.page_cache = PageCache(site, site.files)
    # Collected now, so that mistakes of plugins are reported when the site is opened.
    registries(site)
    query_pages(site)
    migrate.create_missing(db, additional_models(site))
    return site


def _completed(config: Config, origin: Origin, interwiki: InterwikiMap) -> Config:
    """Return the configuration with what the store tells, but not with an invalid main page."""
    whole = completed(config, origin)
    try:
        check_main_page(whole, title_codec(whole, interwiki))
    except InvalidSetting:
        return replace(whole, site=replace(whole.site, main_page=config.site.main_page))
    return whole


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
    site = open_existing(config, read_only=read_only)
    with closing(site.db):
        yield site


def open_existing(config: Config, *, read_only: bool = False) -> Site:
    """Open a site on an existing store, as `existing_site`, for the life of the process."""
    check_plugin_names(config)
    # Checked first, because opening a database for writing would create a missing file.
    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        is_ours = migrate.version(db) > 0
    read_only = read_only or config.database.read_only or not is_ours
    return open_site(config, database=open_database(config.database, read_only=read_only))


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
        # Nothing is sorted, so that no collation needs to be installed.
        site = replace(config.site, category_collation=UPPERCASE)
        yield open_site(replace(config, site=site), database=db)


def reading_workers(config: Config, jobs: int, cluster: str = "") -> BatchWorkers[Site] | None:
    """Return the workers that open the site for reading, or None for none.

    A store in memory has no workers, because other processes cannot open it.

    Args:
        config: the settings, which the workers get.
        jobs: the number of processes on this machine.
        cluster: the address of a cluster's scheduler, to use its workers instead.

    Raises:
        StoreError: the database cannot be opened.
    """
    if config.database.url.endswith(MEMORY):
        return None
    if cluster:
        # The workers run in other folders.
        config = replace(with_paths(config, _absolute), folder=_absolute(config.folder))
        code, state = _installed_code(), _state_of(config)
        return BatchWorkers(partial(_open_same, _portable(config), code, state), 0, cluster)
    if jobs < 2:
        return None
    return BatchWorkers(partial(_open_for_reading, _portable(config)), jobs)


def _open_for_reading(config: Config) -> Site:
    return open_site(config, database=Database(config.database.url, read_only=True))


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def parsing_workers(
    config: Config, jobs: int, cluster: str = ""
) -> BatchWorkers[DumpLimits] | None:
    """Return the workers that parse dumps, or None for none; see `reading_workers`."""
    size = config.limits.article_size
    if cluster:
        return BatchWorkers(partial(_limits_of_same, size, _installed_code()), 0, cluster)
    return BatchWorkers(partial(limits_for, size), jobs) if jobs > 1 else None


def _limits_of_same(article_size: int, code: str) -> DumpLimits:
    _check_code(code)
    return limits_for(article_size)


def _check_code(code: str) -> None:
    """Check the code of a worker of a cluster.

    Raises:
        StoreError: it has another version.
    """
    if (ours := _installed_code()) != code:
        raise StoreError(f"the worker on {gethostname()} has {ours} instead of {code}")


def _open_same(config: Config, code: str, state: StoreState | None) -> Site:
    """Open the site on a worker of a cluster.

    Raises:
        StoreError: the worker has another version of the code, or another copy of the store.
    """
    _check_code(code)
    if (copy := _state_of(config)) != state:
        file = config.database.url
        raise StoreError(f"the worker on {gethostname()} has another copy of {file}: {copy}")
    return _open_for_reading(config)


def _installed_code() -> str:
    """Return the versions of what pages are rendered with: wikiapi and the packages of plugins."""
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    packages = {f"{point.dist.name} {point.dist.version}" for point in points if point.dist}
    return ", ".join(sorted({f"wikiapi {__version__}", *packages}))


def _state_of(config: Config) -> StoreState | None:
    """Return the state of an SQLite file, of which others have copies; None for a server's."""
    if not config.database.url.startswith(PREFIX):
        return None
    with closing(Database(config.database.url, read_only=True)) as db:
        return storestate.current(db)


def _portable(config: Config) -> Config:
    """Return the configuration with dictionaries for read-only mappings, which pickle rejects."""
    extensions = {name: dict(settings) for name, settings in config.extensions.items()}
    return replace(config, extensions=extensions)


def title_codec(
    config: Config, interwiki: InterwikiMap, genders: Genders | None = None
) -> TitleCodec:
    """Return the codec that parses and formats titles on a wiki with these settings."""
    namespaces = NamespaceTable(_namespaces(config))
    main_page = config.site.main_page or language(config.site.language).main_page
    return TitleCodec(namespaces, interwiki, config.site.language, genders, main_page)


def check_plugin_names(config: Config) -> None:
    """Check that the plugins named in the settings are installed.

    Raises:
        InvalidSetting: some are not; one line for each.
    """
    plugins = sorted(installed())
    named = {"disabled": config.plugins.disabled, "order": config.plugins.order}
    problems = [
        f"plugins.{setting} names {name!r}, which is not installed{_meant(name, plugins)}"
        for setting, names in named.items()
        for name in names
        if name not in plugins
    ]
    if problems:
        raise InvalidSetting("\n".join(problems))


def _meant(name: str, plugins: Sequence[str]) -> str:
    close = difflib.get_close_matches(name.lower(), plugins, 1)
    return f" (did you mean {close[0]}?)" if close else ""


def check_main_page(config: Config, titles: TitleCodec) -> None:
    """Check that ``site.main_page`` is a title that a page of the wiki can have.

    Raises:
        InvalidSetting: it is not.
    """
    name = config.site.main_page or language(config.site.language).main_page
    # A link to the wiki itself without a name would lead to the main page again.
    title = None if titles.leads_here(name) else titles.try_parse(name, MAIN)
    if title is None or title.interwiki or not title.dbkey:
        raise InvalidSetting(f"site.main_page is {name!r}, which is not the title of a page")


Source = Config | str | PathLike[str]
"""A wiki to open: settings, a configuration file or its folder, or a database (file or URL)."""
_CONFIGURATION = ".toml"


def configuration(source: Source, config: Source | None = None) -> Config:
    """Return the settings of a wiki.

    Args:
        source: settings, the name of a configuration file (``*.toml``) or of a folder with a
            ``wikiapi.toml``, or the file or URL of a database.
        config: if ``source`` is a database, the other settings. Those of a file are by default in a
            ``wikiapi.toml`` in its folder, if there is one that names no other database.

    Raises:
        ConfigError: the file cannot be read, or is not valid, or the folder has none.
    """
    if isinstance(source, Config):
        return source
    name = fspath(source)
    if name.endswith(_CONFIGURATION):
        return load_config(name)
    if "://" not in name and Path(name).is_dir():
        path = Path(name, CONFIG_NAME)
        if not path.is_file():
            raise ConfigError(f"the folder {Path(name).absolute()} has no {CONFIG_NAME}")
        return load_config(path)
    url = name if "://" in name else f"sqlite:///{name}"
    settings = configuration(config) if config is not None else settings_beside(url)
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


def interwiki_map(config: Config, db: Database) -> InterwikiMap:
    """Return the interwiki map of a store, with the wiki's own prefixes among the settings."""
    entries = (
        Interwiki(row.prefix, row.url, row.api, row.wiki_id, bool(row.local), bool(row.trans))
        for row in interwiki_table.all_rows(db)
    )
    return InterwikiMap(entries, config.site.local_interwikis)


def additional_models(site: Site) -> list[type[Model]]:
    """Return the models of the tables for writing, and of those that a site's plugins define.

    A read-only wiki has them too, because a wiki that is read-only for a while keeps its accounts.
    """
    return [*WRITING_TABLES, *declarations(site.plugins, "register_models", site=site)]


def installed_models(site: Site) -> list[type[Model]]:
    """Return the models of the tables that installed plugins define, also of disabled ones.

    A disabled plugin that cannot be loaded is skipped with a warning in the log.
    """
    models = additional_models(site)
    installed = {point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}
    for name in sorted(installed.intersection(site.config.plugins.disabled)):
        try:
            manager = make_plugin_manager(disabled=installed - {name})
            models += declarations(manager, "register_models", site=site)
        except PluginError as error:
            logger.warning("the tables of a disabled plugin are not known: %s", error)
    return models


def message_catalog(site: Site) -> MessageCatalog:
    """Return the catalogue of a wiki's interface; languages other than English are read later.

    A configured folder that does not exist is named in the log.
    """
    config = site.config
    own = (*_OWN_MESSAGES, *declarations(site.plugins, "register_messages", site=site))
    for folder in config.messages.folders:
        if "*" not in folder and not Path(folder).is_dir():
            logger.warning("messages.folders names %s, which is not a folder", folder)
    beside = stored_messages_folder(config.database.url)
    folders: list[str | Path] = [*config.messages.folders, *filter(None, [beside])]
    return MessageCatalog.load(own, folders)


def _namespaces(config: Config) -> list[Namespace]:
    project = (config.site.project_namespace or config.site.name).replace("_", " ")
    names = language(config.site.language)
    table = core_namespaces(project, names, main_subpages=config.site.main_subpages)
    by_id = {namespace.id: namespace for namespace in table}
    for entry in config.namespaces:
        aliases = local_aliases(entry.id, project, names)
        name = entry.name or local_name(entry.id, project, names)
        if not name and entry.id != MAIN:
            raise InvalidSetting(f"namespaces: the namespace {entry.id} needs a name")
        by_id[entry.id] = _configured(entry, name, aliases, by_id.get(entry.id))
    capitals = {entry.id: entry.first_letter for entry in config.namespaces}
    return [_cased(each, capitals, config.site.capital_links) for each in by_id.values()]


def _configured(
    entry: NamespaceConfig, name: str, aliases: tuple[str, ...], core: Namespace | None
) -> Namespace:
    """Return a namespace with what its entry sets; the rest is as it is on every wiki."""
    canonical = ENGLISH_NAMES.get(entry.id, name) if core or not entry.name else name
    usual = core or Namespace(entry.id, name, canonical)
    return replace(
        usual,
        name=name,
        canonical=entry.canonical or canonical,
        aliases=(*aliases, *entry.aliases),
        subpages=usual.subpages if entry.subpages is None else entry.subpages,
        content=usual.content if entry.content is None else entry.content,
        nonincludable=not entry.includable,
        protection=entry.protection or usual.protection,
        robots=entry.robots,
        content_model=entry.content_model or None,
        genders=None if entry.name and entry.name != usual.name else usual.genders,
    )


_ALWAYS_CAPITAL = frozenset({SPECIAL, USER, USER_TALK, MEDIAWIKI, MEDIAWIKI_TALK})
"""Titles of special, user and interface pages are capitalised on every wiki."""


def _cased(namespace: Namespace, capitals: Mapping[int, bool | None], default: bool) -> Namespace:
    """Return a namespace with the rule for the first letter of its titles.

    A talk namespace that says nothing has that of its subject namespace, and titles of media that
    of files.
    """
    if namespace.id in _ALWAYS_CAPITAL:
        return replace(namespace, first_letter=True)
    subject_id = FILE if namespace.id == MEDIA else namespace.id & ~1
    own, subject = capitals.get(namespace.id), capitals.get(subject_id)
    rule = subject if own is None else own
    return replace(namespace, first_letter=default if rule is None else rule)
