"""Row 52: even if a module took over the worker, the process has no access to anything."""

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
    reason="system calls are filtered on Linux for x86_64 and aarch64",
)
IN_THE_WORKER = """
import ctypes, json, mmap, os, signal, socket, sys, time
sys.path.insert(0, sys.argv[1])
from worker.confine import confine
confine(400 * 1024 * 1024)

def outcome(function):
    try:
        function()
    except OSError as error:
        return type(error).__name__
    return "done"

sys.stdout.write(json.dumps({
    "open": outcome(lambda: os.open("/dev/null", os.O_RDONLY)),
    "list": outcome(lambda: os.listdir("/")),
    "stat": outcome(lambda: os.stat("/")),
    "socket": outcome(lambda: socket.socket()),
    "socket pair": outcome(lambda: socket.socketpair()),
    "pipe": outcome(os.pipe),
    "fork": outcome(os.fork),
    "execute": outcome(lambda: os.execv(sys.executable, [sys.executable, "-c", ""])),
    "spawn": outcome(lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})),
    "signal": outcome(lambda: os.kill(int(sys.argv[2]), 0)),
    "another user": outcome(lambda: os.setuid(0)),
    "code": outcome(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)),
    "more memory": outcome(lambda: mmap.mmap(-1, 1 << 30)),
    "memory": outcome(lambda: mmap.mmap(-1, 1 << 20)),
    "clocks": outcome(lambda: (time.time(), time.monotonic(), time.process_time())),
    "timer": outcome(lambda: signal.setitimer(signal.ITIMER_PROF, 60)),
    "randomness": outcome(lambda: os.urandom(8)),
}))
"""
ALLOWED = {"memory", "clocks", "timer", "randomness"}


@linux
def test_worker_has_no_access_to_files_sockets_and_processes() -> None:
    folder = Path(worker.__file__).parents[1]
    command = [sys.executable, "-I", "-c", IN_THE_WORKER, str(folder), str(os.getpid())]
    completed = subprocess.run(command, capture_output=True, check=True, timeout=60)
    outcomes = json.loads(completed.stdout)
    assert {name for name, outcome in outcomes.items() if outcome == "done"} == ALLOWED
    assert all(
        outcome == "PermissionError"
        for name, outcome in outcomes.items()
        if name not in ALLOWED | {"more memory"}
    )


@linux
def test_running_workers_are_confined(make_site: Callable[..., Site]) -> None:
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
def test_confinement_succeeds_without_a_filter() -> None:
    folder = Path(worker.__file__).parents[1]
    code = """
import os, sys
sys.path.insert(0, sys.argv[1])
from worker import confine
confine.install_filter = lambda: False
confine.confine(400 * 1024 * 1024)
os.write(1, b"done")
"""
    command = [sys.executable, "-I", "-c", code, str(folder)]
    assert subprocess.run(command, capture_output=True, check=True, timeout=60).stdout == b"done"
