"""The error that views raise."""

from __future__ import annotations

from wikiapi.errors import WikiapiError
from wikiapi.i18n import Message, MessageParam


class ViewError(WikiapiError):
    """A request is answered with an HTTP status and a page that shows a message."""

    def __init__(self, status: int, key: str, *params: MessageParam) -> None:
        """Take the status and the message."""
        super().__init__(key)
        self.status = status
        self.message = Message(key, params)
