"""The error that views raise."""

from __future__ import annotations

from wikiapi.errors import WikiapiError
from wikiapi.languages import Message, MessageParam


class ViewError(WikiapiError):
    """An error that is answered with an HTTP status and a page with a message."""

    def __init__(self, status: int, key: str, *params: MessageParam) -> None:
        """Create an error with a status and the key and parameters of a message."""
        super().__init__(key)
        self.status = status
        self.message = Message(key, params)
