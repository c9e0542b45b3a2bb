"""The base class of formats that serialise the whole answer."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from wikiapi.api import Format, Rendered, gathered

_SURROGATE = re.compile("[\ud800-\udfff]")


class DataFormat(Format):
    """A serialisation of the answer.

    Attributes:
        label: the name of the format for people.
        media_type: the media type of the plain form.
        extension: the extension of the suggested file name for saving the answer.
        plain_name: the value of ``format`` that the HTML form links to, if it is not its own name
            without ``fm``.
    """

    label: ClassVar[str]
    media_type: ClassVar[str]
    extension: ClassVar[str]
    plain_name: ClassVar[str] = ""

    @abstractmethod
    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as text; with ``pretty``, indented for people to read.

        Raises:
            ApiError: one of the format's parameters is invalid.
        """

    def media(self) -> tuple[str, str]:
        """Return media type and file extension of the answer to this request."""
        return self.media_type, self.extension

    def parts(self, root: Any) -> Iterable[str] | None:
        """Return the plain form in parts of any length, or ``None`` if it cannot be streamed.

        Raises:
            ApiError: one of the format's parameters is invalid.
        """
        return None

    def render(self, root: Any) -> Rendered:
        """Return the plain form in UTF-8."""
        return self._rendered(to_bytes(self.serialize(root, pretty=False)))

    def stream(self, root: Any) -> Rendered | None:
        """Return the plain form in pieces, or ``None`` if it cannot be streamed."""
        parts = self.parts(root)
        return None if parts is None else self._rendered(b"", map(to_bytes, gathered(parts)))

    def _rendered(self, body: bytes, pieces: Iterator[bytes] | None = None) -> Rendered:
        media_type, extension = self.media()
        headers = [disposition(extension)]
        return Rendered(body, f"{media_type}; charset=utf-8", headers, pieces)


def disposition(extension: str, stem: str = "api-result") -> tuple[str, str]:
    """Return a header with a file name, so that the URL cannot choose one (reflected download)."""
    return "Content-Disposition", f"inline; filename={stem}.{extension}"


def to_bytes(text: str) -> bytes:
    """Return a text in UTF-8, with lone surrogates replaced.

    The text is not normalised, because that could combine characters that were escaped separately.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
