"""What the reader does not show, and tells the visitor why."""

from __future__ import annotations

from wikiapi.errors import WikiapiError
from wikiapi.i18n.message import Message, MessageParam


class Declined(WikiapiError):
    """A request is answered with an HTTP status and a page that says why."""

    def __init__(self, status: int, key: str, *params: MessageParam) -> None:
        """Take the status and the message."""
        super().__init__(key)
        self.status = status
        self.message = Message(key, params)
