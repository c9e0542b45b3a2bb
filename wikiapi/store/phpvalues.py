"""Values serialised by PHP, which old databases contain in metadata and log entries.

Only scalars and arrays are read. Objects, references and anything else are refused, so that no
object is ever created. The format is documented at
https://www.php.net/manual/function.serialize.php.
"""

from __future__ import annotations

import re
from typing import Any

_SCALAR = re.compile(rb"N;|b:([01]);|i:(-?[0-9]{1,20});|d:([-+0-9.eE]{1,40}|NAN|-?INF);")
_STRING = re.compile(rb's:([0-9]{1,9}):"')
_ARRAY = re.compile(rb"a:([0-9]{1,9}):\{")
_DEEPEST = 100


class BadPhpValue(ValueError):
    """The text is not a serialised value, or the value is not a scalar or an array."""


def loads(data: bytes | str) -> Any:
    """Return the value of a serialised text; arrays become lists if their keys count from 0, else
    dicts.

    Raises:
        BadPhpValue: the text is malformed, nested too deeply or contains an object.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    value, end = _value(raw, 0, 0)
    if raw[end:].strip():
        raise BadPhpValue("text after the value")
    return value


def _value(raw: bytes, at: int, depth: int) -> tuple[Any, int]:
    if match := _SCALAR.match(raw, at):
        return _scalar(match), match.end()
    if match := _STRING.match(raw, at):
        end = match.end() + int(match[1])
        if raw[end : end + 2] != b'";':
            raise BadPhpValue("a text is not as long as it says")
        return raw[match.end() : end].decode("utf-8", "replace"), end + 2
    if match := _ARRAY.match(raw, at):
        return _array(raw, match, depth + 1)
    raise BadPhpValue(f"no plain value at byte {at}")


def _scalar(match: re.Match[bytes]) -> Any:
    boolean, integer, double = match.groups()
    if boolean is not None:
        return boolean == b"1"
    if integer is not None:
        return int(integer)
    try:
        return None if double is None else float(double)
    except ValueError as error:
        raise BadPhpValue("malformed number") from error


def _array(raw: bytes, match: re.Match[bytes], depth: int) -> tuple[Any, int]:
    if depth > _DEEPEST:
        raise BadPhpValue("nested too deeply")
    items: dict[Any, Any] = {}
    at = match.end()
    for _ in range(int(match[1])):
        key, at = _value(raw, at, _DEEPEST)
        if not isinstance(key, int | str) or isinstance(key, bool):
            raise BadPhpValue("malformed key")
        items[key], at = _value(raw, at, depth)
    if raw[at : at + 1] != b"}":
        raise BadPhpValue("an array is not as long as it says")
    is_list = all(key == index for index, key in enumerate(items))
    return (list(items.values()) if is_list else items), at + 1


def dumps(value: Any) -> str:
    """Return a scalar, list or dict as PHP serialises it; lists become arrays with keys from 0.

    Raises:
        TypeError: the value is of another type.
    """
    if value is None:
        return "N;"
    if isinstance(value, bool):
        return f"b:{int(value)};"
    if isinstance(value, int):
        return f"i:{value};"
    if isinstance(value, float):
        return f"d:{value!r};"
    if isinstance(value, str):
        return f's:{len(value.encode("utf-8", "surrogatepass"))}:"{value}";'
    if isinstance(value, list | tuple):
        return dumps(dict(enumerate(value)))
    if isinstance(value, dict):
        items = "".join(dumps(key) + dumps(item) for key, item in value.items())
        return f"a:{len(value)}:{{{items}}}"
    raise TypeError(f"{type(value).__name__} is not plain")
