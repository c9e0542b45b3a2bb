"""Links to other sites: external URLs, interwiki links and language links."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.external.extlinks import ExtLinks
from wikiapi_plugins.query.external.exturlusage import ExtUrlUsage
from wikiapi_plugins.query.external.iwbacklinks import IwBacklinks
from wikiapi_plugins.query.external.iwlinks import IwLinks
from wikiapi_plugins.query.external.langbacklinks import LangBacklinks
from wikiapi_plugins.query.external.langlinks import LangLinks

MODULES: tuple[type[QueryModule], ...] = (
    ExtLinks,
    ExtUrlUsage,
    IwBacklinks,
    IwLinks,
    LangBacklinks,
    LangLinks,
)
