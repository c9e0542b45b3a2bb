"""The actions that change pages, files and accounts.

They are refused on a wiki that is not writable, where clients get the same description of their
parameters, and the same errors for a request that is not posted or has no valid token.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """Return the actions that change the wiki."""
    from wikiapi_plugins.editing.actions import ACTIONS

    return ACTIONS
