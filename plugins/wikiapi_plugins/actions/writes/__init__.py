"""Actions that change the wiki. Where it is not writable they are refused.

A client learns from them what it would from MediaWiki: which parameters there are, that a request
must be posted, that a token is missing or wrong. The declarations are the TOML files beside this
one; :mod:`wikiapi_plugins.editing` performs the actions.
"""

from __future__ import annotations

from wikiapi.api import Action
from wikiapi_plugins.actions.writes.reading import read
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.implementations import IMPLEMENTATIONS

GROUPS = ("accounts", "files", "pages", "revisions", "users", "watching")

WRITES: tuple[type[Action], ...] = tuple(
    declared.action(IMPLEMENTATIONS.get(declared.name, WriteAction))
    for group in GROUPS
    for declared in read(group)
)
"""The classes of all that is declared here."""
