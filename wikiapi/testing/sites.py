"""A whole wiki in a line: declared pages in a store of their own, with a clock that stands still.

::

    site = make_site({"Main Page": "Hello [[World]]", "World": Edit("!", user="Ada")},
                     users=[DeclaredUser("Ada", groups=("sysop",))],
                     interwiki={"de": "https://de.example/wiki/$1"})
    answer = ask(site, {"action": "query", "titles": "World", "prop": "info"})
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wikiapi.config import Config, parse_config
from wikiapi.factory import open_site
from wikiapi.store.models import Interwiki as InterwikiRow
from wikiapi.testing.clock import NOW
from wikiapi.testing.content import ContentWriter
from wikiapi.testing.declared import DeclaredFile, DeclaredUser
from wikiapi.testing.snapshots import new_store
from wikiapi.title.interwiki import Interwiki

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path

    from pluggy import PluginManager

    from wikiapi.config import NamespaceConfig
    from wikiapi.site import Site
    from wikiapi.store.database import Database
    from wikiapi.testing.declared import History


def standing_clock() -> datetime:
    """Tells always the same time, :data:`NOW`."""
    return NOW


def make_site(
    pages: Mapping[str, History] | None = None,
    *,
    config: Config | Mapping[str, Any] | None = None,
    users: Iterable[DeclaredUser | str] = (),
    files: Iterable[DeclaredFile | str] = (),
    interwiki: Mapping[str, str] | Iterable[Interwiki] = (),
    namespaces: Iterable[NamespaceConfig] = (),
    plugins: Iterable[object] = (),
    clock: Callable[[], datetime] = standing_clock,
    path: Path | None = None,
    manager: PluginManager | None = None,
) -> Site:
    """Make a wiki of what is declared. Close its store with ``site.db.close()``.

    Args:
        pages: texts or edits by title. Page ids and revision ids count from 1.
        config: settings, also as the tables of a ``wikiapi.toml``; the database is ours.
        users: accounts, or their names. Ids count from 1.
        files: files of the wiki, or their names. Their description pages are declared as pages.
        interwiki: addresses by prefix (``$1`` stands for the page), or rows of the map.
        namespaces: namespaces in addition to those of the settings.
        plugins: plugins in addition to the installed ones.
        clock: tells the time; by default always :data:`NOW`.
        path: file to keep the store in; by default it is kept in memory.
        manager: plugins that are loaded already, in place of all others.

    Raises:
        ConfigError: a setting is wrong.
        InvalidTitle: a page is declared under what is no title.
        PluginError: a plugin cannot be loaded.
    """
    settings = made_settings(config, tuple(namespaces))
    db = new_store(path)
    _write_interwiki(db, interwiki)
    site = open_site(settings, plugins=plugins, database=db, clock=clock, manager=manager)
    accounts = [DeclaredUser(user) if isinstance(user, str) else user for user in users]
    uploads = [DeclaredFile(file) if isinstance(file, str) else file for file in files]
    ContentWriter(site, accounts).write(pages or {}, uploads)
    return site


def made_settings(
    config: Config | Mapping[str, Any] | None, namespaces: tuple[NamespaceConfig, ...] = ()
) -> Config:
    """The configuration of a made site.

    Raises:
        ConfigError: a setting is wrong.
    """
    settings = config if isinstance(config, Config) else parse_config(config or {})
    return replace(settings, namespaces=(*settings.namespaces, *namespaces))


def _write_interwiki(db: Database, interwiki: Mapping[str, str] | Iterable[Interwiki]) -> None:
    entries = list(interwiki.items()) if hasattr(interwiki, "items") else list(interwiki)
    rows = [Interwiki(*entry) if isinstance(entry, tuple) else entry for entry in entries]
    db.insert_many(
        InterwikiRow, [(r.prefix, r.url, r.api, r.wiki_id, r.local, r.trans) for r in rows]
    )
