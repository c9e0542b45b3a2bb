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
        """The answer as text; ``pretty`` for people to read.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """

    def media(self) -> tuple[str, str]:
        """Media type and extension of the answer to this request."""
        return self.media_type, self.extension

    def parts(self, root: Any) -> Iterable[str] | None:
        """The plain form in parts of any length, made one by one; ``None`` if it has but one.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """
        return None

    def render(self, root: Any) -> Rendered:
        """The plain form, in UTF-8."""
        return self._rendered(to_bytes(self.serialize(root, pretty=False)))

    def stream(self, root: Any) -> Rendered | None:
        """The plain form in pieces."""
        parts = self.parts(root)
        return None if parts is None else self._rendered(b"", _encoded(parts))

    def _rendered(self, body: bytes, pieces: Iterator[bytes] | None = None) -> Rendered:
        media_type, extension = self.media()
        headers = [disposition(extension)]
        return Rendered(body, f"{media_type}; charset=utf-8", headers, pieces)


def disposition(extension: str, stem: str = "api-result") -> tuple[str, str]:
    """A header that keeps the address from naming a saved answer (reflected download)."""
    return "Content-Disposition", f"inline; filename={stem}.{extension}"


def _encoded(parts: Iterable[str]) -> Iterator[bytes]:
    for piece in gathered(parts):
        yield to_bytes(piece)


def to_bytes(text: str) -> bytes:
    """A text in UTF-8; never normalised, since that may join what was escaped apart."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
