# ruff: noqa: D106
"""Results of the costly special pages, computed now and then."""

from __future__ import annotations

from wikiapi.store.fields import Binary, Int, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index


class QueryCache(MediaWikiModel):
    """Rows of a special page's result, by ``qc_type``; the meaning of the value is its own."""

    qc_type = Binary(32)
    qc_value = UInt(default=0)
    qc_namespace = Int(default=0)
    qc_title = Binary(default="")

    class Meta:
        table_name = "querycache"
        primary_key = False
        named_indexes = (index("qc_type", "qc_type", "qc_value"),)


class QueryCacheInfo(MediaWikiModel):
    """When each was computed."""

    qci_type = Binary(32, default="", key=True)
    qci_timestamp = Timestamp(default="19700101000000")

    class Meta:
        table_name = "querycache_info"


class QueryCacheTwo(MediaWikiModel):
    """The same for results of two titles."""

    qcc_type = Binary(32)
    qcc_value = UInt(default=0)
    qcc_namespace = Int(default=0)
    qcc_title = Binary(default="")
    qcc_namespacetwo = Int(default=0)
    qcc_titletwo = Binary(default="")

    class Meta:
        table_name = "querycachetwo"
        primary_key = False
        named_indexes = (
            index("qcc_type", "qcc_type", "qcc_value"),
            index("qcc_title", "qcc_type", "qcc_namespace", "qcc_title"),
            index("qcc_titletwo", "qcc_type", "qcc_namespacetwo", "qcc_titletwo"),
        )
