"""The parameters of actions in which one proves to be somebody."""

from __future__ import annotations

from wikiapi.api import boolean, enum, string

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
RETURN = string("returnurl", "Address to come back to from another provider.")
CONTINUE = boolean("continue", "Go on after an answer that asked for something more.")


def dynamic_params(purpose: str) -> str:
    """What to know of the fields that depend on the ways of logging in that a wiki has."""
    return (
        "Further parameters are the fields of the wiki's ways of logging in, told by "
        f"``action=query&meta=authmanagerinfo`` with ``amirequestsfor={purpose}``."
    )
