"""Meta modules: one per ``meta=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.metas.allmessages import AllMessages
from wikiapi_plugins.metas.authmanagerinfo import AuthManagerInfo
from wikiapi_plugins.metas.filerepoinfo import FileRepoInfo
from wikiapi_plugins.metas.languageinfo import LanguageInfo
from wikiapi_plugins.metas.siteinfo import SiteInfo
from wikiapi_plugins.metas.tokens import Tokens
from wikiapi_plugins.metas.userinfo import UserInfo

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = (
    AllMessages,
    AuthManagerInfo,
    FileRepoInfo,
    LanguageInfo,
    SiteInfo,
    Tokens,
    UserInfo,
)
