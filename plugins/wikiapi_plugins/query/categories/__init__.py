"""Categories: those of a page, their members and their counts."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.categories.allcategories import AllCategories
from wikiapi_plugins.query.categories.categories import Categories
from wikiapi_plugins.query.categories.categoryinfo import CategoryInfo
from wikiapi_plugins.query.categories.categorymembers import CategoryMembers
from wikiapi_plugins.query.categories.trackingcategories import TrackingCategories

MODULES: tuple[type[QueryModule], ...] = (
    AllCategories,
    Categories,
    CategoryInfo,
    CategoryMembers,
    TrackingCategories,
)
