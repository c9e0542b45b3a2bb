"""Values written as Lua, which a state reads faster than it takes them one by one."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .chunks import Compiler

_SPECIAL = re.compile(rb'[\x00-\x1f"\\\x7f]')


class Literal:
    """A value of JSON on its way into many Lua states. It is compiled once."""

    def __init__(self, value: Any) -> None:
        """Take the value; it must not be changed any more."""
        self._value = value
        self._compiled: bytes | None = None

    @cached_property
    def source(self) -> bytes:
        """A chunk that returns the value.

        Tables are filled key by key: a constructor would leave them in another order.
        """
        return b"\n".join([*_statements(self._value, 0), b"return t0"])

    def made(self, compiler: Compiler) -> Any:
        """The value, new, in the state of a compiler."""
        if self._compiled is None:
            self._compiled = compiler.compiled(self.source, "literal")
        return compiler.function(self._compiled)()


def _statements(value: Any, depth: int) -> Iterator[bytes]:
    """What leaves the value in the local variable of a depth."""
    name = b"t%d" % depth
    if not isinstance(value, list | dict):
        yield b"local %s=%s" % (name, _scalar(value))
        return
    yield b"local %s={}" % name
    pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
    for key, each in pairs:
        if isinstance(each, list | dict):
            yield b"do"
            yield from _statements(each, depth + 1)
            yield b"%s[%s]=t%d end" % (name, _scalar(key), depth + 1)
        elif each is not None:
            yield b"%s[%s]=%s" % (name, _scalar(key), _scalar(each))


def _scalar(value: Any) -> bytes:
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogateescape")
        return b'"%s"' % _SPECIAL.sub(lambda match: b"\\%03d" % match[0][0], text)
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return b"nil" if value is None else repr(value).encode()
