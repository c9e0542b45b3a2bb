"""Thumbnails, from the parameters of a request to the pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from wikiapi.api import QueryModule
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, Thumbnail, ThumbParams, ThumbRequest, enlarged
from wikiapi.languages import Plain
from wikiapi.site import Site

NO_SIZE = -1
"""The value of the parameters ``urlwidth`` and ``urlheight`` in requests without them."""
WIDEST_STANDARD = 400
"""The width in pixels for files that have none, if only a height is requested."""


class Thumbnails(NamedTuple):
    """The thumbnail of a version, and pictures for high-density screens by their factor.

    If no thumbnail can be made, ``usual`` is None and ``error`` says why.
    """

    usual: Thumbnail | None
    denser: Mapping[str, Thumbnail]
    error: str = ""


def requested_thumb(module: QueryModule, file: File) -> ThumbParams | None:
    """Return the parameters of a file's thumbnail; None if the request contains no size.

    The module has the parameters ``urlwidth``, ``urlheight`` and ``urlparam``.

    Raises:
        ApiError: ``urlparamnormal`` if they result in no valid size, ``invalidurlparam`` if
            ``urlparam`` contains a value that is out of range.
    """
    width, height = module.p.number("urlwidth"), module.p.number("urlheight")
    text = module.p.text("urlparam")
    has_text = text not in ("", "0")
    if width == NO_SIZE and height == NO_SIZE and not has_text:
        return None
    handler, dimensions = file.current.handler, file.current.dimensions
    params = ThumbParams(None if width == NO_SIZE else width, None if height == NO_SIZE else height)
    if params.width is None and params.height is not None:
        params = replace(params, width=dimensions.width or WIDEST_STANDARD)
    if has_text:
        params = _with_urlparam(module, file, params, text)
    if handler and handler.normalise(params, dimensions) is None:
        raise ApiError("urlparamnormal", "apierror-urlparamnormal", Plain(file.title.text))
    return params


def _with_urlparam(module: QueryModule, file: File, params: ThumbParams, text: str) -> ThumbParams:
    """Return the parameters in ``urlparam``, with the size in ``params`` if there is one."""
    handler, name, prefix = file.current.handler, file.title.text, module.actual_prefix
    if handler is None:
        module.warn("apiwarn-nothumb-noimagehandler", Plain(name))
        return params
    parsed = handler.parse_params(text)
    if parsed is None:
        module.warn("apiwarn-badurlparam", Plain(prefix), Plain(name))
        return params
    if params.width is not None and parsed.width != params.width:
        widths = (Plain(str(parsed.width)), Plain(str(params.width)))
        module.warn("apiwarn-urlparamwidth", Plain(prefix), *widths)
    if parsed.width is not None and parsed.width <= 0:
        words = (Plain(prefix), Plain("width"), Plain(str(parsed.width)))
        raise ApiError("invalidurlparam", "apierror-invalidurlparam", *words)
    width = parsed.width if params.width is None else params.width
    return replace(parsed, width=width, height=params.height)


_DENSER = {"1.5": 150, "2": 200}
"""Percentages of the usual width, by the keys of ``responsiveUrls``."""


def find_thumbnails(
    site: Site, requests: Sequence[ThumbRequest | None], error: str
) -> list[Thumbnails | None]:
    """Return the thumbnails of each request; ``error`` is the text if one cannot be made.

    All are looked up together, with those for high-density screens.
    """
    sizes: list[ThumbRequest] = []
    for request in requests:
        if request:
            denser = (enlarged(request.params, percent) for percent in _DENSER.values())
            sizes += (request._replace(params=params) for params in (request.params, *denser))
    pictures = iter(site.files.thumbnails(sizes))
    thumbnails: list[Thumbnails | None] = []
    for request in requests:
        if request is None:
            thumbnails.append(None)
            continue
        usual = next(pictures)
        by_factor = {factor: next(pictures) for factor in _DENSER}
        if usual is None:
            thumbnails.append(Thumbnails(None, {}, error))
            continue
        differing = {f: one for f, one in by_factor.items() if one and one.url != usual.url}
        thumbnails.append(Thumbnails(usual, differing))
    return thumbnails
