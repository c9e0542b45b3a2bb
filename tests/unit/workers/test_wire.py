from __future__ import annotations

import os
import struct
import threading
from collections.abc import Iterator

import pytest

from wikiapi.workers.wire import MAX_MESSAGE, Channel, Disconnected, TimedOut


class Ends:
    """A channel, and the other ends of its pipes."""

    def __init__(self) -> None:
        reading, self.writing = os.pipe()
        self.reading, writing = os.pipe()
        self.channel = Channel(reading, writing)
        self.open = {reading, writing, self.reading, self.writing}

    def close(self, descriptor: int) -> None:
        os.close(descriptor)
        self.open.discard(descriptor)


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    for descriptor in [*ends.open]:
        ends.close(descriptor)


def test_messages_come_one_by_one_however_they_are_cut(ends: Ends) -> None:
    bodies = [b'{"a":1}', '"ж"'.encode(), b"[]"]
    data = b"".join(struct.pack(">I", len(body)) + body for body in bodies)

    def write() -> None:
        for byte in data:
            os.write(ends.writing, bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    assert [ends.channel.receive(60) for _ in bodies] == [{"a": 1}, "ж", []]
    writer.join()


def test_a_message_that_does_not_come_is_waited_for_so_long(ends: Ends) -> None:
    for part in (b"", b"\0\0", b"\0\x05ab"):
        os.write(ends.writing, part)
        with pytest.raises(TimedOut):
            ends.channel.receive(0.05)
    os.write(ends.writing, b'"')
    with pytest.raises(TimedOut):
        ends.channel.receive(0)


def test_a_message_that_is_not_received_is_given_up(ends: Ends) -> None:
    with pytest.raises(TimedOut):
        ends.channel.send("x" * 1_000_000, 0.05)


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\0\0\0\x05ab", b"\0\0\0\x01x", struct.pack(">I", MAX_MESSAGE + 1)]
)
def test_lost_or_invalid_peers_are_disconnected(ends: Ends, data: bytes) -> None:
    os.write(ends.writing, data)
    ends.close(ends.writing)
    with pytest.raises(Disconnected):
        ends.channel.receive(60)


def test_nothing_is_sent_to_a_closed_connection(ends: Ends) -> None:
    ends.close(ends.reading)
    with pytest.raises(Disconnected):
        ends.channel.send(1, 60)


def test_a_message_nested_too_deeply_is_none(ends: Ends) -> None:
    body = b"[" * 200_000
    writer = threading.Thread(
        target=os.write, args=(ends.writing, struct.pack(">I", len(body)) + body)
    )
    writer.start()
    with pytest.raises(Disconnected):
        ends.channel.receive(60)
    writer.join()
