"""Row 52: should Lua be led astray all the same, its process has nothing and reaches nothing."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.security.luawiki import invoker, lua_wiki, rendered
from wikiapi.site import Site
from wikiapi_plugins.extensions.scribunto import worker

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"),
    reason="system calls are filtered on the usual processors of Linux",
)
IN_THE_WORKER = """
import ctypes, json, mmap, os, signal, socket, sys, time
sys.path.insert(0, sys.argv[1])
from worker.confine import confine
confine(400 * 1024 * 1024)

def told(function):
    try:
        function()
    except OSError as error:
        return type(error).__name__
    return "done"

sys.stdout.write(json.dumps({
    "open": told(lambda: os.open("/dev/null", os.O_RDONLY)),
    "list": told(lambda: os.listdir("/")),
    "stat": told(lambda: os.stat("/")),
    "socket": told(lambda: socket.socket()),
    "pair of sockets": told(lambda: socket.socketpair()),
    "pipe": told(os.pipe),
    "fork": told(os.fork),
    "execute": told(lambda: os.execv(sys.executable, [sys.executable, "-c", ""])),
    "spawn": told(lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})),
    "signal": told(lambda: os.kill(int(sys.argv[2]), 0)),
    "another user": told(lambda: os.setuid(0)),
    "code": told(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)),
    "more memory": told(lambda: mmap.mmap(-1, 1 << 30)),
    "memory": told(lambda: mmap.mmap(-1, 1 << 20)),
    "clocks": told(lambda: (time.time(), time.monotonic(), time.process_time())),
    "timer": told(lambda: signal.setitimer(signal.ITIMER_PROF, 60)),
    "randomness": told(lambda: os.urandom(8)),
}))
"""
ALLOWED = {"memory", "clocks", "timer", "randomness"}


@linux
def test_row_52_worker_reaches_neither_files_nor_sockets_nor_processes() -> None:
    folder = Path(worker.__file__).parents[1]
    command = [sys.executable, "-I", "-c", IN_THE_WORKER, str(folder), str(os.getpid())]
    ended = subprocess.run(command, capture_output=True, check=True, timeout=60)
    told = json.loads(ended.stdout)
    assert {name for name, how in told.items() if how == "done"} == ALLOWED
    assert all(
        how == "PermissionError"
        for name, how in told.items()
        if name not in ALLOWED | {"more memory"}
    )


@linux
def test_row_52_running_workers_are_confined(make_site: Callable[..., Site]) -> None:
    site = lua_wiki(make_site, f="return 'hello'")
    assert "hello" in rendered(site, "{{#invoke:M|f}}")
    process = invoker(site).pool.take()
    status = Path(f"/proc/{process.id}/status").read_text(encoding="ascii")
    facts = dict(line.split(":", 1) for line in status.splitlines())
    assert facts["Seccomp"].strip() == "2"
    assert facts["NoNewPrivs"].strip() == "1"
    assert "0" not in facts["Uid"].split()
    assert not int(facts["CapEff"], 16)
    limits = Path(f"/proc/{process.id}/limits").read_text(encoding="ascii")
    for name in ("Max core file size", "Max file size", "Max processes", "Max open files"):
        (line,) = (line for line in limits.splitlines() if line.startswith(name))
        assert line.removeprefix(name).split()[:2] == ["0", "0"]
    process.kill()


@linux
def test_without_a_filter_there_are_namespaces_or_nothing() -> None:
    folder = Path(worker.__file__).parents[1]
    code = """
import os, sys
sys.path.insert(0, sys.argv[1])
from worker import confine
confine.refuse_calls = lambda: False
confine.confine(400 * 1024 * 1024)
os.write(1, b"done")
"""
    command = [sys.executable, "-I", "-c", code, str(folder)]
    assert subprocess.run(command, capture_output=True, check=True, timeout=60).stdout == b"done"
