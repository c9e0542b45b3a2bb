from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

from wikiapi.config import Config
from wikiapi.importing.files.importer import FilesReport, file_title, import_files, media_paths
from wikiapi.importing.files.mediafile import BadMedia, read_media
from wikiapi.site import Site

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="180"><title>Foo</title></svg>'


def stored(site: Site) -> dict[str, Any]:
    columns = (
        "img_name, img_width, img_height, img_bits, img_media_type, img_major_mime,"
        " img_minor_mime, img_size, img_sha1, img_metadata"
    )
    rows = site.db.execute_sql(f"SELECT {columns} FROM image ORDER BY img_name")
    return {row[0]: (*row[1:-1], json.loads(row[-1])) for row in rows}


def run(site: Site, folder: Path) -> FilesReport:
    return import_files(site, media_paths(folder))


def test_png_in_mediawikis_form(site: Site, tmp_path: Path) -> None:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "Ada")
    Image.new("RGB", (200, 150)).save(tmp_path / "A b.png", pnginfo=texts)
    assert run(site, tmp_path).imported == 1
    data = (tmp_path / "A b.png").read_bytes()
    (width, height, bits, media, major, minor, size, sha1, metadata) = stored(site)["A_b.png"]
    assert (width, height, bits, media, major, minor) == (200, 150, 8, "BITMAP", "image", "png")
    assert size == len(data)
    assert int(sha1, 36) == int(hashlib.sha1(data).hexdigest(), 16)
    assert len(sha1) == 31
    assert metadata == {
        "data": {
            "frameCount": 0,
            "loopCount": 1,
            "duration": 0,
            "bitDepth": 8,
            "colorType": "truecolour",
            "metadata": {"Artist": {"x-default": "Ada", "_type": "lang"}, "_MW_PNG_VERSION": 1},
        }
    }


@pytest.mark.parametrize(
    ("mode", "colour"),
    [
        ("L", "greyscale"),
        ("P", "index-coloured"),
        ("LA", "greyscale-alpha"),
        ("RGBA", "truecolour-alpha"),
    ],
)
def test_colours_of_png(site: Site, tmp_path: Path, mode: str, colour: str) -> None:
    Image.new(mode, (2, 2)).save(tmp_path / "A.png")
    run(site, tmp_path)
    assert stored(site)["A.png"][-1]["data"]["colorType"] == colour


def test_animated_gif(site: Site, tmp_path: Path) -> None:
    frames = [Image.new("1", (12, 9), colour) for colour in (0, 1)]
    frames[0].save(
        tmp_path / "A.gif", save_all=True, append_images=frames[1:], duration=200, loop=0
    )
    run(site, tmp_path)
    row = stored(site)["A.gif"]
    assert row[:6] == (12, 9, 8, "BITMAP", "image", "gif")
    assert row[-1] == {
        "data": {
            "frameCount": 2,
            "looped": True,
            "duration": 0.4,
            "metadata": {"_MW_GIF_VERSION": 1},
        }
    }


def test_jpeg_with_exif(site: Site, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[271], exif[272], exif[315] = "RefCam", "Model 1", "Ada Example"
    Image.new("RGB", (40, 30)).save(tmp_path / "A.jpg", exif=exif)
    run(site, tmp_path)
    row = stored(site)["A.jpg"]
    assert row[:6] == (40, 30, 8, "BITMAP", "image", "jpeg")
    assert row[-1] == {
        "data": {
            "Make": "RefCam",
            "Model": "Model 1",
            "Artist": "Ada Example",
            "MEDIAWIKI_EXIF_VERSION": 2,
        }
    }


def test_upright_photograph_has_its_sides_as_shown(site: Site, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[274] = 6
    Image.new("RGB", (40, 30)).save(tmp_path / "A.jpg", exif=exif)
    run(site, tmp_path)
    assert stored(site)["A.jpg"][:2] == (30, 40)


def test_svg(site: Site, tmp_path: Path) -> None:
    (tmp_path / "Foobar.svg").write_text(SVG)
    run(site, tmp_path)
    row = stored(site)["Foobar.svg"]
    assert row[:6] == (240, 180, 0, "DRAWING", "image", "svg+xml")
    assert json.dumps(row[-1], separators=(",", ":")) == (
        '{"data":{"version":2,"width":240,"height":180,"originalWidth":"240",'
        '"originalHeight":"180","title":"Foo","translations":[]}}'
    )


def test_other_files(site: Site, tmp_path: Path) -> None:
    (tmp_path / "A.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "B.ogg").write_bytes(b"OggS")
    run(site, tmp_path)
    assert stored(site)["A.pdf"][:6] == (0, 0, 0, "OFFICE", "application", "pdf")
    assert stored(site)["B.ogg"][3] == "AUDIO"


def test_description_pages(make_site: Callable[..., Site], tmp_path: Path) -> None:
    site = make_site({"File:Known.svg": "described"})
    (tmp_path / "Known.svg").write_text(SVG)
    (tmp_path / "New.svg").write_text(SVG)
    run(site, tmp_path)
    assert site.db.execute_sql("SELECT page_namespace, page_title FROM page ORDER BY page_id") == [
        (6, "Known.svg"),
        (6, "New.svg"),
    ]
    assert site.db.execute_sql("SELECT old_text FROM text ORDER BY old_id") == [
        ("described",),
        ("",),
    ]
    times = site.db.execute_sql(
        "SELECT img_timestamp, page_touched FROM image, page WHERE page_title = img_name"
    )
    assert all(uploaded == touched for uploaded, touched in times)


def test_only_what_changed_is_written_again(site: Site, tmp_path: Path) -> None:
    (tmp_path / "A.svg").write_text(SVG)
    (tmp_path / "B.svg").write_text(SVG)
    assert run(site, tmp_path).imported == 2
    (tmp_path / "A.svg").write_text(SVG.replace("240", "99"))
    report = run(site, tmp_path)
    assert (report.imported, report.unchanged) == (1, 1)
    assert stored(site)["A.svg"][0] == 99


def test_files_go_into_the_hashed_folders(make_site: Callable[..., Site], tmp_path: Path) -> None:
    source, uploads = tmp_path / "source", tmp_path / "uploads"
    source.mkdir()
    config = Config()
    config = replace(config, files=replace(config.files, folder=str(uploads)))
    (source / "Foobar.svg").write_text(SVG)
    run(make_site(config=config), source)
    digest = hashlib.md5(b"Foobar.svg").hexdigest()
    files = [path for path in uploads.rglob("*") if path.is_file()]
    assert files == [uploads / digest[0] / digest[:2] / "Foobar.svg"]
    assert files[0].read_text() == SVG


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd", "..", ".hidden.png", "a&#47;..&#47;..&#47;x.png", "a&#x2F;b.png",
        "Talk:A.png", "File:Talk:A.png", "noextension", "a|b.png", "a\\b.png", "a\nb.png",
        "\udcff.png", "a#b.png", "C:x.png", "x" * 251 + ".jpeg", "",
    ],
)  # fmt: skip
def test_names_that_no_file_can_have(site: Site, name: str) -> None:
    assert file_title(site, name) is None


@pytest.mark.parametrize("name", ["A b.png", "File:A.png", "Ünïcødé 図.png", "a..b.png"])
def test_names_that_a_file_can_have(site: Site, name: str) -> None:
    title = file_title(site, name)
    assert title is not None
    assert title.ns == 6


def test_links_and_hidden_files_are_not_looked_at(site: Site, tmp_path: Path) -> None:
    secret = tmp_path / "secret.svg"
    secret.write_text(SVG)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.svg").symlink_to(secret)
    (folder / ".hidden.svg").write_text(SVG)
    (folder / "sub").mkdir()
    assert media_paths(folder) == []


def test_bad_files_are_left_out_with_the_reason(site: Site, tmp_path: Path) -> None:
    (tmp_path / "Evil.svg").write_text("<svg><script/></svg>")
    (tmp_path / "Broken.png").write_bytes(b"no picture")
    (tmp_path / "Bomb.png").write_bytes(png_of(60_000, 60_000))
    Image.new("RGB", (2, 2)).save(tmp_path / "Named.gif", "PNG")
    (tmp_path / "noextension").write_bytes(b"")
    report = run(site, tmp_path)
    assert report.imported == 0
    assert dict(report.refused) == {
        "Bomb.png": "a picture with too many pixels",
        "Broken.png": "not a picture in a known format",
        "Evil.svg": "it contains <script>",
        "Named.gif": "its name says image/gif, but it is image/png",
        "noextension": "no file can be called that",
    }
    assert site.db.execute_sql("SELECT count(*) FROM page") == [(0,)]


def test_truncated_picture_does_not_raise_anything_else(tmp_path: Path) -> None:
    Image.new("RGB", (20, 20)).save(tmp_path / "A.png")
    data = (tmp_path / "A.png").read_bytes()
    for size in range(0, len(data), 7):
        path = tmp_path / "B.png"
        path.write_bytes(data[:size])
        try:
            read_media(path)
        except BadMedia:
            continue


def png_of(width: int, height: int) -> bytes:
    """Return the head of a PNG that declares a size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def test_pages_that_show_a_new_file_are_derived_again(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    site = make_site({"Shows": "[[File:A b.png]]", "Other": "[[File:C.png]]"})
    site.db.execute_sql("UPDATE page SET page_links_updated = page_touched")
    waiting = "SELECT page_title FROM page WHERE page_links_updated IS NULL AND page_namespace = 0"
    Image.new("RGB", (2, 2)).save(tmp_path / "A b.png")
    run(site, tmp_path)
    assert site.db.execute_sql(waiting) == [("Shows",)]
    site.db.execute_sql("UPDATE page SET page_links_updated = page_touched")
    run(site, tmp_path)
    assert site.db.execute_sql(waiting) == []


def test_files_last_before_the_store_names_them(
    make_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, uploads = tmp_path / "in", tmp_path / "uploads"
    folder.mkdir()
    (folder / "A.svg").write_text(SVG)
    config = Config()
    site = make_site(config=replace(config, files=replace(config.files, folder=str(uploads))))
    synced: list[int] = []

    def note(handle: int) -> None:
        assert not stored(site)
        synced.append(os.fstat(handle).st_ino)

    monkeypatch.setattr("os.fsync", note)
    run(site, folder)
    (place,) = uploads.rglob("A.svg")
    lasting = (place, place.parent, place.parent.parent, uploads, tmp_path)
    assert {path.stat().st_ino for path in lasting} == set(synced)
