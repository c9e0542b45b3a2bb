"""One Lua state: all that the #invokes of one page run in."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped]

from .chunks import ChunkCache, Compiler, Literal
from .limits import MEMORY
from .room import NO_MEMORY, Room
from .unicodelib import UnicodeLibrary
from .values import TableMaker, as_keys, from_lua, guarded, to_lua

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
"""The Lua files, in the order in which they build on each other."""

_NATIVE = (
    b"assert error getfenv setfenv getmetatable setmetatable ipairs next pairs pcall rawequal "
    b"rawget rawset select tonumber tostring type unpack xpcall _VERSION string table math os debug"
).split()
_MAX_PREPARED_BYTES = 1024 * 1024
"""Bytes of compiled modules that a state may hold before it is known what it needs."""
_URL_SCHEMES = [
    "bitcoin",
    "geo",
    "irc",
    "ircs",
    "magnet",
    "mailto",
    "matrix",
    "news",
    "sip",
    "sips",
    "sms",
    "tel",
    "urn",
    "xmpp",
]


class PageRuntime:
    """The Lua of one page."""

    def __init__(
        self,
        chunks: ChunkCache,
        call_host: Callable[..., Any],
        used: list[str],
        read: list[tuple[int, str]],
    ) -> None:
        """Make a state with every library in it.

        Args:
            chunks: compiled code, shared by all states of the process.
            call_host: calls a function in the server: name, arguments.
            used: list to which the names of preloaded modules are added once they are used.
            read: list to which foreseen arguments are added once they are read: number of the
                frame, and name.
        """
        self._chunks = chunks
        self._call_host = call_host
        self._used = used
        self._read = read
        self._preloaded: dict[str, list[str] | None] = {}
        self._modules: dict[bytes, Any] = {}
        self._prepared: dict[str, Any] = {}
        self.digests: set[str] = set()
        """Digests of the modules that the page uses."""
        self._lua: Any = LuaRuntime(
            encoding=None,
            attribute_filter=_refuse_attribute,
            register_eval=False,
            register_builtins=False,
            unpack_returned_tuples=True,
            max_memory=MEMORY,
        )
        self._room = Room(self._lua)
        self.table = self._room.table
        self._compiler = Compiler(self._lua, self._room)
        put_off_collection(self._lua.globals())
        self._lib = self._make_lib()
        self._load_libraries()
        self._invoke = self._lib[b"invoke"]
        self._console = self._lib[b"console"]
        self._take_log = self._lib[b"take_log"]

    def know_site(self, site: Literal) -> None:
        """Take what is known of the wiki, which is the same for every page."""
        self._lib[b"fill_site"](site.made(self._compiler))
        self._lib[b"copier"] = self._copier("environment of the site")

    def prepare(self, digests: Iterable[str]) -> None:
        """Make functions of modules that a page is likely to use. Nothing of them runs yet.

        They are small, as the page may as well not use them, and needs its memory for others.
        """
        room = _MAX_PREPARED_BYTES
        for digest in digests:
            room -= self._chunks.size(digest)
            if room > 0 and self._chunks.has(digest):
                self._prepared[digest] = self._chunks.module(self._compiler, digest)

    def begin(self, page: Mapping[str, Any]) -> None:
        """Take what is known of the page."""
        for key, value in page.items():
            self._lib[key.encode()] = to_lua(value, self.table)
        self._lib[b"ready"]()

    def preload(self, modules: Mapping[str, list[str] | None]) -> None:
        """Take title and digest of modules that are likely to be used; None: there is none."""
        self._preloaded.update(modules)

    def close(self) -> None:
        """Free the state's memory at once; the object cannot be used again.

        The state refers to this object and this to the state: left alone, both would wait for the
        collector of garbage, which counts objects and not the megabytes behind them.
        """
        self._room.__dict__.clear()
        self.__dict__.clear()

    @property
    def memory(self) -> int:
        """Bytes in use."""
        return int(self._lua.get_memory_used() or 0)

    def invoke(self, arguments: list[Any]) -> list[Any]:
        """Run a function of a module; the arguments are those of ``lib.invoke``."""
        return self._run(self._invoke, *(to_lua(each, self.table) for each in arguments))

    def _run(self, function: Any, *arguments: Any) -> list[Any]:
        """Return the results of a function of the Lua files, which begins with ``lib.lower``."""
        size = sum(len(each) for each in arguments if type(each) is bytes)
        self._room.take(size, len(arguments))
        return [from_lua(each) for each in function(*arguments)]

    def console(self, arguments: list[Any]) -> list[Any]:
        """Run code of a console beside a module.

        The arguments are the module's title, the number of its frame, its text, and the name and
        the text of the code.
        """
        title, frame, source, name, code = arguments
        try:
            chunks = [self._function(source, title), self._function(code, name)]
        except ValueError as error:
            return [False, str(error)]
        return self._run(self._console, to_lua(title, self.table), frame, *chunks)

    def _function(self, source: str, name: str) -> Any:
        compiled = self._compiler.compiled(source.encode("utf-8", "surrogateescape"), name)
        return self._compiler.function(compiled)

    def take_log(self) -> Any:
        """Return what the modules logged since the last call; ``None`` for nothing."""
        self._room.lift()
        try:
            return from_lua(self._take_log())
        finally:
            self._room.lower()

    def _make_lib(self) -> Any:
        source = self._lua.globals()
        native = {name: source[name] for name in _NATIVE}
        lib: Any = self.table({})
        lib[b"native"] = self.table(native)
        lib[b"lower"] = self._room.lower
        lib[b"no_memory"] = NO_MEMORY
        lib[b"host"] = guarded(self._host_function, self._room)
        lib[b"note_read"] = guarded(self._note_read, self._room)
        lib[b"chunk_of"] = guarded(self._chunk, self._room)
        lib[b"make_copier"] = guarded(self._copier, self._room)
        lib[b"decode_json"] = guarded(self._decode_json, self._room)
        lib[b"digest"] = guarded(self._digest, self._room)
        lib[b"digest_names"] = to_lua(names(), self.table)
        unicode = UnicodeLibrary(self.table).functions()
        lib[b"unicode"] = self.table(
            {name: guarded(function, self._room) for name, function in unicode.items()}
        )
        lib[b"url_schemes"] = self.table(dict(as_keys(_URL_SCHEMES)))
        return lib

    def _load_libraries(self) -> None:
        """Run the Lua files, and empty the state's table of globals."""
        native = self._lib[b"native"]
        for name in LIBRARIES:
            library = self._chunks.library(self._compiler, name)
            native[b"setfenv"](library, native)(self._lib)
        own = self._lua.globals()
        for name in list(own):
            own[name] = None

    def _host_function(self, name: bytes, *arguments: Any) -> Any:
        result = self._call_host(from_lua(name), [from_lua(each) for each in arguments])
        if isinstance(result, Literal):
            return result.made(self._compiler)
        if isinstance(result, list):
            return tuple(to_lua(each, self.table) for each in result)
        return to_lua(result, self.table)

    def _note_read(self, number: int, name: bytes) -> None:
        self._read.append((number, from_lua(name)))

    def _chunk(self, name: bytes) -> Any:
        """Return the function of a module's code; ``None`` if there is no module."""
        known = self._modules.get(name)
        if known is None:
            found = self._found(from_lua(name))
            if found is None:
                return None
            title, digest = found
            if not self._chunks.has(digest):
                digest, source = self._call_host("source", [title])
                self._chunks.add(self._compiler, title, digest, source)
            known = self._modules[name] = self._function_of(digest)
        return known

    def _function_of(self, digest: str) -> Any:
        self.digests.add(digest)
        prepared = self._prepared.pop(digest, None)
        return prepared or self._chunks.module(self._compiler, digest)

    def _found(self, name: str) -> list[str] | None:
        """Return title and digest of a module, if it exists."""
        if name in self._preloaded:
            self._used.append(name)
            return self._preloaded[name]
        found: list[str] | None = self._call_host("module", [name])
        return found

    def _copier(self, name: str = "environment") -> Any:
        """Return the function that makes environments for modules."""
        return self._chunks.derived(self._compiler, name, self._lib[b"copier_source"])

    def _decode_json(self, text: bytes, preserve: bool, fix: bool) -> Any:
        return decode(text, self.table, preserve=preserve, fix=fix)

    @staticmethod
    def _digest(name: bytes, data: bytes) -> bytes:
        return digest(name.decode("utf-8", "replace"), data).encode()


def _refuse_attribute(_object: object, _name: object, _setting: object) -> str:
    raise AttributeError("no attributes for Lua")


COLLECT_FROM = 8 * 1024 * 1024
"""Bytes in use at which the first collection begins; the limit is several times that."""
_USUAL_PAUSE = 200
"""How much memory grows between collections, in percent, unless one says otherwise."""
_STEP = 1000
"""How fast a collection goes on while memory grows, five times as usual: it must end in time."""
_ON_COLLECTION = b"""
local collectgarbage, usual = ...
getmetatable(newproxy(true)).__gc = function()
    collectgarbage('setpause', usual)
end
"""


def put_off_collection(native: Any) -> None:
    """Let a new state collect no garbage before it has grown, and then as Lua usually does.

    The pause is counted from what is in use when a collection ends, so it is set before one that
    has next to nothing to do. The first one that finds an object without references, which is made
    here, ends that.
    """
    collect = native[b"collectgarbage"]
    collect(b"collect")
    in_use = collect(b"count") * 1024
    collect(b"setpause", int(COLLECT_FROM / in_use * 100))
    collect(b"setstepmul", _STEP)
    collect(b"collect")
    native[b"loadstring"](_ON_COLLECTION)(collect, _USUAL_PAUSE)


_FIXED_LENGTH = {
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
_FNV_STARTS = {32: 0x811C9DC5, 64: 0xCBF29CE484222325}


def names() -> list[str]:
    """Return the names of the digests."""
    known = [name for name, own in _FIXED_LENGTH.items() if own in hashlib.algorithms_available]
    return [*known, "adler32", "crc32b", "fnv132", "fnv1a32", "fnv164", "fnv1a64", "joaat"]


def digest(name: str, data: bytes) -> str:
    """Return a digest in hexadecimal.

    Raises:
        ValueError: there is no such digest.
    """
    if name in _FIXED_LENGTH:
        return hashlib.new(_FIXED_LENGTH[name], data, usedforsecurity=False).hexdigest()
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
    value, prime, mask = _FNV_STARTS[bits], _FNV_PRIMES[bits], (1 << bits) - 1
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


_SUPERFLUOUS_COMMA = re.compile(r",(\s*[\]}])")
_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,14})\Z", re.ASCII)


def decode(text: bytes, make_table: TableMaker, *, preserve: bool, fix: bool) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the JSON.
        make_table: makes Lua tables.
        preserve: lists count from 0, and keys stay what they are.
        fix: commas before a closing bracket are overlooked.

    Raises:
        ValueError: it is not JSON.
    """
    source = text.decode("utf-8")
    if fix:
        source = _SUPERFLUOUS_COMMA.sub(r"\1", source)
    try:
        value = json.loads(source, parse_constant=_refused)
    except RecursionError:
        raise ValueError("Maximum stack depth exceeded") from None
    except json.JSONDecodeError:
        raise ValueError("Syntax error") from None
    return _converted(value, make_table, first=0 if preserve else 1)


def _refused(name: str) -> object:
    raise ValueError(f"Syntax error: {name}")


def _converted(value: Any, make_table: TableMaker, first: int) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    if isinstance(value, list):
        items = [_converted(each, make_table, first) for each in value]
        return make_table(dict(enumerate(items, first)) if first == 0 else items)
    if isinstance(value, dict):
        return make_table(_members(value, make_table, first))
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value) if abs(value) > 2**53 else value
    return value


def _members(value: dict[str, Any], make_table: TableMaker, first: int) -> dict[Any, Any]:
    """Convert keys that are integers; if all count from 0, they count from 1 in Lua."""
    members = {_key(key): _converted(each, make_table, first) for key, each in value.items()}
    if first and members and list(members) == list(range(len(members))):
        return dict(enumerate(members.values(), 1))
    return members


def _key(key: str) -> bytes | int:
    return int(key) if _INTEGER.match(key) else key.encode("utf-8", "replace")
