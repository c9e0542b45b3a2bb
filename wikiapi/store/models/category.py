# ruff: noqa: D106
"""Categories."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, DateTime, Int, Serial, UInt, USmall, Word
from wikiapi.store.models.base import MediaWikiModel, index, unique


class CategoryLinks(MediaWikiModel):
    """Membership of a page in a category, which is a linktarget of namespace 14.

    ``cl_type`` is ``page``, ``subcat`` or ``file``. ``cl_sortkey`` is made by the collation: for
    ``uppercase`` the title without namespace in capitals, after ``cl_sortkey_prefix`` and a line
    feed where the page gives one. ``cl_timestamp`` is when the page came in.
    """

    cl_from = UInt(default=0)
    cl_target_id = BigUInt()
    cl_sortkey = Binary(230, default="")
    cl_sortkey_prefix = Binary(default="")
    cl_timestamp = DateTime()
    cl_type = Word(default="page")
    cl_collation_id = USmall(default=0)

    class Meta:
        table_name = "categorylinks"
        primary_key = CompositeKey("cl_from", "cl_target_id")
        named_indexes = (
            index("cl_sortkey_id", "cl_target_id", "cl_type", "cl_sortkey", "cl_from"),
            index("cl_timestamp_id", "cl_target_id", "cl_timestamp"),
        )


class Category(MediaWikiModel):
    """Counts by category, with or without a page. ``cat_pages`` includes the other two."""

    cat_id = Serial()
    cat_title = Binary()
    cat_pages = Int(default=0)
    cat_subcats = Int(default=0)
    cat_files = Int(default=0)

    class Meta:
        table_name = "category"
        named_indexes = (
            unique("cat_title", "cat_title"),
            index("cat_pages", "cat_pages"),
        )


class Collation(MediaWikiModel):
    """Names of collations; ``uppercase`` is the default."""

    collation_id = Serial()
    collation_name = Binary(64)

    class Meta:
        table_name = "collation"
        named_indexes = (unique("collation_name", "collation_name"),)
