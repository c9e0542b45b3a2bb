"""Actions that would change the wiki: declared in full, and refused.

A client learns from them what it would from MediaWiki: which parameters there are, that a request
must be posted, that a token is missing or wrong. What then would be carried out is not: the store
is only ever read. The declarations are the TOML files beside this one.
"""

from __future__ import annotations

from wikiapi.api import Action
from wikiapi_plugins.actions.writes.reading import read

GROUPS = ("accounts", "files", "pages", "revisions", "users", "watching")

WRITES: tuple[type[Action], ...] = tuple(
    declared.action() for group in GROUPS for declared in read(group)
)
"""The classes of all that is declared here."""
