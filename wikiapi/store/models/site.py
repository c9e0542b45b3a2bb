"""The interwiki map, statistics and the log of updates."""

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
    """The site's counters. If there are several rows, they must be added up.

    ``ss_good_articles`` counts pages in content namespaces that are not redirects and contain a
    link; ``ss_total_edits`` includes deleted revisions; ``ss_active_users`` counts the users who
    acted in the last 30 days.
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
    """The updates that have been applied: those of MediaWiki, and wikiapi's as ``wikiapi-...``."""

    ul_key = Chars(255, key=True)
    ul_value = Long(null=True)

    class Meta:
        table_name = "updatelog"
