"""Opens sites for commands, on an existing store or without pages."""

from __future__ import annotations

from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.config import DatabaseConfig
from wikiapi.factory import open_site
from wikiapi.store.database import Database, open_database
from wikiapi.store.schema import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.site import Site


@contextmanager
def existing_site(config: Config, *, read_only: bool = False) -> Iterator[Site]:
    """Open a site on an existing store, and close it at the end of the block.

    MediaWiki's own databases are always opened read-only, other databases if ``read_only`` is true
    or configured.

    Raises:
        StoreError: the database is missing, empty or of another version.
        ConfigError: settings contradict each other.
        PluginError: a plugin cannot be loaded.
    """
    # Checked first, because opening a database for writing would create a missing file.
    with closing(Database(config.database.url, read_only=True)) as db:
        migrate.check(db)
        is_ours = migrate.version(db) > 0
    read_only = read_only or config.database.read_only or not is_ours
    site = open_site(config, database=open_database(config.database, read_only=read_only))
    with closing(site.db):
        yield site


@contextmanager
def empty_site(config: Config) -> Iterator[Site]:
    """Open a site without pages, in memory, for data that depends only on settings and plugins.

    Raises:
        ConfigError, PluginError: see :func:`existing_site`.
    """
    with closing(Database("sqlite:///:memory:")) as db:
        migrate.upgrade(db)
        yield open_site(config, database=db)


def has_store(config: Config) -> bool:
    """Return False only if the default database does not exist.

    A database that has been named explicitly must exist, and is checked when it is opened.
    """
    default = DatabaseConfig().url
    return config.database.url != default or Path(default.removeprefix("sqlite:///")).exists()
