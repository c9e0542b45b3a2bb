"""What is counted once all pages are in: site statistics and edits of each account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peewee import fn

from wikiapi.store.models import Actor, Revision, User
from wikiapi.store.write.counts import recount_categories, recount_site

if TYPE_CHECKING:
    from wikiapi.site import Site


def finish_import(site: Site) -> None:
    """Count everything anew and tell the plugins; may be repeated at will."""
    with site.db.atomic():
        recount_categories(site.db)
        recount_site(site.db, [entry.id for entry in site.namespaces if entry.content])
        _recount_edits(site)
    site.plugins.hook.on_import_finished(site=site)


def _recount_edits(site: Site) -> None:
    edits = Revision.select(fn.COUNT(Revision.rev_id)).join(
        Actor, on=(Actor.actor_id == Revision.rev_actor)
    )
    site.db.run(User.update(user_editcount=edits.where(Actor.actor_user == User.user_id)))
