"""What formats have in common that turn the whole answer into text."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, ClassVar

from wikiapi.api.format import Format, Rendered

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

    def render(self, root: Any) -> Rendered:
        """The plain form, in UTF-8."""
        body = to_bytes(self.serialize(root, pretty=False))
        media_type, extension = self.media()
        return Rendered(body, f"{media_type}; charset=utf-8", [disposition(extension)])


def disposition(extension: str, stem: str = "api-result") -> tuple[str, str]:
    """A header that keeps the address from naming a saved answer (reflected download)."""
    return "Content-Disposition", f"inline; filename={stem}.{extension}"


def to_bytes(text: str) -> bytes:
    """A text in UTF-8; never normalised, since that may join what was escaped apart."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()
