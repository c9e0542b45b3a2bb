"""The wiki itself: its settings, namespaces, languages and messages."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.site.allmessages import AllMessages
from wikiapi_plugins.query.site.codexicons import CodexIcons
from wikiapi_plugins.query.site.filerepoinfo import FileRepoInfo
from wikiapi_plugins.query.site.languageinfo import LanguageInfo
from wikiapi_plugins.query.site.siteinfo import SiteInfo

MODULES: tuple[type[QueryModule], ...] = (
    AllMessages,
    CodexIcons,
    FileRepoInfo,
    LanguageInfo,
    SiteInfo,
)
