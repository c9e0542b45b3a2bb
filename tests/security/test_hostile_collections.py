"""Archives of pictures that try to leave their folder, to fill the disk or to fill the memory."""

from __future__ import annotations

import base64
import gzip
import io
import os
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.files import collection
from wikiapi.importing.files.collection import BadMember, Member, members
from wikiapi.importing.files.fetch import CollectionRun, FetchLimits, FetchReport
from wikiapi.site import Site

PATHS = (
    "../../up.png", "/root.png", "a/../../../b.png", "C:\\windows\\c.png", "..\\..\\d.png",
    "./e.png", "deep/" * 200 + "f.png", "x/..", "", "/",
    "n\0ul.png", "tab\there.png", "\x1b[31mred.png",
)  # fmt: skip
SAFE = {"up.png", "root.png", "b.png", "c.png", "d.png", "e.png", "f.png"}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
NO_LIMITS = FetchLimits(1 << 30, 1 << 40)


def listed(place: Path) -> list[Member]:
    return list(members(place))


def tarred(place: Path, *entries: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> Path:
    with tarfile.open(place, mode) as archive:  # type: ignore[call-overload]
        for entry, data in entries:
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return place


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


@contextmanager
def little_memory(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most


@pytest.fixture
def site(tmp_path: Path, make_site: Callable[..., Site]) -> Site:
    names = "".join(f"[[File:{name}]]" for name in (*PATHS, "Up.png", "Link.png", "Big.png"))
    return make_site({"A": names}, config={"files": {"folder": str(tmp_path / "images")}})


def taken(site: Site, place: Path, limits: FetchLimits = NO_LIMITS) -> FetchReport:
    room = Path(site.config.files.folder) / "room"
    room.mkdir(parents=True)
    report = CollectionRun(site, place, limits, room).run()
    assert list(room.iterdir()) == []
    return report


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_paths_lead_nowhere(site: Site, tmp_path: Path, kind: str) -> None:
    place = tmp_path / f"a.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(place, "w") as archive:
            for path in filter(None, PATHS):
                archive.writestr(zipfile.ZipInfo(path), PNG)
    else:
        tarred(place, *((entry(path), PNG) for path in PATHS if "\0" not in path))
    assert {member.name for member in members(place)} >= SAFE
    before = files_below(tmp_path)
    taken(site, place)
    assert {
        path for path in files_below(tmp_path) - before if not path.startswith("images/")
    } == set()


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_only_files_are_taken_from_a_tar(tmp_path: Path, kind: bytes) -> None:
    place = tarred(tmp_path / "a.tar", (entry("Link.png", kind, "/etc/passwd"), b""))
    assert listed(place) == []


def test_links_in_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "Link.png").symlink_to("/etc/passwd")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "a" / "Up.png")
    assert listed(tmp_path / "a") == []


def test_a_zip_that_lies_about_sizes(site: Site, tmp_path: Path) -> None:
    place = tmp_path / "a.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Big.png", bytes(5_000_000))
    data = place.read_bytes()
    sizes = struct.pack("<I", 5_000_000)
    place.write_bytes(data.replace(sizes, struct.pack("<I", 1000)))
    report = taken(site, place, FetchLimits(2000, 1 << 30))
    assert report.fetched == 0
    assert report.failed.count == 1


def test_a_zip_bomb_is_too_large(site: Site, tmp_path: Path) -> None:
    place = tmp_path / "a.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Big.png", bytes(50_000_000))
    report = taken(site, place, FetchLimits(1_000_000, 1 << 30))
    assert (report.fetched, report.too_large.count) == (0, 1)


def test_a_member_beyond_its_size_is_refused(tmp_path: Path) -> None:
    member = Member("a.png", 10, open=lambda: io.BytesIO(bytes(11)))
    with pytest.raises(BadMember):
        member.copy(tmp_path / "a.png", member.size)


def test_a_zip_with_too_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for number in range(100):
            archive.writestr(f"{number}.png", b"")
    monkeypatch.setattr(collection, "_LARGEST_DIRECTORY", 2000)
    with pytest.raises(DumpError, match="too many entries"):
        listed(place)
    monkeypatch.undo()
    monkeypatch.setattr(collection, "_MAX_ENTRIES", 99)
    with pytest.raises(DumpError, match="more than 99 entries"):
        listed(place)


def test_a_tar_with_too_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tarred(tmp_path / "a.tar", *((entry(f"{n}.png"), b"") for n in range(100)))
    monkeypatch.setattr(collection, "_MAX_ENTRIES", 99)
    with pytest.raises(DumpError, match="more than 99 entries"):
        listed(place)


def header(name: str, size: int, kind: bytes) -> bytes:
    made = entry(name, kind)
    made.size = size
    return made.tobuf(tarfile.USTAR_FORMAT)


HEADERS: dict[str, Callable[[], Iterator[bytes]]] = {
    "long name": lambda: iter([header("x", 60_000_000, tarfile.GNUTYPE_LONGNAME)]),
    "attributes": lambda: iter([header("x", 60_000_000, tarfile.XHDTYPE)]),
    "attributes of all": lambda: iter([header("x", 60_000_000, tarfile.XGLTYPE)]),
}


@pytest.mark.parametrize("what", HEADERS)
def test_a_tar_with_an_endless_header(tmp_path: Path, what: str) -> None:
    place = tmp_path / "a.tar.gz"
    with gzip.open(place, "wb", 1) as file:
        for piece in HEADERS[what]():
            file.write(piece)
        for _ in range(60):
            file.write(bytes(1_000_000))
    with little_memory(20_000_000), pytest.raises(DumpError):
        listed(place)


def test_many_attributes_of_all_entries_are_not_kept(tmp_path: Path) -> None:
    place = tmp_path / "a.tar"
    with tarfile.open(place, "w", format=tarfile.PAX_FORMAT) as archive:
        for number in range(200):
            archive.fileobj.write(
                tarfile.TarInfo.create_pax_global_header({f"key{number}": "v" * 100_000})
            )
            archive.addfile(entry(f"{number}.png"))
    with little_memory(8_000_000):
        assert sum(1 for _ in members(place)) == 200


def test_a_sparse_file_of_any_size(site: Site, tmp_path: Path) -> None:
    place = tmp_path / "a.tar"
    attributes = {
        "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "Big.png",
        "GNU.sparse.realsize": str(1 << 50),
    }  # fmt: skip
    made = entry("Big.png")
    made.pax_headers = attributes
    data = b"1\n0\n0\n".ljust(512, b"\0")
    made.size = len(data)
    with tarfile.open(place, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(made, io.BytesIO(data))
        archive.addfile(entry("Up.png"))
    assert [member.name for member in members(place)] == ["Up.png"]
    many = b"99999999999\n" + b"0\n" * 2_000_000
    made.size = len(many)
    with tarfile.open(tmp_path / "b.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(made, io.BytesIO(many))
    with little_memory(40_000_000), pytest.raises(DumpError):
        listed(tmp_path / "b.tar")


@pytest.mark.parametrize(
    "data", [b"", b"x", b"PK\x03\x04" + b"x" * 100, b"\x1f\x8b\x08junk", b"x" * 5000]
)
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(DumpError):
        listed(tmp_path / "a")


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_damaged_archives_raise_nothing_else(tmp_path: Path, kind: str) -> None:
    place = tmp_path / f"a.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a/B.png", os.urandom(500))
    else:
        tarred(place, (entry("a/B.png"), os.urandom(500)), mode="w" if kind == "tar" else "w:gz")
    data = place.read_bytes()
    for position in range(0, min(len(data), 1200), 3):
        for changed in (data[:position], data[:position] + b"\xff" + data[position + 1 :]):
            place.write_bytes(changed)
            try:
                for number, member in enumerate(members(place)):
                    member.copy(tmp_path / f"copy{number}", 10_000)
            except (DumpError, BadMember):
                continue
