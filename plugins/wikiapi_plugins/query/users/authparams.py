"""The parameters of actions for authentication."""

from __future__ import annotations

from wikiapi.api import Action, boolean, enum, string
from wikiapi.errors import ApiError
from wikiapi.languages import Num, plain_list

REQUESTS = string("requests", "Use these ways of logging in, by their ids.", multi=True)
FIELDS = enum(
    "messageformat",
    "html",
    "wikitext",
    "raw",
    "none",
    default="wikitext",
    help="The form of messages in the answer.",
)
MERGE = boolean("mergerequestfields", "List the fields of all ways of logging in together.")
PRESERVE = boolean("preservestate", "Keep the state of a failed attempt for the next one.")
RETURN = string("returnurl", "URL to return to from another provider.")
CONTINUE = boolean("continue", "Continue after an answer that asked for more input.")


def dynamic_params(purpose: str) -> str:
    """Return the description of the fields that depend on a wiki's authentication methods."""
    return (
        "Further parameters are the fields of the wiki's ways of logging in, listed by "
        f"``action=query&meta=authmanagerinfo`` with ``amirequestsfor={purpose}``."
    )


def require_way_back(action: Action) -> None:
    """Raise an error if a request could not return from another provider.

    Raises:
        ApiError: ``missingparam``.
    """
    if not action.p.is_given("returnurl") and not action.p.flag("continue"):
        names = [action.full("continue"), action.full("returnurl")]
        params = (plain_list(names), Num(len(names)))
        raise ApiError("missingparam", "apierror-missingparam-at-least-one-of", *params)
