"""Meta modules: one per ``meta=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.metas.filerepoinfo import FileRepoInfo
from wikiapi_plugins.metas.siteinfo import SiteInfo
from wikiapi_plugins.metas.tokens import Tokens
from wikiapi_plugins.metas.userinfo import UserInfo

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = (FileRepoInfo, SiteInfo, Tokens, UserInfo)
