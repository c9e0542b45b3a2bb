"""Lua bytecode, cached by content, so that a process compiles each module only once."""

from __future__ import annotations

import re
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .memory import NO_MEMORY, LuaMemory

_LUA = Path(__file__).parent.parent / "lua"
_BYTECODE_SIGNATURE = b"\x1b"
MAX_BYTES = 32 * 1024 * 1024
"""The maximum size of the cached bytecode of modules in bytes."""


class Compiler:
    """The compiler of one Lua state; must be created before the globals are removed."""

    def __init__(self, lua: Any, memory: LuaMemory) -> None:
        """Store the functions of a state that compile and dump chunks."""
        self._memory = memory
        self._loadstring: Callable[..., Any] = lua.globals()[b"loadstring"]
        self._dump: Callable[..., Any] = lua.globals()[b"string"][b"dump"]

    def compile(self, source: bytes, name: str) -> bytes:
        """Return the bytecode of a chunk of Lua source.

        Raises:
            ValueError: the source has a syntax error; the message contains the location.
        """
        # Lua would load this as bytecode, which can crash or take over the process.
        if source.startswith(_BYTECODE_SIGNATURE):
            raise ValueError("attempt to load chunk with wrong mode")
        bytecode = bytes(self._dump(self._load_chunk(source, f"={name}".encode())))
        try:
            # Modules of data are the largest, and most have no such functions.
            return wrap_vararg_functions(bytecode) if b"..." in source else bytecode
        except TooManyParameters as error:
            raise ValueError(f"{name}:{error.line}: function has too many parameters") from None

    def load(self, bytecode: bytes) -> Any:
        """Return the result of :meth:`compile` as a function of this state."""
        return self._load_chunk(bytecode)

    def _load_chunk(self, *arguments: bytes) -> Any:
        self._memory.reserve(sum(map(len, arguments)), len(arguments))
        result = self._loadstring(*arguments)
        if not isinstance(result, tuple):
            return result
        if result[1] == NO_MEMORY:
            raise MemoryError(NO_MEMORY.decode())
        raise ValueError(result[1].decode("utf-8", "replace"))


class ChunkCache:
    """The bytecode cache of a process. Used by one thread."""

    def __init__(self) -> None:
        """Create an empty cache."""
        self._libraries: dict[str, bytes] = {}
        self._modules: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def library(self, compiler: Compiler, name: str) -> Any:
        """Return the function of a Lua file of this package."""
        if name not in self._libraries:
            source = (_LUA / f"{name}.lua").read_bytes()
            self._libraries[name] = compiler.compile(source, f"{name}.lua")
        return compiler.load(self._libraries[name])

    def generated(self, compiler: Compiler, name: str, source: Callable[[], bytes]) -> Any:
        """Return the function of generated source, which is requested when it is first needed."""
        if name not in self._libraries:
            self._libraries[name] = compiler.compile(source(), name)
        return compiler.load(self._libraries[name])

    def has(self, digest: str) -> bool:
        """Return whether the module with a digest is cached."""
        return digest in self._modules

    def size(self, digest: str) -> int:
        """Return the size of a module's bytecode, or 0 if it is not cached."""
        return len(self._modules.get(digest, b""))

    def add(self, compiler: Compiler, title: str, digest: str, source: str) -> None:
        """Compile a module and cache it.

        Raises:
            ValueError: the source has a syntax error; the message contains the location.
        """
        bytecode = compiler.compile(source.encode("utf-8", "surrogateescape"), title)
        self._modules[digest] = bytecode
        self._size += len(bytecode)
        while self._size > MAX_BYTES and len(self._modules) > 1:
            self._size -= len(self._modules.popitem(last=False)[1])

    def module(self, compiler: Compiler, digest: str) -> Any:
        """Return the function of a cached module."""
        self._modules.move_to_end(digest)
        return compiler.load(self._modules[digest])


_SPECIAL = re.compile(rb'[\x00-\x1f"\\\x7f]')


class Literal:
    """A JSON value that is needed in many Lua states, and therefore compiled once."""

    def __init__(self, value: Any) -> None:
        """Store the value, which must not be modified afterwards."""
        self._value = value
        self._bytecode: bytes | None = None

    @cached_property
    def source(self) -> bytes:
        """The source of a chunk that returns the value.

        Tables are filled key by key: with table constructors, ``pairs`` would use another order.
        """
        return b"\n".join([*_statements(self._value, 0), b"return t0"])

    def create(self, compiler: Compiler) -> Any:
        """Create the value in the state of a compiler."""
        if self._bytecode is None:
            self._bytecode = compiler.compile(self.source, "literal")
        return compiler.load(self._bytecode)()


def _statements(value: Any, depth: int) -> Iterator[bytes]:
    """Yield statements that assign the value to the local variable for a nesting depth."""
    name = b"t%d" % depth
    if not isinstance(value, list | dict):
        yield b"local %s=%s" % (name, _scalar(value))
        return
    yield b"local %s={}" % name
    pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
    for key, item in pairs:
        if isinstance(item, list | dict):
            yield b"do"
            yield from _statements(item, depth + 1)
            yield b"%s[%s]=t%d end" % (name, _scalar(key), depth + 1)
        elif item is not None:
            yield b"%s[%s]=%s" % (name, _scalar(key), _scalar(item))


def _scalar(value: Any) -> bytes:
    if isinstance(value, str):
        text = value.encode("utf-8", "surrogateescape")
        return b'"%s"' % _SPECIAL.sub(lambda match: b"\\%03d" % match[0][0], text)
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return b"nil" if value is None else repr(value).encode()


_MAX_SAFE_PARAMETERS = 3
"""The number of parameters that may safely be omitted, since Lua has a few spare slots."""
_MAX_REGISTERS = 250
_HEADER = struct.Struct("4s8B")
_IS_VARARG = 2
_NIL, _BOOLEAN, _NUMBER, _STRING = 0, 1, 3, 4
_GETUPVAL, _TAILCALL, _RETURN, _CLOSURE, _VARARG = 4, 29, 30, 36, 37


class TooManyParameters(Exception):
    """A vararg function has too many parameters to be wrapped."""

    def __init__(self, line: int) -> None:
        """Store the line on which the function begins."""
        super().__init__(line)
        self.line = line


def wrap_vararg_functions(bytecode: bytes) -> bytes:
    """Return bytecode in which every vararg function has stack slots for all of its parameters.

    Args:
        bytecode: the result of ``string.dump``.

    Raises:
        TooManyParameters: a function would need too many registers.
    """
    reader = _BytecodeReader(bytecode)
    reader.read_function()
    if not reader.insertions:
        return bytecode
    parts: list[bytes] = []
    position = 0
    # The bytecode of a nested function lies within that of the outer one: offsets define the order.
    for offset, inserted in sorted(reader.insertions, key=lambda insertion: insertion[0]):
        parts += (bytecode[position:offset], inserted)
        position = offset
    return b"".join([*parts, bytecode[position:]])


@dataclass
class _FunctionHeader:
    """The header of a function in bytecode, after the name of its source."""

    line: int
    last_line: int
    upvalues: int
    parameters: int
    vararg: int
    registers: int


class _BytecodeReader:
    """Reads bytecode once, and collects what has to be inserted at which offset."""

    def __init__(self, bytecode: bytes) -> None:
        """Read the header, which defines the sizes and the byte order of numbers."""
        header = _HEADER.unpack_from(bytecode)
        _, version, _, is_little, integer, size, instruction, number, _ = header
        if (version, integer, instruction, number) != (0x51, 4, 4, 8):
            raise ValueError("unknown bytecode format")
        order = "<" if is_little else ">"
        self._bytecode = bytecode
        self._position = _HEADER.size
        self._int = struct.Struct(f"{order}i")
        self._size = struct.Struct(f"{order}{'Q' if size == 8 else 'I'}")
        self._header = struct.Struct(f"{order}2i4B")
        self.insertions: list[tuple[int, bytes]] = []

    def read_function(self) -> None:
        """Read a function and all functions nested in it."""
        start = self._position
        self._skip_string()
        header = _FunctionHeader(*self._header.unpack_from(self._bytecode, self._position))
        self._position += self._header.size
        self._skip_numbers()
        for _ in range(self._read_count()):
            kind = self._bytecode[self._position]
            self._position += 1
            if kind == _STRING:
                self._skip_string()
            else:
                self._position += {_NIL: 0, _BOOLEAN: 1, _NUMBER: 8}[kind]
        for _ in range(self._read_count()):
            self.read_function()
        self._skip_numbers()
        for _ in range(self._read_count()):
            self._skip_string()
            self._position += 2 * self._int.size
        for _ in range(self._read_count()):
            self._skip_string()
        if header.vararg and header.parameters > _MAX_SAFE_PARAMETERS:
            before, after = self._wrapper(header)
            self.insertions += ((start, before), (self._position, after))

    def _read_count(self) -> int:
        (count,) = self._int.unpack_from(self._bytecode, self._position)
        self._position += self._int.size
        return int(count)

    def _skip_numbers(self) -> None:
        count = self._read_count()
        self._position += 4 * count

    def _skip_string(self) -> None:
        (size,) = self._size.unpack_from(self._bytecode, self._position)
        self._position += self._size.size + size

    def _wrapper(self, header: _FunctionHeader) -> tuple[bytes, bytes]:
        """Return what precedes and follows a function to nest it in one that calls it."""
        registers = 1 + header.parameters + header.registers
        if registers > _MAX_REGISTERS:
            raise TooManyParameters(header.line)
        code = [
            _instruction(_CLOSURE, 0),
            *(_instruction(_GETUPVAL, 0, number) for number in range(header.upvalues)),
            _instruction(_VARARG, 1),
            _instruction(_TAILCALL, 0),
            _instruction(_RETURN, 0),
            _instruction(_RETURN, 0, 1),
        ]
        start = self._size.pack(0) + self._header.pack(
            header.line, header.last_line, header.upvalues, 0, _IS_VARARG, registers
        )
        before = start + self._ints(len(code), *code) + self._ints(0, 1)
        after = self._ints(len(code), *[header.line] * len(code)) + self._ints(0, 0)
        return before, after

    def _ints(self, *numbers: int) -> bytes:
        return b"".join(map(self._int.pack, numbers))


def _instruction(operation: int, a: int, b: int = 0) -> int:
    """Return an instruction as a signed number; ``b`` is 0 for a variable number of values."""
    unsigned = operation | a << 6 | b << 23
    return unsigned - (1 << 32) if unsigned >= 1 << 31 else unsigned
