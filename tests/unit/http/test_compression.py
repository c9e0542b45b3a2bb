from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from tests.unit.http.sites import client_of
from wikiapi.http.compression import choose_coding, compress, compress_pieces
from wikiapi.testing.client import ApiClient

DATA = b"some text " * 100
DECODERS = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda data: zstandard.ZstdDecompressor().decompress(data),
}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip", "gzip"),
        ("gzip, deflate", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("br;q=1, gzip;q=0.5", "br"),
        ("gzip;q=0", None),
        ("identity", None),
        ("deflate", None),
        ("", None),
        ("gzip;q=nonsense", None),
        (",;,", None),
    ],
)
def test_choice(accepted: str, coding: str | None) -> None:
    assert choose_coding(accepted) == coding


@pytest.mark.parametrize("coding", DECODERS)
def test_round_trip(coding: str) -> None:
    body, used = compress(DATA, coding)
    assert used == coding
    assert len(body) < len(DATA)
    assert DECODERS[coding](body) == DATA


@pytest.mark.parametrize(
    ("coding", "unpack"),
    [
        ("gzip", lambda data: zlib.decompressobj(31).decompress(data)),
        ("br", lambda data: brotli.Decompressor().process(data)),
        ("zstd", lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)),
    ],
)
def test_pieces(coding: str, unpack: Callable[[bytes], bytes]) -> None:
    pieces, used = compress_pieces(iter([b"first ", DATA]), coding)
    assert used == coding
    first = next(pieces)
    assert unpack(first) == b"first ", "nothing is kept back"
    assert unpack(first + b"".join(pieces)) == b"first " + DATA


def test_pieces_for_clients_that_ask_for_no_coding() -> None:
    pieces, used = compress_pieces(iter([DATA]), "identity")
    assert (list(pieces), used) == ([DATA], None)


def test_small_bodies_stay_as_they_are() -> None:
    assert compress(b"{}", "gzip") == (b"{}", None)


LONG = {"action": "query", "titles": "|".join(f"Page {n}" for n in range(40))}


def test_only_when_requested(client: ApiClient) -> None:
    plain = client.reply("GET", LONG)
    assert "content-encoding" not in plain.headers
    packed = client.reply("GET", LONG, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(packed.body)
    assert gzip.decompress(packed.body) == plain.body
    assert "Accept-Encoding" in plain.headers["vary"].split(",")


def test_setting_turns_it_off() -> None:
    client = client_of(http={"compress": False})
    reply = client.reply("GET", LONG, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in reply.headers
