"""``{{filepath:name|size|nowiki}}``: the full address of a file or its thumbnail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.filerepo.scaling import ThumbParams
from wikiapi.filerepo.thumbnail import ThumbRequest
from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.declarations import Expansion, ParserFunction

if TYPE_CHECKING:
    from wikiapi.filerepo.file import File
    from wikiapi.wikitext.expand.call import FunctionCall

_NOWIKI = "nowiki"
_SIZE = re.compile(r"([0-9]{0,6})(?:x([0-9]{1,6}))?\s*+(?:px\s*+)?\Z", re.ASCII)


def filepath(call: FunctionCall) -> str | Expansion:
    """The address, nothing if there is no such file."""
    title = call.site.titles.try_parse(call.first, FILE)
    file = call.state.file(title) if title and title.ns == FILE else None
    if file is None:
        return ""
    options = (call.arg(1), call.arg(2))
    size = next((option for option in options if option and option != _NOWIKI), "")
    url = call.site.files.full_url(_address(call, file, size))
    return Expansion(url, nowiki=True) if _NOWIKI in options else url


def _address(call: FunctionCall, file: File, size: str) -> str:
    match = _SIZE.match(size)
    width, height = (match[1], match[2]) if match else ("", None)
    if not (width or height):
        return file.current.url
    params = ThumbParams(width=int(width) if width else None, height=int(height or 0) or None)
    thumbnail = call.site.files.thumbnails([ThumbRequest(file, file.current, params)])[0]
    return thumbnail.url if thumbnail else file.current.url


DECLARATIONS = (ParserFunction("filepath", filepath),)
