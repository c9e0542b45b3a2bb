"""Behaviour switches: words that change how a page is shown."""

from __future__ import annotations

from wikiapi.wikitext.declarations import BehaviorSwitch

DECLARATIONS: tuple[BehaviorSwitch, ...] = (
    BehaviorSwitch("notoc", ("__NOTOC__",)),
    BehaviorSwitch("nogallery", ("__NOGALLERY__",)),
    BehaviorSwitch("forcetoc", ("__FORCETOC__",)),
    BehaviorSwitch("toc", ("__TOC__",), is_property=False),
    BehaviorSwitch("noeditsection", ("__NOEDITSECTION__",)),
    BehaviorSwitch("newsectionlink", ("__NEWSECTIONLINK__",), case_sensitive=True),
    BehaviorSwitch("nonewsectionlink", ("__NONEWSECTIONLINK__",), case_sensitive=True),
    BehaviorSwitch(
        "hiddencat",
        ("__HIDDENCAT__",),
        case_sensitive=True,
        tracking_category="hidden-category-category",
    ),
    BehaviorSwitch("expectunusedcategory", ("__EXPECTUNUSEDCATEGORY__",), case_sensitive=True),
    BehaviorSwitch("expectunusedtemplate", ("__EXPECTUNUSEDTEMPLATE__",), case_sensitive=True),
    BehaviorSwitch(
        "index", ("__INDEX__",), case_sensitive=True, tracking_category="index-category"
    ),
    BehaviorSwitch(
        "noindex", ("__NOINDEX__",), case_sensitive=True, tracking_category="noindex-category"
    ),
    BehaviorSwitch("staticredirect", ("__STATICREDIRECT__",), case_sensitive=True),
    BehaviorSwitch("notitleconvert", ("__NOTITLECONVERT__", "__NOTC__")),
    BehaviorSwitch("nocontentconvert", ("__NOCONTENTCONVERT__", "__NOCC__")),
)
