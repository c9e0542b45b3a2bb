"""Row 58 of the hostile inputs: no picture costs much, however small its file is."""

from __future__ import annotations

import io
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from PIL import Image

from tests.plugins.web.readers import Browser
from wikiapi.errors import DeadlineExceeded
from wikiapi.filerepo.paths import hash_path
from wikiapi.http.wsgiclient import Received
from wikiapi.importing.files.mediafile import BadMedia, read_media
from wikiapi.importing.files.picturefile import BadPicture, pixel_size, read_svg
from wikiapi.site import Site
from wikiapi.testing.declaration import DeclaredFile
from wikiapi.workers.pool import Done, JobFailed, Limits, WorkerPool, WorkerUnavailable
from wikiapi.xmlfeed import XmlFeed
from wikiapi_plugins.web.reader.files import scaler, thumbnails

SIDE = 20_000
"""400 megapixels: more than anything is made of."""
PATIENCE = 120.0
MOST = 50_000_000


def chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(side: int, *chunks: bytes) -> bytes:
    """Return a picture of one colour, which is small whatever its size."""
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    row = b"\0" * (1 + (side + 7) // 8)
    packer = zlib.compressobj()
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    first, end = chunk(b"IHDR", head), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + first + b"".join(chunks) + chunk(b"IDAT", data) + end


def gif(frames: int, canvas: int, first: int, side: int) -> bytes:
    """An animation whose frames are of one colour; those after the first have another size."""
    pictures = []
    for size in (first, side):
        still = io.BytesIO()
        Image.new("P", (size, size), 1).save(still, "GIF")
        data = still.getvalue()
        colours = 3 * 2 ** ((data[10] & 7) + 1)
        pictures.append(data[data.index(b",\0\0\0\0", 13 + colours) : -1])
    head = data[:6] + struct.pack("<HH", canvas, canvas) + data[10 : 13 + colours]
    control = b"\x21\xf9\x04\x04\x05\0\0\0"
    return head + control + pictures[0] + (control + pictures[1]) * (frames - 1) + b";"


def webp(side: int, frames: int) -> bytes:
    written = io.BytesIO()
    pictures = [Image.new("RGB", (side, side), (n, n, n)) for n in range(frames)]
    pictures[0].save(written, "WEBP", save_all=True, append_images=pictures[1:])
    return written.getvalue()


def tiff(entries: int, size: int) -> bytes:
    """Return a picture with entries that each hold the whole file."""
    body = b"II*\0\x08\0\0\0" + struct.pack("<H", entries)
    body += b"".join(struct.pack("<HHII", 40_000 + n, 1, size, 0) for n in range(entries))
    return body.ljust(size, b"\0")


def scaled(path: Path, width: int = 100, mime: str = "image/png") -> str:
    job: scaler.Job = {
        "source": str(path),
        "target": f"{path}.small",
        "width": width,
        "height": width,
        "mime": mime,
        "most": MOST,
        "low": False,
    }
    pool = thumbnails.scalers(MOST)
    return pool.run(job, PATIENCE).result


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", png(SIDE)),
        ("a.gif", gif(1, 65_535, 10, 10)),
        (
            "a.bmp",
            b"BM" + struct.pack("<IIIIiiHHIIiiII", 0, 0, 54, 40, SIDE, SIDE, 1, 24, *[0] * 6),
        ),
    ],
)
def test_huge_pictures_are_not_scaled(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert len(data) < 1_000_000
    assert "too many pixels" in scaled(path)


def test_a_thumbnail_is_no_larger_than_a_picture_may_be(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(10))
    assert "too many pixels" in scaled(path, SIDE)


@pytest.mark.parametrize(
    ("frames", "side", "kept"), [(3, 100, 3), (100, 500, 1), (2, 3000, 1), (300, 10, 1)]
)
def test_all_frames_of_an_animation_count(
    tmp_path: Path, frames: int, side: int, kept: int
) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(gif(frames, side, side, side))
    assert scaled(path, 50, "image/gif") == ""
    with Image.open(f"{path}.small") as made:
        assert made.size == (50, 50)
        assert getattr(made, "n_frames", 1) in (1, kept), "equal frames may be joined"


def test_frames_larger_than_the_picture_count_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(gif(100, 1, 1, 3000))
    assert "too many pixels" in scaled(path, 50, "image/gif")
    assert read_media(path).metadata["duration"] == 0


@pytest.mark.parametrize("frames", [1, 40])
def test_other_animations_are_scaled_by_their_first_frame(tmp_path: Path, frames: int) -> None:
    path = tmp_path / "a.webp"
    path.write_bytes(webp(1000, frames))
    assert scaled(path) == ""
    path = tmp_path / "a.png"
    path.write_bytes(png(1000, chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))))
    assert scaled(path) == ""


def test_a_picture_takes_no_more_time_and_memory_than_it_may(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(7000))
    job = {"source": str(path), "target": str(tmp_path / "b"), "width": 100, "height": 100}
    job |= {"mime": "image/png", "most": MOST, "low": False}
    task = thumbnails.scalers(MOST).task
    for limits in (Limits(0.02, 1 << 30, 1 << 20), Limits(60.0, 1 << 20, 1 << 20)):
        pool = WorkerPool(task, limits)
        with pytest.raises(JobFailed):
            pool.run(job, PATIENCE)
        pool.close()


# Thumbnails as they are asked for

FILE = DeclaredFile("Photo.png", width=2000, height=1000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "images" / hash_path(FILE.name, 2)
    place.mkdir(parents=True)
    Image.new("RGB", (2000, 1000), "red").save(place / FILE.name)
    return tmp_path


@pytest.fixture
def make_wiki(make_site: Callable[..., Site], folder: Path) -> Callable[..., Browser]:
    def make(**tables: Any) -> Browser:
        config = {
            "files": {"folder": str(folder / "images")},
            "extensions": {"reader": {"thumbnail_folder": str(folder / "made")}},
            **tables,
        }
        return Browser(make_site({}, files=[FILE], config=config))

    return make


class Scalers:
    """Stands for the processes that scale: each job takes until it is let go on."""

    def __init__(self) -> None:
        self.jobs: list[Any] = []
        self.at_once = self.most_at_once = 0
        self.error: Exception | None = None
        self.refused = ""
        self.patience: list[float] = []
        self._lock = threading.Lock()

    def run(self, job: Any, patience: float) -> Any:
        with self._lock:
            self.jobs.append(job)
            self.patience.append(patience)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        threading.Event().wait(0.02)
        with self._lock:
            self.at_once -= 1
        if self.error:
            raise self.error
        if not self.refused:
            Image.new("RGB", (job["width"], job["height"])).save(job["target"], "PNG")
        return Done(self.refused, 0.0)


@pytest.fixture
def scalers(monkeypatch: pytest.MonkeyPatch) -> Scalers:
    scalers = Scalers()
    monkeypatch.setattr(thumbnails, "scalers", lambda _: scalers)
    return scalers


def thumb(width: int) -> str:
    return f"/images/thumb/{hash_path(FILE.name, 2)}{FILE.name}/{width}px-{quote(FILE.name)}"


def test_a_file_is_scaled_once_at_a_time(
    make_wiki: Callable[..., Browser], scalers: Scalers
) -> None:
    wiki = make_wiki()
    replies: list[Received] = []
    threads = [
        threading.Thread(target=lambda width=width: replies.append(wiki.get(thumb(width))))
        for width in range(100, 112)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [reply.status for reply in replies] == [200] * 12
    assert (len(scalers.jobs), scalers.most_at_once) == (12, 1)


def test_the_cached_sizes_of_a_file_are_bounded(
    make_wiki: Callable[..., Browser], scalers: Scalers, folder: Path
) -> None:
    wiki = make_wiki()
    most = thumbnails.MAX_SIZES
    widths = range(1000, 1000 + 10 * most, 10)
    assert all(wiki.get(thumb(width)).status == 200 for width in widths)
    assert len(scalers.jobs) == most
    # Another is served by the next larger, or the file itself.
    other = wiki.get(thumb(1105))
    assert other.status == 200
    assert Image.open(io.BytesIO(other.body)).width == 1110
    assert wiki.get(thumb(widths[-1] + 5)).status == 302
    assert wiki.get(thumb(1)).status == 200
    assert len(scalers.jobs) == most
    assert len([*(folder / "made").glob("*/*")]) == most
    # One that is kept is served as ever.
    assert Image.open(io.BytesIO(wiki.get(thumb(1110)).body)).width == 1110


@pytest.mark.parametrize(
    ("error", "refused", "again"),
    [
        (JobFailed("too slow", 10.0), "", False),
        (None, "too many pixels", False),
        (WorkerUnavailable("none"), "", True),
    ],
)
def test_what_cannot_be_scaled_is_not_tried_in_each_size(
    make_wiki: Callable[..., Browser],
    scalers: Scalers,
    error: Exception | None,
    refused: str,
    again: bool,
) -> None:
    wiki = make_wiki()
    scalers.error, scalers.refused = error, refused
    for width in range(100, 110):
        reply = wiki.get(thumb(width))
        assert reply.status == 302
        assert reply.headers["location"].endswith(f"/{FILE.name}")
    assert len(scalers.jobs) == (10 if again else 1)


def test_waiting_for_a_thumbnail_ends_with_the_request(
    make_wiki: Callable[..., Browser], scalers: Scalers, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = make_wiki(http={"request_deadline": 0.3})
    assert wiki.get(thumb(100)).status == 200
    assert all(patience <= 0.3 for patience in scalers.patience)
    with thumbnails._slots, thumbnails._slots:
        assert wiki.get(thumb(101)).status == 503
    scalers.error = DeadlineExceeded(0.3)
    assert wiki.get(thumb(102)).status == 503
    scalers.error = None
    assert wiki.get(thumb(103)).status == 200


# Files as they are imported


def test_a_picture_whose_entries_multiply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    path.write_bytes(tiff(20_000, 1_000_000))
    with pytest.raises(BadMedia, match=r"memory|processor|damaged|known"):
        read_media(path)


@pytest.mark.parametrize(
    "box",
    ["0 0 1e-300 1e300", "0 0 1e300 1e-300", "0 0 1e308 1e308", "0 0 1e-323 1e-323", "0 0 1e999 1"],
)
@pytest.mark.parametrize("size", [("", ""), ("1", ""), ("", "1"), ("100%", "1e308in")])
def test_a_drawing_of_any_size_has_one(box: str, size: tuple[str, str]) -> None:
    assert all(0 <= side <= 1 << 30 for side in pixel_size(*size, box))


def test_a_drawing_nested_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"<svg>" + b"<g>" * 1_000_000)
    with pytest.raises(BadMedia, match="nested"):
        read_media(path)


def test_a_long_tag_is_read_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, pieces = tmp_path / "a.svg", []
    path.write_bytes(b'<svg title="' + b"x" * 8_000_000)
    feed = XmlFeed.feed

    def counting(reader: XmlFeed, data: bytes) -> None:
        pieces.append(len(data))
        feed(reader, data)

    monkeypatch.setattr(XmlFeed, "feed", counting)
    with pytest.raises(BadPicture):
        read_svg(path)
    assert sum(pieces) > 8_000_000
    assert len(pieces) < 20, "the parser reads all that has come of a tag for each"


_SCALERS = thumbnails.scalers
"""Which the tests replace; it may still be replaced when a test has just ended."""


@pytest.fixture(autouse=True)
def _no_processes_stay() -> Iterator[None]:
    yield
    _SCALERS(MOST).close()
