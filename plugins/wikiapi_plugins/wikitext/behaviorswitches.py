"""MediaWiki's behaviour switches."""

from __future__ import annotations

from wikiapi.title import CATEGORY, Title
from wikiapi.wikitext import BehaviorSwitch


def _controls_indexing(title: Title) -> bool:
    """Return whether a page may tell search engines not to index it. Content pages may not."""
    return not title.namespace.content


DECLARATIONS: tuple[BehaviorSwitch, ...] = (
    BehaviorSwitch("notoc", ("__NOTOC__",)),
    BehaviorSwitch("nogallery", ("__NOGALLERY__",)),
    BehaviorSwitch("forcetoc", ("__FORCETOC__",)),
    BehaviorSwitch("toc", ("__TOC__",)),
    BehaviorSwitch("noeditsection", ("__NOEDITSECTION__",)),
    BehaviorSwitch("newsectionlink", ("__NEWSECTIONLINK__",), case_sensitive=True),
    BehaviorSwitch("nonewsectionlink", ("__NONEWSECTIONLINK__",), case_sensitive=True),
    BehaviorSwitch(
        "hiddencat",
        ("__HIDDENCAT__",),
        case_sensitive=True,
        tracking_category="hidden-category-category",
        applies=lambda title: title.ns == CATEGORY,
    ),
    BehaviorSwitch("expectunusedcategory", ("__EXPECTUNUSEDCATEGORY__",), case_sensitive=True),
    BehaviorSwitch("expectunusedtemplate", ("__EXPECTUNUSEDTEMPLATE__",), case_sensitive=True),
    BehaviorSwitch(
        "index",
        ("__INDEX__",),
        case_sensitive=True,
        tracking_category="index-category",
        applies=_controls_indexing,
    ),
    BehaviorSwitch(
        "noindex",
        ("__NOINDEX__",),
        case_sensitive=True,
        tracking_category="noindex-category",
        applies=_controls_indexing,
    ),
    BehaviorSwitch("staticredirect", ("__STATICREDIRECT__",), case_sensitive=True),
    BehaviorSwitch("notitleconvert", ("__NOTITLECONVERT__", "__NOTC__")),
    BehaviorSwitch("nocontentconvert", ("__NOCONTENTCONVERT__", "__NOCC__")),
)
