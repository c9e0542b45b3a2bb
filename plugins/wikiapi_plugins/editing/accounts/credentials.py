"""``action=removeauthenticationdata``, ``unlinkaccount`` and ``linkaccount``.

As in MediaWiki by default, an account has a password, which cannot be removed, and sometimes a
temporary password, which can. Accounts of other providers cannot be linked.
"""

from __future__ import annotations

from wikiapi.accounts import authentication
from wikiapi.api import Obj, WriteAction, string
from wikiapi.errors import ApiError
from wikiapi.languages import Message
from wikiapi_plugins.query.users.authentication import (
    CONTINUE,
    FIELDS,
    MERGE,
    REQUESTS,
    RETURN,
    dynamic_params,
    failed,
    requests_for,
    require_recent_login,
    require_way_back,
)


class RemoveAuthenticationData(WriteAction):
    """Remove credentials of the current user."""

    name = "removeauthenticationdata"
    position = 7
    params = (
        string(
            "request",
            "Id of the authentication request, from ``action=query&meta=authmanagerinfo``.",
            required=True,
        ),
    )
    examples = (
        (
            "action=removeauthenticationdata&request=FooAuthenticationRequest&token=123ABC",
            "Remove the credentials of a provider",
        ),
    )
    help_urls = (
        "https://www.mediawiki.org/wiki/Special:MyLanguage/API:Manage_authentication_data",
    )

    purpose = "remove"

    def perform(self) -> None:
        """Remove the user's temporary password, the only credential that can be removed.

        Raises:
            ApiError: ``notloggedin``, ``reauthenticate``, or ``badrequest`` for any other
                credential.
        """
        user = self.context.user
        if user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("remove authentication data",))
            raise ApiError("notloggedin", message)
        require_recent_login(self.context)
        removable = {request.id for request in requests_for(self.context, self.purpose)}
        if self.p.text("request") not in removable:
            raise ApiError("badrequest", "apierror-changeauth-norequest")
        authentication.remove_temporary_password(self.site, user.id)
        self.result.set((), self.name, Obj({"status": "success"}))


class UnlinkAccount(RemoveAuthenticationData):
    """Remove a linked account from the current user."""

    name = "unlinkaccount"
    position = 5
    params = (
        string(
            "request",
            "Id of the authentication request, from ``action=query&meta=authmanagerinfo``.",
            required=True,
        ),
    )
    examples = (
        (
            "action=unlinkaccount&request=FooAuthenticationRequest&token=123ABC",
            "Remove the link of a provider",
        ),
    )
    help_urls = (
        "https://www.mediawiki.org/wiki/Special:MyLanguage/API:Manage_authentication_data",
    )

    purpose = "unlink"


class LinkAccount(WriteAction):
    """Link the account of another provider to the current user."""

    name = "linkaccount"
    prefix = "link"
    position = 4
    params = (
        REQUESTS,
        FIELDS,
        MERGE,
        RETURN,
        CONTINUE,
    )
    examples = (
        (
            "action=linkaccount&provider=Example&linkreturnurl=http://example.org/&linktoken=123ABC",
            "Begin to link an account",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Linkaccount",)
    dynamic_params = dynamic_params("link")
    needs_read = False

    def perform(self) -> None:
        """Answer that no account can be linked.

        Raises:
            ApiError: ``notloggedin``, ``missingparam``, ``badurl_linkreturnurl`` or
                ``reauthenticate``.
        """
        if self.context.user.is_anonymous:
            message = Message("apierror-mustbeloggedin", ("link accounts",))
            raise ApiError("notloggedin", message)
        require_way_back(self)
        require_recent_login(self.context)
        self.result.set((), self.name, failed(self.context, Message("userlogin-cannot-link")))
