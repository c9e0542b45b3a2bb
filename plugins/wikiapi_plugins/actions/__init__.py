"""Actions: one module per ``action=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.actions.checktoken import CheckToken
from wikiapi_plugins.actions.expandtemplates import ExpandTemplates
from wikiapi_plugins.actions.parse import Parse
from wikiapi_plugins.actions.query import Query

if TYPE_CHECKING:
    from wikiapi.api.module import Action

MODULES: tuple[type[Action], ...] = (CheckToken, ExpandTemplates, Query, Parse)
