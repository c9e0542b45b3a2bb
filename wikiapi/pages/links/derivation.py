"""What is known of the derived data of a store: whether all is current, and with which settings.

Magic words, the names of namespaces, sort keys and what is a link at all depend on settings, so
that all links are derived again when one of these changes. They are kept in the table
``updatelog``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.config import Config, linking_settings
from wikiapi.languages.language import ENGLISH
from wikiapi.store.database import Database
from wikiapi.store.models import ExistenceLinks, Page, TemplateLinks
from wikiapi.store.notes import note, put_note, remove_note
from wikiapi.store.queries.links import target_ids
from wikiapi.store.sql.batches import BATCH, Key, chunked

_KEY = "wikiapi-links-settings"
_FINISHED_KEY = "wikiapi-finished"
_LANGUAGE = "site.language"
_OF_PLUGINS = (("parserfunctions", "string_functions"),)
"""Settings of plugins on which links depend, with the names of the plugins."""

_USES: tuple[tuple[Any, Any], ...] = (
    (TemplateLinks.tl_from, TemplateLinks.tl_target_id),
    (ExistenceLinks.exl_from, ExistenceLinks.exl_target_id),
)

Settings = Mapping[str, Any]
"""Settings that do not have their default, by names such as ``site.language``."""


def recorded_settings(db: Database) -> Settings:
    """Return the settings with which links were derived: the defaults if none are recorded."""
    return dict(json.loads(note(db, _KEY) or "{}"))


def changed_settings(db: Database, config: Config) -> list[str]:
    """Return the names of the settings that have changed since links were derived.

    It is empty for a store whose links have not been derived yet.
    """
    before, now = recorded_settings(db), _settings(config)
    names = before.keys() | now.keys()
    changed = sorted(name for name in names if before.get(name) != now.get(name))
    derived = Page.select(Page.page_id).where(Page.page_links_updated.is_null(False)).limit(1)
    return changed if changed and db.row(derived) else []


def record_settings(db: Database, config: Config) -> None:
    """Record the settings with which links are derived from now on."""
    settings = _settings(config)
    if settings != recorded_settings(db):
        put_note(db, _KEY, json.dumps(settings, ensure_ascii=False))


def _settings(config: Config) -> Settings:
    """Return the settings of links as JSON has them."""
    settings: dict[str, Any] = json.loads(json.dumps(linking_settings(config)))
    if settings.get(_LANGUAGE) == ENGLISH:
        del settings[_LANGUAGE]
    for plugin, name in _OF_PLUGINS:
        if name in (own := config.extensions.get(plugin, {})):
            settings[f"extensions.{plugin}.{name}"] = own[name]
    return settings


def finished(db: Database) -> str:
    """Return the settings with which all data was last derived; empty if it is outdated."""
    return note(db, _FINISHED_KEY)


def set_finished(db: Database, how: str) -> None:
    """Record that all data has been derived; call inside the transaction that derives it."""
    put_note(db, _FINISHED_KEY, how)


def set_unfinished(db: Database) -> None:
    """Record that derived data is outdated; call inside the transaction that changes pages."""
    remove_note(db, _FINISHED_KEY)


def waiting_pages(*columns: Any) -> Any:
    """Return a query of columns of the pages whose links are to be derived."""
    return Page.select(*columns).where(Page.page_links_updated.is_null())


def has_links(db: Database) -> bool:
    """Return whether any transclusion is stored, so that links have been derived before."""
    return db.row(TemplateLinks.select(TemplateLinks.tl_from).limit(1)) is not None


def mark_pages_using(db: Database, keys: Iterable[Key]) -> None:
    """Mark the pages that use one of these titles, so that their links are derived again.

    A page uses a title if it transcludes it or tests whether it exists.
    """
    for batch in chunked(dict.fromkeys(keys), BATCH):
        targets = sorted(target_ids(db, batch).values())
        for source, target in _USES if targets else ():
            users = source.model.select(source).where(target.in_(targets))
            stale = Page.update(page_links_updated=None)
            db.execute_write(
                stale.where(Page.page_id.in_(users) & Page.page_links_updated.is_null(False))
            )
