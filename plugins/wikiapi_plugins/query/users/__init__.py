"""Users: accounts, blocks, contributions, and the user who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.query.users.allusers import AllUsers
from wikiapi_plugins.query.users.authmanagerinfo import AuthManagerInfo
from wikiapi_plugins.query.users.blocks import Blocks
from wikiapi_plugins.query.users.contributors import Contributors
from wikiapi_plugins.query.users.tokens import Tokens
from wikiapi_plugins.query.users.usercontribs import UserContribs
from wikiapi_plugins.query.users.userinfo import UserInfo
from wikiapi_plugins.query.users.users import Users

if TYPE_CHECKING:
    from wikiapi.api import QueryModule

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
