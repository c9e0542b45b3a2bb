"""``format=php``: the format of PHP's ``serialize``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from wikiapi.api import enum, to_version1, to_version2
from wikiapi_plugins.formats.dataformat import DataFormat

_INTEGER_KEY = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_FINITE = {math.inf: "INF", -math.inf: "-INF"}


class Php(DataFormat):
    """Output data in serialised PHP format."""

    name = "php"
    label = "PHP"
    media_type = "application/vnd.php.serialized"
    extension = "php"
    params = (enum("formatversion", "1", "2", "latest", default="1", help="Shape of the output."),)
    examples = (
        ("action=query&meta=siteinfo&siprop=namespaces&format=php", "The namespaces for PHP"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Data_formats",)

    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as PHP would serialise it; ``pretty`` makes no difference."""
        return "".join(self.parts(root))

    def parts(self, root: Any) -> Iterator[str]:
        """Yield the parts of the serialised answer."""
        return serialized(
            to_version1(root) if self.p["formatversion"] == "1" else to_version2(root)
        )


def serialized(value: Any) -> Iterator[str]:
    """Yield the parts of a serialised value. Lengths of strings are in bytes of UTF-8."""
    match value:
        case None:
            yield "N;"
        case bool():
            yield f"b:{int(value)};"
        case int():
            yield f"i:{value};"
        case float():
            yield f"d:{_float(value)};"
        case str():
            yield _string(value)
        case dict():
            yield from _array(len(value), ((_key(key), item) for key, item in value.items()))
        case _:
            yield from _array(len(value), ((f"i:{n};", item) for n, item in enumerate(value)))


def _array(size: int, items: Iterable[tuple[str, Any]]) -> Iterator[str]:
    yield f"a:{size}:{{"
    for key, item in items:
        yield key
        yield from serialized(item)
    yield "}"


def _key(key: Any) -> str:
    """Return a serialised key. As in PHP, strings of integers become integers."""
    text = str(key)
    return f"i:{text};" if _INTEGER_KEY.match(text) else _string(text)


def _string(text: str) -> str:
    text = _SURROGATE.sub("\ufffd", text)
    return f's:{len(text.encode())}:"{text}";'


def _float(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    return _NOT_FINITE.get(value) or repr(value).upper().removesuffix(".0")
