from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest

from wikiapi_plugins.extensions.scribunto.worker.wire import (
    MAX_MESSAGE,
    Channel,
    Disconnected,
    TimedOut,
)


@pytest.fixture
def pipe() -> Iterator[tuple[Channel, int]]:
    """Yield a channel that receives what it sends, and the descriptor it writes to."""
    reading, writing = os.pipe()
    yield Channel(reading, writing), writing
    os.close(reading)
    with suppress(OSError):
        os.close(writing)


def test_messages_are_received_as_they_were_sent(pipe: tuple[Channel, int]) -> None:
    channel, _ = pipe
    messages = [{"a": [1, 2.5, None, True]}, "ä\udcff\0", [], {"end": 1}]
    for message in messages:
        channel.send(message)
    assert [channel.receive(1) for _ in messages] == messages


@pytest.mark.parametrize(
    "data",
    [
        (MAX_MESSAGE + 1).to_bytes(4, "big"),
        b"\0\0\0\x02{]",
        b"\0\0\0\x05nul",
        b"\0\0\x40\0" + b"[" * 0x4000,
    ],
)
def test_an_invalid_message_ends_the_connection(pipe: tuple[Channel, int], data: bytes) -> None:
    channel, writing = pipe
    os.write(writing, data)
    os.close(writing)
    with pytest.raises(Disconnected):
        channel.receive(1)


def test_timeout(pipe: tuple[Channel, int]) -> None:
    with pytest.raises(TimedOut):
        pipe[0].receive(0.001)


def test_sending_to_a_closed_pipe() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(Disconnected):
        Channel(0, writing).send("x")
    os.close(writing)
