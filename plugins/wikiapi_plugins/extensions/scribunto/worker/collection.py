"""When Lua looks for garbage: a page's state lives so shortly that most never need to."""

from __future__ import annotations

from typing import Any

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
