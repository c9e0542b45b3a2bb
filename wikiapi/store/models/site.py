"""The site's own records."""

from __future__ import annotations

from wikiapi.store.fields import BigUInt, Chars, Long, Small, UInt
from wikiapi.store.models.base import MediaWikiModel


class Interwiki(MediaWikiModel):
    """The interwiki map; ``$1`` in ``iw_url`` stands for the page."""

    iw_prefix = Chars(32, key=True)
    iw_url = Long()
    iw_api = Long()
    iw_wikiid = Chars(64)
    iw_local = Small()
    iw_trans = Small(default=0)

    class Meta:
        table_name = "interwiki"


class SiteStats(MediaWikiModel):
    """The counters, in one row or several that are to be added up.

    ``ss_good_articles`` are pages in content namespaces that are no redirects and link to a page;
    ``ss_total_edits`` includes deleted revisions; ``ss_active_users`` acted in the last 30 days.
    """

    ss_row_id = UInt(key=True)
    ss_total_edits = BigUInt(null=True)
    ss_good_articles = BigUInt(null=True)
    ss_total_pages = BigUInt(null=True)
    ss_users = BigUInt(null=True)
    ss_active_users = BigUInt(null=True)
    ss_images = BigUInt(null=True)

    class Meta:
        table_name = "site_stats"


class UpdateLog(MediaWikiModel):
    """Which updates of the layout have been made: MediaWiki's, and ours as ``wikiapi-...``."""

    ul_key = Chars(255, key=True)
    ul_value = Long(null=True)

    class Meta:
        table_name = "updatelog"
