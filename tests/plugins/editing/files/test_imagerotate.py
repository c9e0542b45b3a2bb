from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.plugins.editing.files.uploadwiki import RIGHTS, UploadWiki, png
from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.filerepo import UploadFolder
from wikiapi.testing import DeclaredFile
from wikiapi_plugins.editing.files import imagerotate

RED, BLUE = (255, 0, 0), (0, 0, 255)


def picture(kind: str, **options: Any) -> bytes:
    """Return a picture of 24 by 16 pixels whose upper left quarter is red."""
    image = Image.new("RGB", (24, 16), BLUE)
    image.paste(RED, (0, 0, 12, 8))
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def rotate(wiki: UploadWiki, titles: str, rotation: int = 90) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = wiki.post("imagerotate", titles=titles, rotation=rotation)[
        "imagerotate"
    ]
    return answer


def red_corner(wiki: UploadWiki, name: str) -> tuple[tuple[int, int], str]:
    """Return the size of a stored picture, and which of its corners is red."""
    path = UploadFolder(wiki.site.config.files).find_current(name)
    assert path is not None
    with Image.open(path) as image:
        stored = image.convert("RGB")
    right, bottom = stored.width - 3, stored.height - 3
    corners = {"top left": (2, 2), "top right": (right, 2), "bottom left": (2, bottom)}
    corners["bottom right"] = (right, bottom)
    [corner] = [name for name, place in corners.items() if _is_red(stored.getpixel(place))]
    return stored.size, corner


def _is_red(pixel: Any) -> bool:
    return bool(pixel[0] > 200 and pixel[2] < 60)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [
        (90, ((16, 24), "top right")),
        (180, ((24, 16), "bottom right")),
        (270, ((16, 24), "bottom left")),
    ],
)
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_rotates_clockwise(wiki: UploadWiki, kind: str, rotation: int, expected: object) -> None:
    name = f"New.{kind.lower()}"
    with wiki.user("Ada"):
        wiki.upload(name, picture(kind))
        [item] = rotate(wiki, name, rotation)
    assert (item["title"], item["result"]) == (f"File:{name}", "Success")
    assert red_corner(wiki, name) == expected


def test_the_orientation_of_a_photograph_is_part_of_it(wiki: UploadWiki) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    with wiki.user("Ada"):
        wiki.upload("Photo.jpg", picture("JPEG", exif=turned))
        rotate(wiki, "File:Photo.jpg", 270)
    assert red_corner(wiki, "Photo.jpg") == ((24, 16), "top left")


def test_all_frames_of_an_animation_are_rotated(wiki: UploadWiki) -> None:
    frames = [Image.new("RGB", (24, 16), (0, 100 * number, 0)) for number in range(3)]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=[50, 60, 70])
    with wiki.user("Ada"):
        wiki.upload("Moving.gif", data.getvalue())
        rotate(wiki, "File:Moving.gif")
    path = UploadFolder(wiki.site.config.files).find_current("Moving.gif")
    assert path is not None
    with Image.open(path) as image:
        assert (image.size, image.n_frames) == ((16, 24), 3)
        assert image.info["duration"] == 50


def test_a_rotated_picture_is_a_new_version(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", picture("PNG"))
        rotate(wiki, "File:New.png")
        [current, earlier] = wiki.image("New.png")
        log = wiki.query(list="logevents", letype="upload")["logevents"]
        [page] = wiki.query(titles="File:New.png", prop="revisions", rvlimit=5)["pages"]
    assert (current["width"], current["height"], current["user"]) == (16, 24, "Ada")
    assert (earlier["width"], earlier["height"]) == (24, 16)
    assert current["comment"] == "Rotated by 90 degrees clockwise"
    assert [entry["action"] for entry in log] == ["overwrite", "upload"]
    assert len(page["revisions"]) == 2


def test_what_cannot_be_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    types = {"upload_types": ["png", "svg"]}
    wiki = UploadWiki(tmp_path / "images", pages={"File:Described.png": "x"}, editing=types)
    with closing(wiki.site.db), wiki.user("Ada"):
        wiki.upload("New.png", png())
        wiki.upload("Even.png", png(2, 2))
        wiki.upload("Drawn.svg", b'<svg xmlns="http://www.w3.org/2000/svg"/>')
        titles = "File:Drawn.svg|File:Described.png|None.png|File:a[b|Even.png"
        answer = rotate(wiki, titles)
        monkeypatch.setattr(imagerotate, "_MOST_PIXELS", 5)
        answer += rotate(wiki, "New.png")
    codes = {item["title"]: item["errors"][0]["code"] for item in answer if "errors" in item}
    assert codes == {
        "File:Drawn.svg": "filetypecannotberotated",
        "File:Described.png": "filedoesnotexist",
        "File:None.png": "filedoesnotexist",
        "File:Even.png": "fileexists-no-change",
        "File:New.png": "thumbnail_error",
    }
    assert [item["title"] for item in answer if item.get("missing")] == ["File:None.png"]
    assert [item["title"] for item in answer if item.get("invalid")] == ["File:a[b"]


def test_who_may_not_upload_rotates_nothing(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", picture("PNG"))
    with wiki.user("Bob", RIGHTS - {"upload"}):
        error = wiki.post("imagerotate", titles="File:New.png", rotation="90")["error"]
    assert error["code"] == "permissiondenied"
    assert red_corner(wiki, "New.png") == ((24, 16), "top left")


def test_a_wiki_without_its_files_rotates_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Photo.png").write_bytes(picture("PNG"))
    wiki = Actors({}, files=[DeclaredFile("Photo.png")])
    with closing(wiki.site.db):
        answer = wiki.act("Ada", "imagerotate", titles="Photo.png", rotation="90")
    [item] = answer.data["imagerotate"]
    assert (item["result"], item["errors"][0]["code"]) == ("Failure", "filenopath")
