"""Links from pages, categories, and the cached results of special pages."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import (
    BigUInt,
    Binary,
    DateTime,
    Int,
    Long,
    Serial,
    SortKey,
    Timestamp,
    UInt,
    USmall,
    Word,
)
from wikiapi.store.models.base import MediaWikiModel, index, unique


class LinkTarget(MediaWikiModel):
    """A title that something links to, whether it exists or not."""

    lt_id = Serial()
    lt_namespace = Int()
    lt_title = Binary()

    class Meta:
        table_name = "linktarget"
        named_indexes = (unique("lt_namespace_title", "lt_namespace", "lt_title"),)


class TemplateLinks(MediaWikiModel):
    """Direct and indirect transclusions of templates, modules and other pages."""

    tl_from = UInt(default=0)
    tl_target_id = BigUInt()
    tl_from_namespace = Int(default=0)

    class Meta:
        table_name = "templatelinks"
        primary_key = CompositeKey("tl_from", "tl_target_id")
        named_indexes = (
            index("tl_target_id", "tl_target_id", "tl_from"),
            index(
                "tl_backlinks_namespace_target_id", "tl_from_namespace", "tl_target_id", "tl_from"
            ),
        )


class PageLinks(MediaWikiModel):
    """Links to pages of this wiki."""

    pl_from = UInt(default=0)
    pl_target_id = BigUInt()
    pl_from_namespace = Int(default=0)

    class Meta:
        table_name = "pagelinks"
        primary_key = CompositeKey("pl_from", "pl_target_id")
        named_indexes = (
            index("pl_target_id", "pl_target_id", "pl_from"),
            index(
                "pl_backlinks_namespace_target_id", "pl_from_namespace", "pl_target_id", "pl_from"
            ),
        )


class ImageLinks(MediaWikiModel):
    """Files that pages show; ``il_to`` is the database key without namespace."""

    il_from = UInt(default=0)
    il_to = Binary(default="")
    il_from_namespace = Int(default=0)

    class Meta:
        table_name = "imagelinks"
        primary_key = CompositeKey("il_from", "il_to")
        named_indexes = (
            index("il_to", "il_to", "il_from"),
            index("il_backlinks_namespace", "il_from_namespace", "il_to", "il_from"),
        )


class ExistenceLinks(MediaWikiModel):
    """Titles whose existence a page tests with ``#ifexist``."""

    exl_from = UInt(default=0)
    exl_target_id = BigUInt()

    class Meta:
        table_name = "existencelinks"
        primary_key = CompositeKey("exl_from", "exl_target_id")
        named_indexes = (index("exl_target_id", "exl_target_id", "exl_from"),)


class ExternalLinks(MediaWikiModel):
    """Links to other sites.

    ``el_to_domain_index`` is the scheme, the host with its labels in reverse order, each followed
    by a dot, and the port: ``https://org.example.www.``, ``http://localhost.:7465``,
    ``mailto:com.example.@user``. ``el_to_path`` is the rest, at least ``/``. Protocol-relative
    links are stored as https.
    """

    el_id = Serial()
    el_from = UInt(default=0)
    el_to_domain_index = Binary(default="")
    el_to_path = Long(null=True)

    class Meta:
        table_name = "externallinks"
        named_indexes = (
            index("el_from", "el_from"),
            index("el_to_domain_index_to_path", "el_to_domain_index", "el_to_path"),
        )


class LangLinks(MediaWikiModel):
    """Links to the same subject in other languages; ``ll_title`` is stored as written."""

    ll_from = UInt(default=0)
    ll_lang = Binary(35, default="")
    ll_title = Binary(default="")

    class Meta:
        table_name = "langlinks"
        primary_key = CompositeKey("ll_from", "ll_lang")
        named_indexes = (index("ll_lang", "ll_lang", "ll_title"),)


class IwLinks(MediaWikiModel):
    """Links to other wikis by interwiki prefix; ``iwl_title`` is a database key."""

    iwl_from = UInt(default=0)
    iwl_prefix = Binary(32, default="")
    iwl_title = Binary(default="")

    class Meta:
        table_name = "iwlinks"
        primary_key = CompositeKey("iwl_from", "iwl_prefix", "iwl_title")
        named_indexes = (index("iwl_prefix_title_from", "iwl_prefix", "iwl_title", "iwl_from"),)


class CategoryLinks(MediaWikiModel):
    """Membership of a page in a category, which is a linktarget in namespace 14.

    ``cl_type`` is ``page``, ``subcat`` or ``file``. ``cl_sortkey`` is what the collation makes of
    the title without namespace, preceded by ``cl_sortkey_prefix`` and a line feed if the page sets
    a sort key (:meth:`wikiapi.languages.collation.Collation.member_key`). ``cl_timestamp`` is the
    time when the page was added.
    """

    cl_from = UInt(default=0)
    cl_target_id = BigUInt()
    cl_sortkey = SortKey(230, default="")
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
    """Member counts of a category, which need not have a page.

    ``cat_pages`` includes subcategories and files.
    """

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


class QueryCache(MediaWikiModel):
    """Cached results of the special page ``qc_type``, on which the meaning of the value depends."""

    qc_type = Binary(32)
    qc_value = UInt(default=0)
    qc_namespace = Int(default=0)
    qc_title = Binary(default="")

    class Meta:
        table_name = "querycache"
        primary_key = False
        named_indexes = (index("qc_type", "qc_type", "qc_value"),)


class QueryCacheInfo(MediaWikiModel):
    """The time when the results of each special page were computed."""

    qci_type = Binary(32, default="", key=True)
    qci_timestamp = Timestamp(default="19700101000000")

    class Meta:
        table_name = "querycache_info"


class QueryCacheTwo(MediaWikiModel):
    """Cached results that consist of two titles."""

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
