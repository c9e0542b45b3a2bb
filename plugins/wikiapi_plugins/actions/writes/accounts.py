"""Actions on accounts and how one proves to own one."""

from __future__ import annotations

from wikiapi.api.params.declaration import boolean, string, user
from wikiapi_plugins.actions.writes.declared import Write
from wikiapi_plugins.families.authparams import (
    CONTINUE,
    FIELDS,
    MERGE,
    PRESERVE,
    REQUESTS,
    RETURN,
    dynamic_params,
)

_REQUEST = string("request", "What to act on, by the id that authmanagerinfo tells.", required=True)
_MANAGE = "API:Manage_authentication_data"

WRITES = (
    Write(
        name="createaccount",
        help="Make an account.",
        manual="API:Account_creation",
        prefix="create",
        kind="createaccount",
        needs_read=False,
        params=(REQUESTS, FIELDS, MERGE, PRESERVE, RETURN, CONTINUE),
        dynamic=dynamic_params("create"),
        examples=((("action=createaccount&username=Example&password=ExamplePassword"
                   "&retype=ExamplePassword&createreturnurl=http://example.org/"
                   "&createtoken=123ABC"), "Make an account"),),
    ),
    Write(
        name="linkaccount",
        help="Link the account of another provider to the current user.",
        manual="API:Linkaccount",
        prefix="link",
        needs_read=False,
        params=(REQUESTS, FIELDS, MERGE, RETURN, CONTINUE),
        dynamic=dynamic_params("link"),
        examples=((("action=linkaccount&provider=Example&linkreturnurl=http://example.org/"
                   "&linktoken=123ABC"), "Begin to link an account"),),
    ),
    Write(
        name="unlinkaccount",
        help="Remove a linked account from the current user.",
        manual=_MANAGE,
        params=(_REQUEST,),
        examples=(("action=unlinkaccount&request=FooAuthenticationRequest&token=123ABC",
                   "Remove what a provider has linked"),),
    ),
    Write(
        name="changeauthenticationdata",
        help="Change what the current user logs in with.",
        manual=_MANAGE,
        prefix="changeauth",
        params=(_REQUEST,),
        dynamic=dynamic_params("change"),
        examples=((("action=changeauthenticationdata&changeauthrequest=PasswordRequest"
                   "&password=ExamplePassword&retype=ExamplePassword&changeauthtoken=123ABC"),
                   "Change a password"),),
    ),
    Write(
        name="removeauthenticationdata",
        help="Remove what the current user logs in with.",
        manual=_MANAGE,
        params=(_REQUEST,),
        examples=(("action=removeauthenticationdata&request=FooAuthenticationRequest&token=123ABC",
                   "Remove it"),),
    ),
    Write(
        name="resetpassword",
        help="Have a mail sent to somebody who has forgotten a password.",
        manual=_MANAGE,
        params=(
            user("user", "The user.", kinds=("name",)),
            string("email", "The user's mail address."),
        ),
        examples=(("action=resetpassword&user=Example&token=123ABC", "Send it to a user"),),
    ),
    Write(
        name="acquiretempusername",
        help="Get a name for a temporary account.",
        kind=None,
        internal=True,
        examples=(("action=acquiretempusername", "Get a name"),),
    ),
    Write(
        name="cspreport",
        help="Take reports of browsers about violations of the content security policy.",
        kind=None,
        internal=True,
        needs_read=False,
        writes=False,
        params=(
            boolean("reportonly", "The policy is one that is only watched."),
            string("source", "What made the policy.", default="internal"),
        ),
        examples=(("action=cspreport", "What a browser sends"),),
    ),
)  # fmt: skip
