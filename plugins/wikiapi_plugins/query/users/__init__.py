"""Users: accounts, blocks, contributions, and the requesting user."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.users.allusers import AllUsers
from wikiapi_plugins.query.users.authmanagerinfo import AuthManagerInfo
from wikiapi_plugins.query.users.blocks import Blocks
from wikiapi_plugins.query.users.contributors import Contributors
from wikiapi_plugins.query.users.tokens import Tokens
from wikiapi_plugins.query.users.usercontribs import UserContribs
from wikiapi_plugins.query.users.userinfo import UserInfo
from wikiapi_plugins.query.users.users import Users

MODULES: tuple[type[QueryModule], ...] = (
    AllUsers,
    AuthManagerInfo,
    Blocks,
    Contributors,
    Tokens,
    UserContribs,
    UserInfo,
    Users,
)
