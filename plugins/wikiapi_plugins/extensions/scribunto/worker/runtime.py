"""The Lua state of a page, in which all its ``#invoke`` calls run."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped]

from .chunks import ChunkCache, Compiler, Literal
from .limits import MAX_MEMORY_BYTES
from .memory import NO_MEMORY, LuaMemory
from .unicodelib import UnicodeLibrary
from .values import TableMaker, from_lua, guarded, to_lua

LIBRARIES = (
    "sandbox",
    "libraryUtil",
    "package",
    "strict",
    "bit32",
    "mw",
    "mw.ustring",
    "mw.text",
    "mw.frame",
    "data",
    "mw.uri",
    "mw.html",
    "mw.svg",
    "mw.hash",
    "mw.title",
    "mw.site",
    "mw.message",
    "mw.language",
    "run",
    "console",
)
"""The Lua files, in order of their dependencies."""

_NATIVE = (
    b"assert error getfenv setfenv getmetatable setmetatable ipairs next pairs pcall rawequal "
    b"rawget rawset select tonumber tostring type unpack xpcall _VERSION string table math os debug"
).split()
_MAX_PREPARED_BYTES = 1024 * 1024
"""The largest total size of the modules that are loaded in advance for the next page."""


class PageRuntime:
    """The Lua state of one page."""

    def __init__(
        self,
        chunks: ChunkCache,
        call_host: Callable[..., Any],
        used: list[str],
        read: list[tuple[int, str]],
    ) -> None:
        """Create a state and load the libraries.

        Args:
            chunks: the bytecode cache of the process.
            call_host: calls a host function, given its name and a list of arguments.
            used: the list to which the names of preloaded modules are added when they are used.
            read: the list to which foreseen arguments are added when they are read, as the number
                of the frame and the name.
        """
        self._chunks = chunks
        self._call_host = call_host
        self._used = used
        self._read = read
        self._preloaded: dict[str, list[str] | None] = {}
        self._modules: dict[bytes, Any] = {}
        self._prepared: dict[str, Any] = {}
        self.digests: set[str] = set()
        """The digests of the modules that the page has used."""
        self._lua: Any = LuaRuntime(
            encoding=None,
            attribute_filter=_refuse_attribute,
            register_eval=False,
            register_builtins=False,
            unpack_returned_tuples=True,
            max_memory=MAX_MEMORY_BYTES,
        )
        self._memory = LuaMemory(self._lua)
        self.make_table = self._memory.make_table
        self._compiler = Compiler(self._lua, self._memory)
        delay_garbage_collection(self._lua.globals())
        self._lib = self._make_lib()
        native = self._lib[b"native"]
        for name in LIBRARIES:
            library = self._chunks.library(self._compiler, name)
            native[b"setfenv"](library, native)(self._lib)
        lua_globals = self._lua.globals()
        for name in list(lua_globals):
            lua_globals[name] = None
        self._invoke = self._lib[b"invoke"]
        self._console = self._lib[b"console"]
        self._take_log = self._lib[b"take_log"]

    def set_site_facts(self, site: Literal) -> None:
        """Set the facts about the wiki, which are the same for every page."""
        self._lib[b"fill_site"](site.create(self._compiler))
        self._lib[b"copier"] = self._environment_copier("environment of the site")

    def prepare(self, digests: Iterable[str]) -> None:
        """Load modules that the page will probably use, without running them.

        Their size is limited, since the page may need the memory for others.
        """
        bytes_left = _MAX_PREPARED_BYTES
        for digest in digests:
            bytes_left -= self._chunks.size(digest)
            if bytes_left > 0 and self._chunks.has(digest):
                self._prepared[digest] = self._chunks.module(self._compiler, digest)

    def set_page_facts(self, facts: Mapping[str, Any]) -> None:
        """Set the facts about the page and its rendering."""
        for key, value in facts.items():
            self._lib[key.encode()] = to_lua(value, self.make_table)
        self._lib[b"ready"]()

    def preload(self, modules: Mapping[str, list[str] | None]) -> None:
        """Store the titles and digests of modules that may be used, by name.

        ``None`` means that a module does not exist.
        """
        self._preloaded.update(modules)

    def close(self) -> None:
        """Free the memory of the state immediately; the object cannot be used afterwards.

        The state and this object refer to each other. Python's garbage collector would free them
        late, because it counts objects and not the memory that they use.
        """
        self._memory.__dict__.clear()
        self.__dict__.clear()

    @property
    def memory(self) -> int:
        """The memory in use, in bytes."""
        return int(self._lua.get_memory_used() or 0)

    def invoke(self, arguments: list[Any]) -> list[Any]:
        """Run a function of a module, and return the results of ``lib.invoke``.

        The arguments are those of ``lib.invoke``.
        """
        return self._run(self._invoke, *(to_lua(item, self.make_table) for item in arguments))

    def _run(self, function: Any, *arguments: Any) -> list[Any]:
        """Return the results of a function in the Lua files.

        The function must call ``lib.restore_limit`` first.
        """
        size = sum(len(item) for item in arguments if type(item) is bytes)
        self._memory.reserve(size, len(arguments))
        return [from_lua(item) for item in function(*arguments)]

    def console(self, arguments: list[Any]) -> list[Any]:
        """Run console code with access to a module, and return the results of ``lib.console``.

        The arguments are the title of the module, the number of its frame, its source, and the
        name and the source of the code.
        """
        title, frame, source, name, code = arguments
        try:
            chunks = [self._compile(source, title), self._compile(code, name)]
        except ValueError as error:
            return [False, str(error)]
        return self._run(self._console, to_lua(title, self.make_table), frame, *chunks)

    def _compile(self, source: str, name: str) -> Any:
        bytecode = self._compiler.compile(source.encode("utf-8", "surrogateescape"), name)
        return self._compiler.load(bytecode)

    def take_log(self) -> Any:
        """Return the text logged by modules since the last call, or ``None``."""
        self._memory.lift_limit()
        try:
            return from_lua(self._take_log())
        finally:
            self._memory.restore_limit()

    def _make_lib(self) -> Any:
        source = self._lua.globals()
        native = {name: source[name] for name in _NATIVE}
        lib: Any = self.make_table({})
        lib[b"native"] = self.make_table(native)
        lib[b"restore_limit"] = self._memory.restore_limit
        lib[b"no_memory"] = NO_MEMORY
        lib[b"host"] = guarded(self._call_host_function, self._memory)
        lib[b"record_read"] = guarded(self._record_read, self._memory)
        lib[b"module_function"] = guarded(self._module_function, self._memory)
        lib[b"environment_copier"] = guarded(self._environment_copier, self._memory)
        lib[b"decode_json"] = guarded(self._decode_json, self._memory)
        lib[b"digest"] = guarded(self._digest, self._memory)
        lib[b"digest_names"] = to_lua(digest_names(), self.make_table)
        unicode = UnicodeLibrary(self.make_table).functions()
        lib[b"unicode"] = self.make_table(
            {name: guarded(function, self._memory) for name, function in unicode.items()}
        )
        return lib

    def _call_host_function(self, name: bytes, *arguments: Any) -> Any:
        result = self._call_host(from_lua(name), [from_lua(item) for item in arguments])
        if isinstance(result, Literal):
            return result.create(self._compiler)
        if isinstance(result, list):
            return tuple(to_lua(item, self.make_table) for item in result)
        return to_lua(result, self.make_table)

    def _record_read(self, number: int, name: bytes) -> None:
        self._read.append((number, from_lua(name)))

    def _module_function(self, name: bytes) -> Any:
        """Return a module as a function, or ``None`` if it does not exist."""
        function = self._modules.get(name)
        if function is None:
            module = self._find_module(from_lua(name))
            if module is None:
                return None
            title, digest = module
            if not self._chunks.has(digest):
                digest, source = self._call_host("source", [title])
                self._chunks.add(self._compiler, title, digest, source)
            self.digests.add(digest)
            prepared = self._prepared.pop(digest, None)
            function = self._modules[name] = prepared or self._chunks.module(self._compiler, digest)
        return function

    def _find_module(self, name: str) -> list[str] | None:
        """Return the title and digest of a module, or ``None`` if it does not exist."""
        if name in self._preloaded:
            self._used.append(name)
            return self._preloaded[name]
        answer: list[str] | None = self._call_host("module", [name])
        return answer

    def _environment_copier(self, name: str = "environment") -> Any:
        """Return the function that creates environments for modules."""
        return self._chunks.generated(self._compiler, name, self._lib[b"copier_source"])

    def _decode_json(self, text: bytes, preserve: bool, fix: bool) -> Any:
        return decode_json(text, self.make_table, preserve=preserve, fix=fix)

    @staticmethod
    def _digest(name: bytes, data: bytes) -> bytes:
        return digest(name.decode("utf-8", "replace"), data).encode()


def _refuse_attribute(_object: object, _name: object, _setting: object) -> str:
    raise AttributeError("Lua may not access attributes")


COLLECTION_THRESHOLD = 8 * 1024 * 1024
"""The memory in use at which the first garbage collection starts, a fraction of the limit."""
_DEFAULT_PAUSE = 200
"""Lua's default: a collection starts when the memory in use has grown to this percentage."""
_STEP_MULTIPLIER = 1000
"""The speed of a collection, five times the default: it must end before the memory is full."""
_RESTORE_PAUSE = b"""
local collectgarbage, default = ...
getmetatable(newproxy(true)).__gc = function()
    collectgarbage('setpause', default)
end
"""


def delay_garbage_collection(lua_globals: Any) -> None:
    """Delay the first garbage collection of a new state until it uses more memory.

    The pause is relative to the memory in use at the end of a collection, so it is set before a
    collection that has little to do. A finalizer, which runs in the next collection, restores the
    default.
    """
    collect = lua_globals[b"collectgarbage"]
    collect(b"collect")
    in_use = collect(b"count") * 1024
    collect(b"setpause", int(COLLECTION_THRESHOLD / in_use * 100))
    collect(b"setstepmul", _STEP_MULTIPLIER)
    collect(b"collect")
    lua_globals[b"loadstring"](_RESTORE_PAUSE)(collect, _DEFAULT_PAUSE)


_HASHLIB_NAMES = {
    "md5": "md5",
    "sha1": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha512/224": "sha512_224",
    "sha512/256": "sha512_256",
    "sha3-224": "sha3_224",
    "sha3-256": "sha3_256",
    "sha3-384": "sha3_384",
    "sha3-512": "sha3_512",
    "ripemd160": "ripemd160",
}
_FNV_PRIMES = {32: 0x01000193, 64: 0x100000001B3}
_FNV_OFFSETS = {32: 0x811C9DC5, 64: 0xCBF29CE484222325}


def digest_names() -> list[str]:
    """Return the names of the available hash algorithms."""
    names = [
        name for name, alias in _HASHLIB_NAMES.items() if alias in hashlib.algorithms_available
    ]
    return [*names, "adler32", "crc32b", "fnv132", "fnv1a32", "fnv164", "fnv1a64", "joaat"]


def digest(name: str, data: bytes) -> str:
    """Return a digest in hexadecimal.

    Raises:
        ValueError: the hash algorithm is unknown.
    """
    if name in _HASHLIB_NAMES:
        return hashlib.new(_HASHLIB_NAMES[name], data, usedforsecurity=False).hexdigest()
    match name:
        case "adler32":
            return f"{zlib.adler32(data):08x}"
        case "crc32b":
            return f"{zlib.crc32(data):08x}"
        case "fnv132" | "fnv164":
            return _fnv(data, int(name[4:]), xor_first=False)
        case "fnv1a32" | "fnv1a64":
            return _fnv(data, int(name[5:]), xor_first=True)
        case "joaat":
            return _joaat(data)
    raise ValueError(f"Unknown hashing algorithm: {name}")


def _fnv(data: bytes, bits: int, *, xor_first: bool) -> str:
    value, prime, mask = _FNV_OFFSETS[bits], _FNV_PRIMES[bits], (1 << bits) - 1
    for byte in data:
        value = (value ^ byte) * prime & mask if xor_first else value * prime & mask ^ byte
    return f"{value:0{bits // 4}x}"


def _joaat(data: bytes) -> str:
    """Return Jenkins's one-at-a-time hash."""
    mask, value = 0xFFFFFFFF, 0
    for byte in data:
        value = value + byte & mask
        value = value + (value << 10) & mask
        value ^= value >> 6
    value = value + (value << 3) & mask
    value ^= value >> 11
    return f"{value + (value << 15) & mask:08x}"


_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,14})\Z", re.ASCII)


def decode_json(text: bytes, make_table: TableMaker, *, preserve: bool, fix: bool) -> Any:
    """Return the Lua value of a JSON text.

    Args:
        text: the JSON text.
        make_table: creates Lua tables.
        preserve: number lists from 0, and do not renumber the keys of objects.
        fix: ignore trailing commas.

    Raises:
        ValueError: the text is not valid JSON.
    """
    source = text.decode("utf-8")
    if fix:
        source = _TRAILING_COMMA.sub(r"\1", source)
    try:
        value = json.loads(source, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("Maximum stack depth exceeded") from None
    except json.JSONDecodeError:
        raise ValueError("Syntax error") from None
    return _convert(value, make_table, first=0 if preserve else 1)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"Syntax error: {name}")


def _convert(value: Any, make_table: TableMaker, first: int) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, list):
        items = [_convert(item, make_table, first) for item in value]
        return make_table(dict(enumerate(items, first)) if first == 0 else items)
    if isinstance(value, dict):
        return make_table(_convert_members(value, make_table, first))
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value) if abs(value) > 2**53 else value
    return value


def _convert_members(value: dict[str, Any], make_table: TableMaker, first: int) -> dict[Any, Any]:
    """Return the members of an object, with integers as keys where possible.

    Keys that are a sequence from 0 are changed to start at 1.
    """
    members = {
        (int(key) if _INTEGER.match(key) else key.encode("utf-8", "replace")): _convert(
            item, make_table, first
        )
        for key, item in value.items()
    }
    if first and members and list(members) == list(range(len(members))):
        return dict(enumerate(members.values(), 1))
    return members
