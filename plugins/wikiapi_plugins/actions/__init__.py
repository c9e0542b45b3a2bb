"""Actions that read: one module for each value of ``action``."""

from __future__ import annotations

from wikiapi.api import Action
from wikiapi_plugins.actions.checktoken import CheckToken
from wikiapi_plugins.actions.clientlogin import ClientLogin
from wikiapi_plugins.actions.compare import Compare
from wikiapi_plugins.actions.cspreport import CspReport
from wikiapi_plugins.actions.expandtemplates import ExpandTemplates
from wikiapi_plugins.actions.feedcontributions import FeedContributions
from wikiapi_plugins.actions.feedrecentchanges import FeedRecentChanges
from wikiapi_plugins.actions.feedwatchlist import FeedWatchlist
from wikiapi_plugins.actions.help import Help
from wikiapi_plugins.actions.login import Login
from wikiapi_plugins.actions.logout import Logout
from wikiapi_plugins.actions.opensearch import OpenSearch
from wikiapi_plugins.actions.paraminfo import ParamInfo
from wikiapi_plugins.actions.parse import Parse
from wikiapi_plugins.actions.query import Query
from wikiapi_plugins.actions.rsd import Rsd
from wikiapi_plugins.actions.validatepassword import ValidatePassword

MODULES: tuple[type[Action], ...] = (
    CheckToken,
    ClientLogin,
    Compare,
    CspReport,
    ExpandTemplates,
    FeedContributions,
    FeedRecentChanges,
    FeedWatchlist,
    Help,
    Login,
    Logout,
    OpenSearch,
    ParamInfo,
    Parse,
    Query,
    Rsd,
    ValidatePassword,
)
