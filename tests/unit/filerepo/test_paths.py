"""The layout of an upload folder; the paths are those of the reference wiki's files."""

from __future__ import annotations

import pytest

from wikiapi.filerepo import paths


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Foobar.jpg", "3/3a/Foobar.jpg"),
        ("Anim.gif", "7/73/Anim.gif"),
        ("Ünïcødé_図.png", "7/75/%C3%9Cn%C3%AFc%C3%B8d%C3%A9_%E5%9B%B3.png"),
    ],
)
def test_hashed_path(name: str, path: str) -> None:
    assert paths.file_path(name, 2) == path


def test_no_levels() -> None:
    assert paths.file_path("Foobar.jpg", 0) == "Foobar.jpg"


def test_archive_path_quotes_its_separator() -> None:
    path = paths.file_path("Foobar.jpg", 2, "20240101000000!Foobar.jpg")
    assert path == "archive/3/3a/20240101000000%21Foobar.jpg"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/../b.png", "x?y#z.png", "%2e%2e/x"])
def test_no_name_leaves_its_folder(name: str) -> None:
    folder, _, last = paths.file_path(name, 2).rpartition("/")
    assert folder == paths.hash_path(name, 2).rstrip("/")
    assert not set("/?#") & set(last)


@pytest.mark.parametrize(
    ("name", "extension"),
    [("a.JPEG", "jpg"), ("a.b.Png", "png"), ("none", ""), (".png", ""), ("a.tiff", "tif")],
)
def test_extension(name: str, extension: str) -> None:
    assert paths.extension(name) == extension


@pytest.mark.parametrize(
    ("url", "full"),
    [
        ("/images/a.png", "https://wiki.example/images/a.png"),
        ("//cdn.example/a.png", "https://cdn.example/a.png"),
        ("http://cdn.example/a.png", "http://cdn.example/a.png"),
    ],
)
def test_expand(url: str, full: str) -> None:
    assert paths.expand(url, "https://wiki.example") == full
