"""Pages: facts, properties, protection, and lists of pages."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.pages.allpages import AllPages
from wikiapi_plugins.query.pages.info import Info
from wikiapi_plugins.query.pages.pagepropnames import PagePropNames
from wikiapi_plugins.query.pages.pageprops import PageProps
from wikiapi_plugins.query.pages.pageswithprop import PagesWithProp
from wikiapi_plugins.query.pages.protectedtitles import ProtectedTitles
from wikiapi_plugins.query.pages.random import Random

MODULES: tuple[type[QueryModule], ...] = (
    AllPages,
    Info,
    PagePropNames,
    PageProps,
    PagesWithProp,
    ProtectedTitles,
    Random,
)
