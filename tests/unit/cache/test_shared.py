"""Caches in other servers: signed, short of patience, never in the way."""

from __future__ import annotations

import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.ports import free_port, wait_for
from wikiapi.cache.shared import REST, SharedCache
from wikiapi.cache.urls import Cache, open_cache
from wikiapi.config import CacheConfig

SECRET = b"of all processes"


class Away(Exception):
    """The server does not answer."""


class Dictionary:
    """A backend in a dictionary, that can be made to fail."""

    errors: tuple[type[Exception], ...] = (Away,)

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.is_away = False
        self.asked = 0

    def get(self, key: str) -> bytes | None:
        self._ask()
        return self.held.get(key)

    def put(self, key: str, data: bytes, seconds: int) -> None:
        self._ask()
        self.held[key] = data

    def close(self) -> None:
        self.held.clear()

    def _ask(self) -> None:
        self.asked += 1
        if self.is_away:
            raise Away("refused")


@pytest.fixture
def backend() -> Dictionary:
    return Dictionary()


def put(cache: Cache, key: str, value: object) -> None:
    cache.put(key, value, seconds=60, size=10)


def test_values_are_copied(backend: Dictionary) -> None:
    cache, value = SharedCache(backend, SECRET), {"a": [1, 2]}
    put(cache, "key", value)
    assert cache.get("key") == value
    assert cache.get("key") is not value
    assert cache.get("other") is None


def test_processes_with_one_key_share(backend: Dictionary) -> None:
    put(SharedCache(backend, SECRET), "key", "value")
    assert SharedCache(backend, SECRET).get("key") == "value"
    assert SharedCache(backend, b"another").get("key") is None


class Exploit:
    """Would do harm where it is unpickled."""

    done: ClassVar[list[str]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return self.done.append, ("harm",)


def test_forged_values_are_not_loaded(backend: Dictionary) -> None:
    cache = SharedCache(backend, SECRET)
    put(cache, "key", "value")
    (name,) = backend.held
    backend.held[name] = bytes(32) + pickle.dumps(Exploit())
    assert cache.get("key") is None
    assert Exploit.done == []
    backend.held[name] = b"short"
    assert cache.get("key") is None


def test_a_value_moved_to_another_key_is_not_believed(backend: Dictionary) -> None:
    cache = SharedCache(backend, SECRET)
    put(cache, "mine", 1)
    put(cache, "yours", 2)
    mine, yours = backend.held
    backend.held[mine] = backend.held[yours]
    assert cache.get("mine") is None


def test_what_cannot_be_pickled_is_not_cached(backend: Dictionary) -> None:
    cache = SharedCache(backend, SECRET)
    put(cache, "key", lambda: None)
    assert backend.held == {}


def test_a_server_that_fails_is_left_alone(backend: Dictionary) -> None:
    now = [0.0]
    cache = SharedCache(backend, SECRET, lambda: now[0])
    put(cache, "key", "value")
    backend.is_away = True
    assert cache.get("key") is None
    backend.is_away = False
    asked = backend.asked
    assert cache.get("key") is None
    put(cache, "key", "new")
    assert backend.asked == asked
    now[0] = REST
    assert cache.get("key") == "value"


SERVERS = {
    "redis": ["redis-server", "--save", "", "--port", "{port}", "--bind", "127.0.0.1"],
    "memcached": ["memcached", "-p", "{port}", "-l", "127.0.0.1", "-u", "nobody"],
}


@pytest.fixture(params=SERVERS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a real server, if its program is installed."""
    command = SERVERS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    port = free_port()
    process = subprocess.Popen(
        [part.format(port=port) for part in command],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield f"{request.param}://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def test_real_servers(url: str) -> None:
    cache = open_cache(CacheConfig(url=url, secret_key="k"))
    other = open_cache(CacheConfig(url=url, secret_key="other"))
    assert cache.get("ключ\n\ud800") is None
    put(cache, "ключ\n\ud800", ("value", 1))
    assert cache.get("ключ\n\ud800") == ("value", 1)
    assert other.get("ключ\n\ud800") is None
    cache.close()
    other.close()


@pytest.mark.parametrize("scheme", SERVERS)
def test_no_server(scheme: str, caplog: pytest.LogCaptureFixture) -> None:
    cache = open_cache(CacheConfig(url=f"{scheme}://127.0.0.1:{free_port()}", secret_key="k"))
    put(cache, "key", 1)
    assert cache.get("key") is None
    assert caplog.text.count("is not used") == 1
    cache.close()
