"""What formats have in common that turn the whole answer into text."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from wikiapi.api import Format, Rendered
from wikiapi.api.pieces import gathered

_SURROGATE = re.compile("[\ud800-\udfff]")


class DataFormat(Format):
    """A serialisation of the answer.

    Attributes:
        label: what people call it.
        media_type: of the plain form.
        extension: of a file that somebody saves the answer to.
        plain_name: of the format that an HTML form leads to, where that is another one.
    """

    label: ClassVar[str]
    media_type: ClassVar[str]
    extension: ClassVar[str]
    plain_name: ClassVar[str] = ""

    @abstractmethod
    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as text; ``pretty`` for readers.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """

    def media(self) -> tuple[str, str]:
        """Return media type and file extension of the answer to this request."""
        return self.media_type, self.extension

    def parts(self, root: Any) -> Iterable[str] | None:
        """Return the plain form in parts of any length, one by one; ``None`` if there is only one.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """
        return None

    def render(self, root: Any) -> Rendered:
        """Return the plain form, in UTF-8."""
        return self._rendered(to_bytes(self.serialize(root, pretty=False)))

    def stream(self, root: Any) -> Rendered | None:
        """Return the plain form in pieces."""
        parts = self.parts(root)
        return None if parts is None else self._rendered(b"", _encoded(parts))

    def _rendered(self, body: bytes, pieces: Iterator[bytes] | None = None) -> Rendered:
        media_type, extension = self.media()
        headers = [disposition(extension)]
        return Rendered(body, f"{media_type}; charset=utf-8", headers, pieces)


def disposition(extension: str, stem: str = "api-result") -> tuple[str, str]:
    """Return a header so that the address cannot name a saved answer (reflected download)."""
    return "Content-Disposition", f"inline; filename={stem}.{extension}"


def _encoded(parts: Iterable[str]) -> Iterator[bytes]:
    for piece in gathered(parts):
        yield to_bytes(piece)


def to_bytes(text: str) -> bytes:
    """Return a text in UTF-8; it is not normalised, which might join separately escaped parts."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
