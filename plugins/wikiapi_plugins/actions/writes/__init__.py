"""Actions that would change the wiki: declared in full, and refused.

A client learns from them what it would from MediaWiki: which parameters there are, that a request
must be posted, that a token is missing or wrong. What then would be carried out is not: the store
is only ever read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.actions.writes import accounts, files, pages, revisions, users, watching

if TYPE_CHECKING:
    from wikiapi.api.module import Action

WRITES: tuple[type[Action], ...] = tuple(
    declared.action()
    for group in (accounts, files, pages, revisions, users, watching)
    for declared in group.WRITES
)
"""The classes of all that is declared here."""
