"""Formats: from the response tree to bytes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.api.module import Module

if TYPE_CHECKING:
    from wikiapi.api.result import Obj


@dataclass(slots=True)
class Rendered:
    """A serialised answer: its bytes, media type and the headers that belong to the format."""

    body: bytes
    content_type: str
    headers: list[tuple[str, str]] = field(default_factory=list)


class Format(Module):
    """What the ``format`` parameter names."""

    group = "format"

    @abstractmethod
    def render(self, root: Obj) -> Rendered:
        """Serialise a finished answer.

        Raises:
            ApiError: one of the format's own parameters cannot be used.
        """
