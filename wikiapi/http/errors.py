"""Requests that are refused before the API sees them."""

from __future__ import annotations

from wikiapi.errors import WikiapiError


class Refused(WikiapiError):
    """The request is answered with an HTTP error status and a short plain text."""

    def __init__(self, status: int, text: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        """Take the status, a text that repeats nothing of the request, and further headers."""
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = headers


def too_large(what: str) -> Refused:
    """Status 413: the request's body, or the number of its fields, is over the limit."""
    return Refused(413, f"The request has {what} than this server accepts.")
