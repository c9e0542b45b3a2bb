# ruff: noqa: D106
"""Pages."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import Binary, Chars, Double, Int, Long, Serial, Timestamp, UInt, USmall
from wikiapi.store.models.base import MediaWikiModel, index, unique


class Page(MediaWikiModel):
    """A page.

    ``page_title`` is the database key: underscores for spaces, no namespace. ``page_touched`` is
    when its rendering last became invalid, ``page_links_updated`` when the link tables were last
    made. ``page_random`` is between 0 and 1 with 12 digits. ``page_len`` is the length in bytes of
    the latest revision. ``page_content_model`` and ``page_lang`` are NULL for the default.
    """

    page_id = Serial()
    page_namespace = Int()
    page_title = Binary()
    page_is_redirect = USmall(default=0)
    page_is_new = USmall(default=0)
    page_random = Double()
    page_touched = Timestamp()
    page_links_updated = Timestamp(null=True)
    page_latest = UInt()
    page_len = UInt()
    page_content_model = Binary(32, null=True)
    page_lang = Binary(35, null=True)

    class Meta:
        table_name = "page"
        named_indexes = (
            unique("page_name_title", "page_namespace", "page_title"),
            index("page_random", "page_random"),
            index("page_len", "page_len"),
            index("page_redirect_namespace_len", "page_is_redirect", "page_namespace", "page_len"),
        )


class PageProps(MediaWikiModel):
    """Properties of pages. ``pp_sortkey`` is the value as a number where it is one to sort by."""

    pp_page = UInt()
    pp_propname = Binary(60)
    pp_value = Long()
    pp_sortkey = Double(null=True)

    class Meta:
        table_name = "page_props"
        primary_key = CompositeKey("pp_page", "pp_propname")
        named_indexes = (
            unique("pp_propname_page", "pp_propname", "pp_page"),
            unique("pp_propname_sortkey_page", "pp_propname", "pp_sortkey", "pp_page"),
        )


class Redirect(MediaWikiModel):
    """Where a page redirects to. ``rd_interwiki`` and ``rd_fragment`` are empty for none."""

    rd_from = UInt(default=0, key=True)
    rd_namespace = Int(default=0)
    rd_title = Binary(default="")
    rd_interwiki = Chars(32, null=True)
    rd_fragment = Binary(null=True)

    class Meta:
        table_name = "redirect"
        named_indexes = (index("rd_ns_title", "rd_namespace", "rd_title", "rd_from"),)
