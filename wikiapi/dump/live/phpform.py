"""PHP's serialised form of plain values, as the log keeps its parameters.

The format is documented at https://www.php.net/manual/function.serialize.php.
"""

from __future__ import annotations

from typing import Any


def dumps(value: Any) -> str:
    """The serialised text of what JSON can hold; lengths are in bytes of UTF-8."""
    if value is None:
        return "N;"
    if isinstance(value, bool):
        return f"b:{int(value)};"
    if isinstance(value, int):
        return f"i:{value};"
    if isinstance(value, float):
        return f"d:{value!r};"
    if isinstance(value, str):
        return f's:{len(value.encode())}:"{value}";'
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [dumps(key) + dumps(item) for key, item in pairs]
    return f"a:{len(inner)}:{{{''.join(inner)}}}"
