"""Files and thumbnails as they are served."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from PIL import Image

from tests.plugins.web.readers import Browser, attribute, links, texts
from wikiapi.filerepo.paths import hash_path
from wikiapi.http.wsgiclient import Received
from wikiapi.site import Site
from wikiapi.store.models import OldImage
from wikiapi.testing.asking import ask
from wikiapi.testing.declaration import DeclaredFile
from wikiapi.workers.pool import WorkerPool
from wikiapi_plugins.web.reader.files import thumbnails
from wikiapi_plugins.web.reader.files.thumbnails import ThumbCache

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><script>x</script></svg>'
FILES = (
    DeclaredFile("Photo.jpg", width=640, height=480, mime="image/jpeg"),
    DeclaredFile("Clear.png", width=300, height=200),
    DeclaredFile("Film.gif", width=100, height=80, mime="image/gif"),
    DeclaredFile("Old.bmp", width=64, height=64, mime="image/bmp"),
    DeclaredFile("Web.webp", width=400, height=100, mime="image/webp"),
    DeclaredFile("Drawing.svg", width=100, height=50, mime="image/svg+xml", media_type="DRAWING"),
    DeclaredFile("Page.html", 0, 0, mime="text/html", media_type="TEXT"),
    DeclaredFile("Sound.ogg", 0, 0, mime="application/ogg", media_type="AUDIO"),
    DeclaredFile("Broken.png", width=300, height=200),
    DeclaredFile("Lost.png", width=300, height=200),
    DeclaredFile('Ünï "çödé" 100%.png', width=300, height=200),
)
PAGES = {
    "Pictures": "".join(f"[[File:{file.name}|thumb|150px]]" for file in FILES),
    "File:Photo.jpg": "A photo.",
    "File:Way.jpg": "#REDIRECT [[File:Photo.jpg]]",
}


def put(folder: Path, name: str, data: bytes, below: str = "") -> None:
    name = name.replace(" ", "_")
    place = folder / below / hash_path(name.partition("!")[2] or name, 2)
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_bytes(data)


def picture(kind: str, size: tuple[int, int], colour: str = "red", **options: Any) -> bytes:
    written = io.BytesIO()
    mode = "RGB" if kind in ("JPEG", "BMP") else "RGBA"
    Image.new(mode, size, colour).save(written, kind, **options)
    return written.getvalue()


def film() -> bytes:
    frames = [Image.new("RGB", (100, 80), colour) for colour in ("red", "green", "blue")]
    written = io.BytesIO()
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:], duration=50)
    return written.getvalue()


def image_in(reply: Received) -> Image.Image:
    assert reply.status == 200, reply
    return Image.open(io.BytesIO(reply.body))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    put(folder, "Photo.jpg", picture("JPEG", (640, 480)))
    put(folder, "Clear.png", picture("PNG", (300, 200), "#ff000080"))
    put(folder, "Film.gif", film())
    put(folder, "Old.bmp", picture("BMP", (64, 64)))
    put(folder, "Web.webp", picture("WEBP", (400, 100)))
    put(folder, "Drawing.svg", SVG)
    put(folder, "Page.html", b"<script>alert(1)</script>")
    put(folder, "Sound.ogg", b"OggS" * 100)
    put(folder, "Broken.png", b"\x89PNG\r\n\x1a\n nothing")
    put(folder, FILES[-1].name, picture("PNG", (300, 200)))
    (tmp_path / "secret.png").write_bytes(picture("PNG", (9, 9)))
    put(folder, "Unknown.png", picture("PNG", (9, 9)))
    return folder


@pytest.fixture
def make_files(make_site: Callable[..., Site], folder: Path, tmp_path: Path) -> Any:
    def make(reader: dict[str, Any] | None = None, **tables: Any) -> Site:
        config: dict[str, Any] = {
            "files": {"folder": str(folder), **tables.pop("files", {})},
            "extensions": {
                "reader": {"thumbnail_folder": str(tmp_path / "made"), **(reader or {})}
            },
            **tables,
        }
        return make_site(PAGES, files=FILES, config=config)

    return make


@pytest.fixture
def site(make_files: Callable[..., Site]) -> Site:
    return make_files()


@pytest.fixture
def wiki(site: Site) -> Browser:
    return Browser(site)


def original(name: str) -> str:
    name = name.replace(" ", "_")
    return f"/images/{hash_path(name, 2)}{quote(name, safe='')}"


def thumb(name: str, width: int, ending: str = "") -> str:
    name = name.replace(" ", "_")
    return f"/images/thumb/{hash_path(name, 2)}{quote(name)}/{width}px-{quote(name)}{ending}"


def test_originals_are_served_as_what_they_are(wiki: Browser, folder: Path) -> None:
    reply = wiki.get(original("Photo.jpg"))
    assert reply.body == (folder / hash_path("Photo.jpg", 2) / "Photo.jpg").read_bytes()
    assert reply.headers["content-type"] == "image/jpeg"
    assert reply.headers["content-disposition"].startswith("inline")
    assert reply.headers["x-content-type-options"] == "nosniff"
    again = wiki.get(original("Photo.jpg"), If_None_Match=reply.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    head = wiki.get(original("Photo.jpg"), method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(reply.body))
    assert wiki.get(original("Photo.jpg"), method="POST").status == 405


def test_originals_come_in_ranges(wiki: Browser) -> None:
    whole = wiki.get(original("Sound.ogg"))
    assert whole.headers["accept-ranges"] == "bytes"
    part = wiki.get(original("Sound.ogg"), Range="bytes=4-9")
    assert (part.status, part.body) == (206, whole.body[4:10])
    assert part.headers["content-range"] == f"bytes 4-9/{len(whole.body)}"
    assert wiki.get(original("Sound.ogg"), Range="bytes=9999-").status == 416


def test_nothing_served_can_run(wiki: Browser) -> None:
    drawing = wiki.get(original("Drawing.svg"))
    assert drawing.body == SVG
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    policy = drawing.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert policy.endswith("sandbox")
    page = wiki.get(original("Page.html"))
    assert page.headers["content-type"] == "application/octet-stream"
    assert page.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "path",
    [
        "/images/../secret.png",
        "/images/..%2Fsecret.png",
        "/images/a/ab/..%2F..%2F..%2Fsecret.png",
        "/images/a/ab/%2e%2e",
        "/images/a/ab/.",
        "/images/a/ab/",
        "/images//etc/passwd",
        "/images/%00",
        "/images/a/ab/Photo.jpg%00.png",
        "/images/%FF",
        "/images/0/00/Photo.jpg",
        "/images/Photo.jpg",
        f"/images/{hash_path('Unknown.png', 2)}Unknown.png",
        f"/images/{hash_path('Lost.png', 2)}Lost.png",
        f"/images/{hash_path('Way.jpg', 2)}Way.jpg",
        "/images/archive/a/ab/20200101000000!Photo.jpg",
        "/images/thumb/../../secret.png",
        "/images/thumb/0/00/Photo.jpg/100px-Photo.jpg",
        "/images/made/x",
    ],
)
def test_nothing_else_is_served(wiki: Browser, path: str) -> None:
    assert wiki.get(path).status == 404


def test_a_link_out_of_the_folder_is_not_followed(wiki: Browser, folder: Path) -> None:
    place = folder / hash_path("Lost.png", 2)
    place.mkdir(parents=True, exist_ok=True)
    (place / "Lost.png").symlink_to(folder.parent / "secret.png")
    assert wiki.get(original("Lost.png")).status == 404


def test_a_plain_folder_will_do(wiki: Browser, folder: Path) -> None:
    (folder / "Lost.png").write_bytes(picture("PNG", (300, 200)))
    assert wiki.get(original("Lost.png")).status == 200
    assert image_in(wiki.get(thumb("Lost.png", 30))).size == (30, 20)


@pytest.mark.parametrize(
    ("name", "ending", "size", "kind"),
    [
        ("Photo.jpg", "", (64, 48), "JPEG"),
        ("Clear.png", "", (64, 43), "PNG"),
        ("Film.gif", "", (64, 51), "GIF"),
        ("Old.bmp", ".png", (64, 64), "PNG"),
        ("Web.webp", ".png", (64, 16), "PNG"),
        (FILES[-1].name, "", (64, 43), "PNG"),
    ],
)
def test_thumbnails_are_made(
    wiki: Browser, name: str, ending: str, size: tuple[int, int], kind: str
) -> None:
    reply = wiki.get(thumb(name, 64, ending))
    made = image_in(reply)
    assert (made.size, made.format) == (size, kind)
    assert reply.headers["content-type"] == Image.MIME[kind]
    assert reply.headers["cache-control"] == "public, max-age=600"


def test_transparency_is_preserved(wiki: Browser) -> None:
    pixel = image_in(wiki.get(thumb("Clear.png", 64))).convert("RGBA").getpixel((9, 9))
    assert isinstance(pixel, tuple)
    assert abs(pixel[3] - 128) < 3


def test_films_stay_films(wiki: Browser) -> None:
    assert getattr(image_in(wiki.get(thumb("Film.gif", 50))), "n_frames", 1) == 3


def test_a_smaller_quality_is_smaller(make_files: Callable[..., Site], folder: Path) -> None:
    noise = Image.effect_noise((640, 480), 80).convert("RGB")
    noise.save(folder / hash_path("Photo.jpg", 2) / "Photo.jpg", "JPEG")
    wiki = Browser(make_files())
    usual = thumb("Photo.jpg", 200)
    low = wiki.get(usual.replace("200px-", "qlow-200px-"))
    assert len(low.body) < len(wiki.get(usual).body) / 2


def test_pictures_are_turned_the_right_way(make_files: Callable[..., Site], folder: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    left = Image.new("RGB", (480, 640), "blue")
    left.paste("red", (0, 0, 480, 320))
    left.save(folder / hash_path("Photo.jpg", 2) / "Photo.jpg", "JPEG", exif=exif)
    made = image_in(Browser(make_files()).get(thumb("Photo.jpg", 64))).convert("RGB")
    red, blue = made.getpixel((60, 24)), made.getpixel((4, 24))
    assert isinstance(red, tuple)
    assert isinstance(blue, tuple)
    assert red[0] > 200 > red[2]
    assert blue[2] > 200 > blue[0]


@pytest.mark.parametrize(
    ("name", "width", "ending", "location"),
    [
        ("Photo.jpg", 640, "", original("Photo.jpg")),
        ("Photo.jpg", 5000, "", original("Photo.jpg")),
        ("Old.bmp", 5000, ".png", thumb("Old.bmp", 64, ".png")),
        ("Drawing.svg", 500, ".png", original("Drawing.svg")),
    ],
)
def test_thumbnails_are_never_enlarged(
    wiki: Browser, name: str, width: int, ending: str, location: str
) -> None:
    reply = wiki.get(thumb(name, width, ending))
    assert (reply.status, reply.headers["location"]) == (302, location)
    assert wiki.get(location).status == 200


def test_drawings_are_served_for_their_pictures(make_files: Callable[..., Site]) -> None:
    wiki = Browser(make_files(files={"svg_thumbnails": True}))
    reply = wiki.get(thumb("Drawing.svg", 50, ".png"))
    assert reply.headers["location"] == original("Drawing.svg")


def test_thumbnails_of_a_mediawiki_are_used(make_files: Callable[..., Site], folder: Path) -> None:
    place = folder / "thumb" / hash_path("Drawing.svg", 2) / "Drawing.svg"
    place.mkdir(parents=True)
    (place / "50px-Drawing.svg.png").write_bytes(picture("PNG", (50, 25)))
    wiki = Browser(make_files(files={"svg_thumbnails": True}))
    assert image_in(wiki.get(thumb("Drawing.svg", 50, ".png"))).size == (50, 25)


@pytest.mark.parametrize(
    "name",
    ["0px-Photo.jpg", "-5px-Photo.jpg", "9x-Photo.jpg", "100px-Other.jpg", "Photo.jpg", "100px-"],
)
def test_other_names_are_no_thumbnails(wiki: Browser, name: str) -> None:
    assert wiki.get(f"/images/thumb/{hash_path('Photo.jpg', 2)}Photo.jpg/{name}").status == 404


def test_what_cannot_be_scaled_is_shown_as_it_is(
    wiki: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    reply = wiki.get(thumb("Broken.png", 64))
    assert reply.headers["location"] == original("Broken.png")
    assert "Broken.png" in caplog.text


def test_too_large_pictures_are_left_alone(make_files: Callable[..., Site]) -> None:
    wiki = Browser(make_files({"largest_picture": 100_000}))
    assert wiki.get(thumb("Photo.jpg", 64)).status == 302
    assert wiki.get(thumb("Clear.png", 64)).status == 200


class Scalers:
    """Stands for the processes that scale: notes what is asked of them, and passes it on."""

    def __init__(self, pool: WorkerPool) -> None:
        self.jobs: list[Any] = []
        self.started, self.go_on = threading.Event(), threading.Event()
        self._pool = pool

    def run(self, job: Any, patience: float) -> Any:
        self.jobs.append(job)
        self.started.set()
        assert self.go_on.wait(60)
        return self._pool.run(job, patience)


@pytest.fixture
def scalers(monkeypatch: pytest.MonkeyPatch) -> Scalers:
    scalers = Scalers(thumbnails.scalers(50_000_000))
    monkeypatch.setattr(thumbnails, "scalers", lambda _: scalers)
    return scalers


def test_thumbnails_are_made_once(wiki: Browser, scalers: Scalers) -> None:
    replies: list[Received] = []
    path = thumb("Photo.jpg", 64)
    asking = [threading.Thread(target=lambda: replies.append(wiki.get(path))) for _ in range(4)]
    for thread in asking:
        thread.start()
    assert scalers.started.wait(60)
    scalers.go_on.set()
    for thread in asking:
        thread.join()
    assert [reply.status for reply in replies] == [200] * 4
    assert len(scalers.jobs) == 1
    wiki.get(path)
    assert len(scalers.jobs) == 1


def test_a_changed_file_gets_a_new_thumbnail(wiki: Browser, folder: Path) -> None:
    wiki.get(thumb("Photo.jpg", 64))
    put(folder, "Photo.jpg", picture("JPEG", (640, 480), "blue") + b"\0")
    pixel = image_in(wiki.get(thumb("Photo.jpg", 64))).convert("RGB").getpixel((5, 5))
    assert isinstance(pixel, tuple)
    assert pixel[2] > 200 > pixel[0]


def put_bytes(path: Path) -> None:
    path.write_bytes(b"x" * 100)


def test_the_cache_stays_within_its_size(tmp_path: Path) -> None:
    cache = ThumbCache(tmp_path / "cache", 1000)
    for number in range(30):
        cache.put(str(number), "a", put_bytes)
    kept = list((tmp_path / "cache").glob("*/*"))
    assert sum(path.stat().st_size for path in kept) <= 1000
    assert cache.get("29", "a")
    assert cache.get("0", "a") is None
    again = ThumbCache(tmp_path / "cache", 1000)
    assert again.get("29", "a")


def test_the_cache_knows_the_variants_of_a_file(tmp_path: Path) -> None:
    cache = ThumbCache(tmp_path / "cache", 100_000)
    assert cache.variants("a") == {}
    made = {name: cache.put("a", name, put_bytes) for name in ("10x5-png", "low-20x10-jpeg")}
    cache.put("b", "10x5-png", put_bytes)
    made["10x5-png"].with_suffix(".partial").write_bytes(b"half")
    assert cache.variants("a") == made
    assert cache.get("a", "10x5-png") == made["10x5-png"]
    assert cache.get("a", "10x5-jpeg") is None


def test_a_thumbnail_is_synced_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []

    def note(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink())

    monkeypatch.setattr("os.fsync", note)
    ThumbCache(tmp_path / "cache", 1000).put("a", "a", put_bytes)
    assert [path.suffix for path in synced] == [".partial"]


def test_half_a_thumbnail_is_never_cached(tmp_path: Path) -> None:
    cache = ThumbCache(tmp_path / "cache", 1000)

    def fail(path: Path) -> None:
        path.write_bytes(b"half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        cache.put("key", "a", fail)
    assert cache.get("key", "a") is None
    assert list((tmp_path / "cache").glob("*/*")) == []


def test_earlier_versions_are_served_unless_hidden(site: Site, folder: Path) -> None:
    names = ("20240101000000!Photo.jpg", "20240201000000!Photo.jpg")
    for name, bits in zip(names, (0, 1), strict=True):
        put(folder, name, picture("JPEG", (320, 240)), "archive")
        row = site.db.execute_sql("SELECT img_actor, img_description_id FROM image LIMIT 1")[0]
        values = {
            "oi_name": "Photo.jpg", "oi_archive_name": name, "oi_size": 9, "oi_width": 320,
            "oi_height": 240, "oi_bits": 8, "oi_description_id": row[1], "oi_actor": row[0],
            "oi_timestamp": name[:14], "oi_metadata": b"", "oi_media_type": "BITMAP",
            "oi_major_mime": "image", "oi_minor_mime": "jpeg", "oi_deleted": bits,
            "oi_sha1": "0" * 31,
        }  # fmt: skip
        site.db.insert_many(OldImage, [tuple(values.values())], tuple(values))
    wiki = Browser(site)
    base = f"/images/archive/{hash_path('Photo.jpg', 2)}"
    statuses = [wiki.get(base + quote(name)).status for name in names]
    assert statuses == [200, 404]
    made = f"/images/thumb/archive/{hash_path('Photo.jpg', 2)}"
    assert image_in(wiki.get(f"{made}{quote(names[0])}/64px-Photo.jpg")).size == (64, 48)
    assert wiki.get(f"{made}{quote(names[1])}/64px-Photo.jpg").status == 404
    tree = wiki.page("/wiki/File:Photo.jpg")
    urls = [str(url) for url in links(tree, "tbody td:first-child a")]
    assert len(urls) == 2
    assert all(wiki.get(url).status == 200 for url in urls)
    assert len(texts(tree, "tbody .hidden")) == 1


def addresses(site: Site, name: str) -> set[str]:
    """Return every address of a file that the API names."""
    query = {
        "action": "query", "prop": "imageinfo", "titles": f"File:{name}", "iiprop": "url",
        "iiurlwidth": "120",
    }  # fmt: skip
    info = ask(site, query).data["query"]["pages"][0]["imageinfo"][0]
    urls = {info["url"], info["thumburl"], *info.get("responsiveUrls", {}).values()}
    return {url.removeprefix(site.config.site.server) for url in urls}


@pytest.mark.parametrize("svg", [False, True])
def test_every_address_that_the_api_gives_answers(
    make_files: Callable[..., Site], svg: bool
) -> None:
    site = make_files(files={"svg_thumbnails": svg})
    wiki = Browser(site)
    for file in FILES:
        if file.name == "Lost.png":
            continue
        for url in addresses(site, file.name):
            reply = wiki.get(url)
            if reply.status == 302:
                reply = wiki.get(reply.headers["location"])
            assert reply.status == 200, url


def test_every_picture_on_a_page_answers(wiki: Browser) -> None:
    html = wiki.page("/wiki/Pictures").html or ""
    urls = set(re.findall(r"/images/[^\s\"]+", html))
    assert len(urls) > 10
    for url in urls:
        if "Lost.png" not in url:
            assert wiki.get(url).status in (200, 302), url


def test_a_file_page_shows_its_picture(wiki: Browser) -> None:
    tree = wiki.page("/wiki/File:Photo.jpg")
    assert attribute(tree, ".file img", "src") == original("Photo.jpg")
    assert attribute(tree, ".file img", "width") == "640"
    assert "640 × 480 pixels" in texts(tree, ".file p")[0]
    assert texts(tree, 'section[aria-labelledby="file-uses"] a') == ["Pictures"]
    assert attribute(wiki.page("/wiki/File:Sound.ogg"), "audio", "src") == original("Sound.ogg")
    assert wiki.get("/wiki/File:Nothing.png").status == 404


def test_files_that_cannot_be_shown_have_icons(wiki: Browser) -> None:
    for path in ("fileicon-ogg.png", "fileicon.png"):
        assert image_in(wiki.get(f"/w/resources/assets/file-type-icons/{path}")).size == (120, 120)
    assert wiki.get("/w/resources/assets/file-type-icons/x.png").status == 404


def test_without_a_folder_there_are_no_files(make_site: Callable[..., Site]) -> None:
    wiki = Browser(make_site(PAGES, files=FILES))
    assert wiki.get(original("Photo.jpg")).status == 404
    assert wiki.get(thumb("Photo.jpg", 64)).status == 404
    assert wiki.get("/wiki/File:Photo.jpg").status == 200


def test_thumbnails_may_be_elsewhere_on_the_server(make_files: Callable[..., Site]) -> None:
    wiki = Browser(make_files(files={"url": "/up/files", "thumbnail_url": "/small"}))
    assert wiki.get(f"/up/files/{hash_path('Photo.jpg', 2)}Photo.jpg").status == 200
    path = f"/small/{hash_path('Photo.jpg', 2)}Photo.jpg/64px-Photo.jpg"
    assert image_in(wiki.get(path)).size == (64, 48)


def test_previews_and_other_sizes_follow_the_settings(make_files: Callable[..., Site]) -> None:
    files = {"image_limits": [[100, 100], [200, 200], [320, 240], [2000, 2000]], "image_size": 1}
    tree = Browser(make_files(files=files)).page("/wiki/File:Photo.jpg")
    assert attribute(tree, ".file img", "width") == "200"
    densities = [part.split()[1] for part in attribute(tree, ".file img", "srcset").split(", ")]
    assert densities == ["1.5x", "2x"]
    assert texts(tree, ".file .quiet a") == ["100 × 75 pixels", "320 × 240 pixels"]
    drawing = Browser(make_files(files=files)).page("/wiki/File:Drawing.svg")
    assert texts(drawing, ".file .quiet a")[-1] == "2,000 × 1,000 pixels"
    sound = Browser(make_files(files=files)).page("/wiki/File:Sound.ogg")
    assert not texts(sound, ".file .quiet a")


def test_thumb_php_leads_to_files(wiki: Browser) -> None:
    def target(query: str) -> str:
        return wiki.get("/w/thumb.php", query).headers.get("location", "")

    whole = wiki.get("/wiki/Special:FilePath/Clear.png").headers["location"]
    small = wiki.get("/w/index.php", "title=Special:FilePath/Clear.png&width=20")
    assert target("f=Clear.png") == whole
    assert target("f=Clear.png&w=20") == target("f=File:Clear.png&width=20")
    assert target("f=Clear.png&w=20") == small.headers["location"] != whole
    assert wiki.get("/w/thumb.php", "w=20").status == 400
    assert wiki.get("/w/thumb.php", "f=Nowhere.png&w=20").status == 404
