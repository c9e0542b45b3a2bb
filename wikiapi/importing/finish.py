"""The last step of an import: recent changes, counters, and the cached special pages."""

from __future__ import annotations

from datetime import timedelta

from peewee import fn

from wikiapi.api.query.reports import update_caches
from wikiapi.importing import RECENT_DAYS
from wikiapi.pages.links import derivation
from wikiapi.site import Site
from wikiapi.store.models import Actor, Revision, User
from wikiapi.store.queries import generation
from wikiapi.store.write.changes import newest, rebuild_recent_changes
from wikiapi.store.write.counts import recount_categories, recount_site
from wikiapi.timestamps import before


def finish_import(site: Site, recent_days: int = RECENT_DAYS) -> None:
    """Derive recent changes, recount everything and call the plugins. It is safe to repeat.

    ``recent_days`` is how many days before the newest edit or log entry count as recent; 0 leaves
    the table of recent changes as it is.
    """
    with site.db.atomic():
        last = newest(site.db)
        if recent_days and last is not None:
            rebuild_recent_changes(site.db, before(last, timedelta(recent_days)))
        recount_categories(site.db)
        recount_site(site.db, site.namespaces.content)
        edits = Revision.select(fn.COUNT(Revision.rev_id)).join(
            Actor, on=(Actor.actor_id == Revision.rev_actor)
        )
        own = edits.where(Actor.actor_user == User.user_id)
        site.db.execute_write(User.update(user_editcount=own))
    update_caches(site)
    site.plugins.hook.on_import_finished(site=site)
    # Recorded last: an import that is killed before repeats all of this, also the plugin calls.
    with site.db.atomic():
        generation.advance(site.db)
        derivation.set_finished(site.db, _settings(site, recent_days))


def finish_unless_done(site: Site, recent_days: int = RECENT_DAYS) -> None:
    """Call :func:`finish_import`, unless nothing has changed since it was last called."""
    if derivation.finished(site.db) != _settings(site, recent_days):
        finish_import(site, recent_days)


def _settings(site: Site, recent_days: int) -> str:
    """Return the settings that the result depends on, as a text to be compared."""
    return f"{recent_days} days, content in {list(site.namespaces.content)}"
