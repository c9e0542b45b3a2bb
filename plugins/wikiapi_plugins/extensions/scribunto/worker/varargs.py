"""A workaround for a stack overflow in vararg functions of Lua 5.1 (CVE-2014-5461).

When Lua calls a function, it checks that the stack has enough slots for the function's registers,
but a vararg function needs more: one for each parameter that the caller omitted. With enough of
them, Lua writes beyond the end of its stack. Such functions are wrapped in the bytecode:
``function(a, b, c, d, ...)`` becomes ``function(...)``, which reserves the slots for both functions
and then calls the original one.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

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
            self._skip_constant()
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

    def _skip_constant(self) -> None:
        kind = self._bytecode[self._position]
        self._position += 1
        if kind == _STRING:
            self._skip_string()
        else:
            self._position += {_NIL: 0, _BOOLEAN: 1, _NUMBER: 8}[kind]

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
