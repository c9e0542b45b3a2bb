"""MediaWiki's miser mode: what large wikis do not compute for a request."""

from __future__ import annotations

from wikiapi.site import Site
from wikiapi.store.queries import sitestats


def is_miser(site: Site) -> bool:
    """Return whether the wiki has ``limits.miser_pages`` pages or more. At most one query."""
    least = site.config.limits.miser_pages
    return least > 0 and sitestats.statistics(site.db).pages >= least
