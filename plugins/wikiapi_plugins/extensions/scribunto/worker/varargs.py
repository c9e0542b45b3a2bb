"""Functions of Lua 5.1 with parameters and ``...``, made safe to call at the end of the stack.

A call makes sure that the stack has room for the function's registers, but not for the parameters
that the caller left out: with enough of them, Lua writes behind its stack (CVE-2014-5461). Such
functions are wrapped: ``function(a, b, c, d, ...)`` becomes ``function(...)`` which asks for the
room of both and then calls the original.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_HARMLESS = 3
"""Parameters that may be left out: Lua keeps a few spare places behind the stack's end."""
_MAX_REGISTERS = 250
_HEADER = struct.Struct("4s8B")
_IS_VARARG = 2
_NIL, _BOOLEAN, _NUMBER, _STRING = 0, 1, 3, 4
_GETUPVAL, _TAILCALL, _RETURN, _CLOSURE, _VARARG = 4, 29, 30, 36, 37


class TooManyParameters(Exception):
    """A function takes so many parameters beside ``...`` that it cannot be made safe."""

    def __init__(self, line: int) -> None:
        """Take ``line``: where the function begins."""
        super().__init__(line)
        self.line = line


def with_room(dumped: bytes) -> bytes:
    """Return compiled Lua in which each function has stack slots for all of its parameters.

    Args:
        dumped: what ``string.dump`` gave.

    Raises:
        TooManyParameters: there is not room enough for all of a function.
    """
    reader = _Reader(dumped)
    reader.function()
    if not reader.insertions:
        return dumped
    parts: list[bytes] = []
    position = 0
    # A function that holds another begins before it and ends after it.
    for at, inserted in sorted(reader.insertions, key=lambda each: each[0]):
        parts += (dumped[position:at], inserted)
        position = at
    return b"".join([*parts, dumped[position:]])


@dataclass
class _Head:
    """How a compiled function begins, behind the name of its source."""

    line: int
    last_line: int
    upvalues: int
    parameters: int
    vararg: int
    registers: int


class _Reader:
    """Goes through compiled Lua once, and notes what must be put where."""

    def __init__(self, dumped: bytes) -> None:
        """Read the header, which states how numbers are written."""
        header = _HEADER.unpack_from(dumped)
        _, version, _, is_little, integer, size, instruction, number, _ = header
        if (version, integer, instruction, number) != (0x51, 4, 4, 8):
            raise ValueError("compiled Lua of an unknown form")
        order = "<" if is_little else ">"
        self._dumped = dumped
        self._position = _HEADER.size
        self._int = struct.Struct(f"{order}i")
        self._size = struct.Struct(f"{order}{'Q' if size == 8 else 'I'}")
        self._head = struct.Struct(f"{order}2i4B")
        self.insertions: list[tuple[int, bytes]] = []

    def function(self) -> None:
        """Process a function and all functions inside it."""
        start = self._position
        self._skip_text()
        head = _Head(*self._head.unpack_from(self._dumped, self._position))
        self._position += self._head.size
        self._skip_numbers()
        for _ in range(self._count()):
            self._skip_constant()
        for _ in range(self._count()):
            self.function()
        self._skip_numbers()
        for _ in range(self._count()):
            self._skip_text()
            self._position += 2 * self._int.size
        for _ in range(self._count()):
            self._skip_text()
        if head.vararg and head.parameters > _HARMLESS:
            before, after = self._wrapper(head)
            self.insertions += ((start, before), (self._position, after))

    def _count(self) -> int:
        (count,) = self._int.unpack_from(self._dumped, self._position)
        self._position += self._int.size
        return int(count)

    def _skip_numbers(self) -> None:
        count = self._count()
        self._position += 4 * count

    def _skip_text(self) -> None:
        (size,) = self._size.unpack_from(self._dumped, self._position)
        self._position += self._size.size + size

    def _skip_constant(self) -> None:
        kind = self._dumped[self._position]
        self._position += 1
        if kind == _STRING:
            self._skip_text()
        else:
            self._position += {_NIL: 0, _BOOLEAN: 1, _NUMBER: 8}[kind]

    def _wrapper(self, head: _Head) -> tuple[bytes, bytes]:
        """Return the code before and after a function that makes another one call it."""
        registers = 1 + head.parameters + head.registers
        if registers > _MAX_REGISTERS:
            raise TooManyParameters(head.line)
        code = [
            _instruction(_CLOSURE, 0),
            *(_instruction(_GETUPVAL, 0, number) for number in range(head.upvalues)),
            _instruction(_VARARG, 1),
            _instruction(_TAILCALL, 0),
            _instruction(_RETURN, 0),
            _instruction(_RETURN, 0, 1),
        ]
        start = self._size.pack(0) + self._head.pack(
            head.line, head.last_line, head.upvalues, 0, _IS_VARARG, registers
        )
        before = start + self._ints(len(code), *code) + self._ints(0, 1)
        after = self._ints(len(code), *[head.line] * len(code)) + self._ints(0, 0)
        return before, after

    def _ints(self, *numbers: int) -> bytes:
        return b"".join(map(self._int.pack, numbers))


def _instruction(operation: int, a: int, b: int = 0) -> int:
    """Return an instruction as a signed number; ``b`` is 0 for a variable number of values."""
    made = operation | a << 6 | b << 23
    return made - (1 << 32) if made >= 1 << 31 else made
