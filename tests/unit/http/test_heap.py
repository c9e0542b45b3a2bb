"""What a server does about its memory before it serves."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys

import pytest

from tests.processes import environment
from wikiapi.http.serving.server import keep_heap

HEAPS = """
import ctypes, sys, threading
from wikiapi.http.serving.server import share_heap

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.fdopen.restype = ctypes.c_void_p
if sys.argv[1] == "shared":
    share_heap()
together = threading.Barrier(4)


def allocate():
    together.wait()
    libc.malloc(ctypes.c_size_t(50_000))
    together.wait()


threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
stream = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, stream)
libc.fflush(stream)
"""


def heaps(way: str, **more: str) -> int:
    """Return the number of heaps of a process whose threads have allocated memory."""
    variables = {key: value for key, value in environment().items() if key != "MALLOC_ARENA_MAX"}
    variables |= more
    command = [sys.executable, "-c", HEAPS, way]
    output = subprocess.run(command, capture_output=True, check=True, env=variables).stdout
    return output.count(b"<heap ")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="has one heap anyway")
def test_all_threads_share_one_heap() -> None:
    assert heaps("apart") > 1, "else the test tells nothing"
    assert heaps("shared") == 1
    assert heaps("shared", MALLOC_ARENA_MAX="3") > 1, "an administrator has the last word"


def test_the_collector_runs_less_often_and_skips_objects_of_start_up() -> None:
    before, usual = gc.get_freeze_count(), gc.get_threshold()
    try:
        keep_heap()
        assert gc.get_freeze_count() > before
        assert gc.get_threshold()[0] > usual[0]
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)
