"""``action=stashedit``."""

from __future__ import annotations

import hashlib

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.store.queries import revisions
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.pages import parse_title


class StashEdit(WriteAction):
    """Accepts a text that is about to be saved.

    There is nothing to prepare: a text is rendered when it is asked for. So no text is kept, and
    none can be named by its hash later.
    """

    def perform(self) -> None:
        """Return the hash of the text.

        Raises:
            ApiError: ``botsnotsupported``, ``invalidtitle``, ``missingrev``, ``missingtext``.
        """
        if self.context.user.can("bot"):
            raise ApiError.of("botsnotsupported", "apierror-botsnotsupported")
        parse_title(self, self.p.text("title"))
        number = self.p.number("baserevid")
        if number > 0 and number not in revisions.by_ids(self.db, [number]):
            raise ApiError.of("missingrev", "apierror-stashedit-missingrev", number)
        text = self.p.text_or_none("text")
        if text is None:
            raise ApiError.of("missingtext", "apierror-stashedit-missingtext")
        saved = text.rstrip().replace("\r\n", "\n")
        digest = hashlib.sha1(saved.encode(), usedforsecurity=False).hexdigest()
        self.result.set((), self.name, Obj({"status": "stashed", "texthash": digest}))
