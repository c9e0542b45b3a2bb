"""What formats have in common that turn the whole answer into text."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from wikiapi.api.format import Format, Rendered

if TYPE_CHECKING:
    from wikiapi.api.result import Obj

_SURROGATE = re.compile("[\ud800-\udfff]")


class DataFormat(Format):
    """A serialisation of the answer.

    Attributes:
        label: what people call it.
        media_type: of the plain form.
        extension: of a file that somebody saves the answer to.
    """

    label: ClassVar[str]
    media_type: ClassVar[str]
    extension: ClassVar[str]

    @abstractmethod
    def serialize(self, root: Obj, *, pretty: bool) -> str:
        """The answer as text; ``pretty`` for people to read.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """

    def media(self) -> tuple[str, str]:
        """Media type and extension of the answer to this request."""
        return self.media_type, self.extension

    def render(self, root: Obj) -> Rendered:
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
