# ruff: noqa: D106
"""TODO links."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Int, Long, Serial, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class LinkTarget(MediaWikiModel):
    """TODO."""

    lt_id = Serial()
    lt_namespace = Int()
    lt_title = Binary()

    class Meta:
        table_name = "linktarget"
        named_indexes = (unique("lt_namespace_title", "lt_namespace", "lt_title"),)


class TemplateLinks(MediaWikiModel):
    """TODO."""

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
    """TODO."""

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
    """TODO."""

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
    """TODO."""

    exl_from = UInt(default=0)
    exl_target_id = BigUInt()

    class Meta:
        table_name = "existencelinks"
        primary_key = CompositeKey("exl_from", "exl_target_id")
        named_indexes = (index("exl_target_id", "exl_target_id", "exl_from"),)


class ExternalLinks(MediaWikiModel):
    """TODO."""

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
    """TODO."""

    ll_from = UInt(default=0)
    ll_lang = Binary(35, default="")
    ll_title = Binary(default="")

    class Meta:
        table_name = "langlinks"
        primary_key = CompositeKey("ll_from", "ll_lang")
        named_indexes = (index("ll_lang", "ll_lang", "ll_title"),)


class IwLinks(MediaWikiModel):
    """TODO."""

    iwl_from = UInt(default=0)
    iwl_prefix = Binary(32, default="")
    iwl_title = Binary(default="")

    class Meta:
        table_name = "iwlinks"
        primary_key = CompositeKey("iwl_from", "iwl_prefix", "iwl_title")
        named_indexes = (index("iwl_prefix_title_from", "iwl_prefix", "iwl_title", "iwl_from"),)
