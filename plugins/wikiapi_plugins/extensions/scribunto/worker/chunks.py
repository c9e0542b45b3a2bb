"""Compiled Lua, cached by content: each module is compiled once in a process."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from .room import NO_MEMORY, Room
from .varargs import TooManyParameters, with_room

_LUA = Path(__file__).parent.parent / "lua"
_COMPILED_MARK = b"\x1b"
MAX_BYTES = 32 * 1024 * 1024
"""Bytes of compiled modules that are cached."""


class Compiler:
    """The compiler of one Lua state; take it before the state's globals are closed."""

    def __init__(self, lua: Any, room: Room) -> None:
        """Take what compiles from a state."""
        self._room = room
        self._load: Callable[..., Any] = lua.globals()[b"loadstring"]
        self._dump: Callable[..., Any] = lua.globals()[b"string"][b"dump"]

    def compiled(self, source: bytes, name: str) -> bytes:
        """Return compiled Lua source.

        Raises:
            ValueError: it is not Lua; the text says where.
        """
        # Lua would take this for compiled code, which can do anything.
        if source.startswith(_COMPILED_MARK):
            raise ValueError("attempt to load chunk with wrong mode")
        compiled = bytes(self._dump(self._loaded(source, f"={name}".encode())))
        try:
            # Most modules of data have no such function, and are the largest.
            return with_room(compiled) if b"..." in source else compiled
        except TooManyParameters as error:
            raise ValueError(f"{name}:{error.line}: function has too many parameters") from None

    def function(self, compiled: bytes) -> Any:
        """Return the result of :meth:`compiled` as a function of this state."""
        return self._loaded(compiled)

    def _loaded(self, *arguments: bytes) -> Any:
        self._room.take(sum(map(len, arguments)), len(arguments))
        result = self._load(*arguments)
        if not isinstance(result, tuple):
            return result
        if result[1] == NO_MEMORY:
            raise MemoryError(NO_MEMORY.decode())
        raise ValueError(result[1].decode("utf-8", "replace"))


class ChunkCache:
    """The cache of one process. Used by one thread."""

    def __init__(self) -> None:
        """Start empty."""
        self._libraries: dict[str, bytes] = {}
        self._modules: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def library(self, compiler: Compiler, name: str) -> Any:
        """Return the function of a file of this package."""
        if name not in self._libraries:
            source = (_LUA / f"{name}.lua").read_bytes()
            self._libraries[name] = compiler.compiled(source, f"{name}.lua")
        return compiler.function(self._libraries[name])

    def derived(self, compiler: Compiler, name: str, source: Callable[[], bytes]) -> Any:
        """Return the function of a source that is compiled when it is first needed."""
        if name not in self._libraries:
            self._libraries[name] = compiler.compiled(source(), name)
        return compiler.function(self._libraries[name])

    def has(self, digest: str) -> bool:
        """Return whether a module of this content is cached."""
        return digest in self._modules

    def size(self, digest: str) -> int:
        """Return the bytes of a compiled module, 0 if it is not cached."""
        return len(self._modules.get(digest, b""))

    def add(self, compiler: Compiler, title: str, digest: str, source: str) -> None:
        """Compile a module and keep it.

        Raises:
            ValueError: it is not Lua; the text says where.
        """
        compiled = compiler.compiled(source.encode("utf-8", "surrogateescape"), title)
        self._modules[digest] = compiled
        self._size += len(compiled)
        while self._size > MAX_BYTES and len(self._modules) > 1:
            self._size -= len(self._modules.popitem(last=False)[1])

    def module(self, compiler: Compiler, digest: str) -> Any:
        """Return the function of a cached module."""
        self._modules.move_to_end(digest)
        return compiler.function(self._modules[digest])


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
        """Return the value, created in the state of a compiler."""
        if self._compiled is None:
            self._compiled = compiler.compiled(self.source, "literal")
        return compiler.function(self._compiled)()


def _statements(value: Any, depth: int) -> Iterator[bytes]:
    """Yield instructions that leave the value in the local variable of a depth."""
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
