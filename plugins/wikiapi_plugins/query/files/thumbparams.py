"""The requested size of thumbnails, from the parameters of a request to those of a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from wikiapi.errors import ApiError
from wikiapi.filerepo import File, ThumbParams
from wikiapi.languages import MessageParam, Plain

NOT_GIVEN = -1
WIDEST_STANDARD = 400
"""The width in pixels for files that have none, if only a height is given."""


class Warns(Protocol):
    """A function that adds a warning to the answer."""

    def __call__(self, key: str, *params: MessageParam) -> None:
        """Add the warning with this message key and these parameters."""


@dataclass(frozen=True, slots=True)
class RequestedThumb:
    """The thumbnail requested for all files: a bounding box, and parameters for the handlers."""

    width: int | None
    height: int | None
    param: str
    prefix: str

    @classmethod
    def of(cls, width: int, height: int, param: str, prefix: str) -> RequestedThumb | None:
        """Return the requested thumbnail; ``None`` if nothing is given. -1 is a missing size."""
        text = "" if param == "0" else param
        if width == NOT_GIVEN and height == NOT_GIVEN and not text:
            return None
        return cls(_given(width), _given(height), text, prefix)

    def params_for(self, file: File, warn: Warns) -> ThumbParams:
        """Return the parameters of a file's thumbnail.

        Raises:
            ApiError: ``urlparamnormal`` if they result in no valid size, ``invalidurlparam`` if
                ``param`` contains a value that is out of range.
        """
        params = ThumbParams(self.width, self.height)
        if self.width is None and self.height is not None:
            params = replace(params, width=file.current.dimensions.width or WIDEST_STANDARD)
        if self.param:
            params = self._with_param(params, file, warn)
        handler = file.current.handler
        if handler and handler.normalise(params, file.current.dimensions) is None:
            raise ApiError("urlparamnormal", "apierror-urlparamnormal", Plain(file.title.text))
        return params

    def _with_param(self, params: ThumbParams, file: File, warn: Warns) -> ThumbParams:
        handler = file.current.handler
        if handler is None:
            warn("apiwarn-nothumb-noimagehandler", Plain(file.title.text))
            return params
        given = handler.parse_params(self.param)
        if given is None:
            warn("apiwarn-badurlparam", Plain(self.prefix), Plain(file.title.text))
            return params
        if params.width is not None and given.width != params.width:
            widths = (Plain(str(given.width)), Plain(str(params.width)))
            warn("apiwarn-urlparamwidth", Plain(self.prefix), *widths)
        if given.width is not None and given.width <= 0:
            shown = (Plain(self.prefix), Plain("width"), Plain(str(given.width)))
            raise ApiError("invalidurlparam", "apierror-invalidurlparam", *shown)
        width = given.width if params.width is None else params.width
        return replace(given, width=width, height=params.height)


def _given(size: int) -> int | None:
    return None if size == NOT_GIVEN else size
