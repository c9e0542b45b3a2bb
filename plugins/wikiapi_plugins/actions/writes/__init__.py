"""Actions that change the wiki. They are refused unless the wiki is writable.

Even then, clients get the same description of the parameters as from MediaWiki, and the same errors
for a request that is not posted or has no valid token. The actions are declared in the TOML files
of this package and implemented in :mod:`wikiapi_plugins.editing`.
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
"""The classes of all declared actions."""
