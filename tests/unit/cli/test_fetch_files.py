"""A store gets its pictures from a wiki that is served on this machine, or from an archive."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from tests.processes import environment
from wikiapi.cli import main
from wikiapi.filerepo.scaling import Size
from wikiapi.filerepo.sha1 import from_hex
from wikiapi.importing.files.importer import Origin, import_files
from wikiapi.store.write.ids import Person
from wikiapi.testing import Wiki, live_server
from wikiapi.testing.declaration import Declaration

Run = Callable[..., Result]

PAGES = {
    "Main Page": "[[File:A b.png|thumb|Text]] [[File:Old.png]] [[File:Nowhere.png]]",
    "Other": "[[File:Large.png]] [[File:Sound.ogg]]",
    "File:Old.png": "#REDIRECT [[File:New.png]]",
}
CONFIG = '[files]\nfolder = "images"\n'


def png(width: int, height: int, colour: str = "red", noise: bool = False) -> bytes:
    image = Image.new("RGB", (width, height), colour)
    if noise:
        image = Image.frombytes("RGB", (width, height), os.urandom(3 * width * height))
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


FILES = {
    "A b.png": png(300, 200),
    "New.png": png(40, 30, "blue"),
    "Large.png": png(300, 300, noise=True),
    "Sound.ogg": b"OggS" + bytes(60),
    "Unused.png": png(5, 5),
}


class Faulty:
    """The wiki, with a fault for the next requests of files whose path ends in a name."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.requests: list[tuple[str, str]] = []
        self.agents: set[str] = set()
        self.faults: dict[str, list[Callable[[StartResponse], Iterable[bytes]]]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.requests.append((path, environ.get("HTTP_RANGE", "")))
        self.agents.add(environ["HTTP_USER_AGENT"])
        for name, faults in self.faults.items():
            if path.endswith(name) and faults:
                return faults.pop(0)(start_response)
        return self.app(environ, start_response)

    def files(self) -> list[tuple[str, str]]:
        """Return the files that were asked for, with the range."""
        return [
            (path.rpartition("/")[2], part) for path, part in self.requests if "/images" in path
        ]


def answering(
    status: str, body: bytes = b"", **headers: str
) -> Callable[[StartResponse], Iterable[bytes]]:
    def answer(start_response: StartResponse) -> Iterable[bytes]:
        fields = {"Content-Length": str(len(body)), **headers}
        start_response(status, [(name.replace("_", "-"), value) for name, value in fields.items()])
        yield body

    return answer


def cut(data: bytes, after: int) -> Callable[[StartResponse], Iterable[bytes]]:
    """Return an answer that breaks off."""

    def answer(start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", str(len(data)))])
        yield data[:after]
        raise OSError("cut")

    return answer


class Live:
    """A wiki with files, at ``api``."""

    def __init__(self, wiki: Wiki, app: Faulty, base: str) -> None:
        self.wiki, self.app, self.base = wiki, app, base
        self.api = f"{base}/w/api.php"


@pytest.fixture
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("live")
    (folder / "source").mkdir()
    paths = []
    for name, data in FILES.items():
        paths.append(folder / "source" / name)
        paths[-1].write_bytes(data)
    config = {"files": {"folder": str(folder / "images")}}
    with Wiki(Declaration(pages=PAGES, config=config)) as wiki:
        app = Faulty(wiki.wsgi)
        with live_server(app) as base:
            wiki._move_to(base)
            origins = {
                paths[0]: Origin(
                    Person(7, "Ada"), "my ''picture''", "20200102030405", "About [[A]]."
                ),
                paths[3]: Origin(
                    Person(7, "Ada"), "", "20200102030405", "", "application/ogg", "VIDEO",
                    Size(64, 48),
                ),
            }  # fmt: skip
            import_files(wiki.site, paths, origins=origins)
            yield Live(wiki, app, base)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with settings and a store with the same pages, without files."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "wikiapi.toml").write_text(CONFIG)
    for title, text in PAGES.items():
        namespace, _, name = title.rpartition(":")
        path = folder / "pages" / (namespace.lower() or "main") / f"{name}.wikitext"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with chdir(folder):
        assert CliRunner().invoke(main, ["import", "pages"]).exit_code == 0
    return folder


@pytest.fixture
def store(wikiapi: Run, imported: Path, tmp_path: Path) -> Run:
    """Run the program on a copy of that store."""
    shutil.copytree(imported, tmp_path, dirs_exist_ok=True)
    return wikiapi


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Do not wait; return the seconds that it would have been."""
    seconds: list[float] = []
    monkeypatch.setattr("wikiapi.cli.fetch_files.time.sleep", seconds.append)
    return seconds


def rows(folder: Path) -> dict[str, tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "wikiapi.sqlite")) as db:
        records = db.execute(
            "SELECT img_name, img_size, img_width, img_height, img_media_type, img_major_mime,"
            " img_minor_mime, img_sha1, img_timestamp, actor_name, comment_text FROM image"
            " JOIN actor ON actor_id = img_actor JOIN comment ON comment_id = img_description_id"
        ).fetchall()
    return {row[0]: row[1:] for row in records}


def stored(folder: Path, name: str) -> bytes:
    dbkey = name.replace(" ", "_")
    digest = hashlib.md5(dbkey.encode()).hexdigest()
    return (folder / "images" / digest[0] / digest[:2] / dbkey).read_bytes()


def last_line(result: Result) -> str:
    """Return the summary."""
    return next(line for line in result.output.splitlines() if " already there, " in line)


def test_files_that_pages_use_are_fetched(live: Live, store: Run, tmp_path: Path) -> None:
    result = store("fetch-files", "--contact", "me@example.org", live.api)
    assert result.exit_code == 0, result.output
    size = sum(len(data) for name, data in FILES.items() if name != "Unused.png")
    assert last_line(result) == (
        f"Fetched 4 files ({size / 1e6:.1f} MB); 0 already there, 1 missing there, 0 too large,"
        " 0 failed."
    )
    assert "Missing there: Nowhere.png" in result.output
    images = rows(tmp_path)
    assert set(images) == {"A_b.png", "New.png", "Large.png", "Sound.ogg"}
    sha1 = from_hex(hashlib.sha1(FILES["A b.png"]).hexdigest())
    assert images["A_b.png"] == (
        len(FILES["A b.png"]), 300, 200, "BITMAP", "image", "png", sha1, "20200102030405", "Ada",
        "my ''picture''",
    )  # fmt: skip
    assert images["Sound.ogg"][1:6] == (64, 48, "VIDEO", "application", "ogg")
    for name in ("A b.png", "New.png", "Large.png", "Sound.ogg"):
        assert stored(tmp_path, name) == FILES[name]
    assert not (tmp_path / "images" / "temp" / "fetched").exists()
    assert all(
        agent.startswith("wikiapi/") and "me@example.org" in agent for agent in live.app.agents
    )


def test_the_answers_are_those_of_the_other_wiki(live: Live, store: Run, tmp_path: Path) -> None:
    store("fetch-files", live.api)
    asked = (
        "action=query", "prop=imageinfo|revisions", "titles=File:A b.png|File:Sound.ogg",
        "iiprop=size|sha1|mime|mediatype|timestamp|user|comment|metadata|bitdepth|url",
        "iiurlwidth=100", "rvprop=content|user|timestamp", "rvslots=main", "formatversion=2",
    )  # fmt: skip
    answer = json.loads(store("get", *asked).output)["query"]["pages"]
    there = live.wiki.get(dict(part.split("=", 1) for part in asked))["query"]["pages"]
    for page in (*answer, *there):
        for info in page["imageinfo"]:
            info.pop("responsiveUrls", None)
            del info["descriptionshorturl"]
            for name in ("url", "descriptionurl", "thumburl"):
                info[name] = urlsplit(info[name]).path
        del page["pageid"]
    assert answer == there
    assert answer[0]["imageinfo"][0]["thumbwidth"] == 100


def test_a_second_run_asks_for_nothing_that_is_there(live: Live, store: Run) -> None:
    store("fetch-files", live.api)
    before = len(live.app.files())
    result = store("fetch-files", live.api)
    assert last_line(result).startswith("Fetched 0 files (0.0 MB); 4 already there, 1 missing")
    assert len(live.app.files()) == before


def test_dry_run_writes_nothing(live: Live, store: Run, tmp_path: Path) -> None:
    result = store("fetch-files", "--dry-run", live.api)
    assert result.exit_code == 0, result.output
    assert last_line(result).startswith("Would fetch 4 files")
    assert rows(tmp_path) == {}
    assert not (tmp_path / "images").exists()
    assert live.app.files() == []


def test_limits_of_size(live: Live, store: Run, tmp_path: Path) -> None:
    result = store("fetch-files", "--max-size", "100k", live.api)
    assert result.exit_code == 0, result.output
    assert "3 files" in last_line(result)
    assert "1 too large" in last_line(result)
    assert f"Too large: Large.png: {len(FILES['Large.png'])} bytes" in result.output
    result = store("fetch-files", "--max-total", "200k", live.api)
    assert "Fetched 0 files" in last_line(result)
    assert "--max-total limits their size" in result.output
    assert "Large.png" not in rows(tmp_path)


# Faults


def test_a_cut_connection_is_taken_up_where_it_broke(
    live: Live, store: Run, tmp_path: Path
) -> None:
    data = FILES["Large.png"]
    live.app.faults["Large.png"] = [cut(data, 100_000)]
    result = store("fetch-files", live.api)
    assert result.exit_code == 0, result.output
    ranges = [part for name, part in live.app.files() if name == "Large.png"]
    assert ranges[0] == ""
    assert ranges[1].startswith("bytes=")
    assert 0 < int(ranges[1][6:-1]) <= 100_000
    assert stored(tmp_path, "Large.png") == data


def test_a_server_that_says_how_long_to_wait(live: Live, store: Run, waits: list[float]) -> None:
    live.app.faults["Large.png"] = [answering("429 Too Many Requests", Retry_After="17")]
    live.app.faults["api.php"] = [answering("503 Service Unavailable", Retry_After="9")]
    assert store("fetch-files", live.api).exit_code == 0
    assert {17, 9} <= set(waits)


def test_maxlag_is_respected(live: Live, store: Run, waits: list[float]) -> None:
    live.wiki.trouble("maxlag", retry_after=23)
    assert store("fetch-files", live.api).exit_code == 0
    assert 23 in waits


def test_a_file_with_another_content_is_not_kept(live: Live, store: Run, tmp_path: Path) -> None:
    wrong = bytes(len(FILES["Large.png"]))
    live.app.faults["Large.png"] = [answering("200 OK", wrong) for _ in range(2)]
    result = store("fetch-files", live.api)
    assert result.exit_code == 1
    assert "Failed: Large.png: its SHA-1 is not the one that the wiki states" in result.output
    assert "Large.png" not in rows(tmp_path)
    assert "3 files" in last_line(result)
    assert [path for path in (tmp_path / "images").rglob("*Large*") if path.is_file()] == []
    assert store("fetch-files", live.api).exit_code == 0
    assert stored(tmp_path, "Large.png") == FILES["Large.png"]


def test_a_file_that_grows_is_cut_off(live: Live, store: Run, tmp_path: Path) -> None:
    live.app.faults["Large.png"] = [answering("200 OK", bytes(len(FILES["Large.png"]) + 1))]
    result = store("fetch-files", live.api)
    assert result.exit_code == 1
    assert "Failed: Large.png: it is longer than" in result.output


def test_a_file_that_has_gone_is_missing_there(live: Live, store: Run) -> None:
    live.app.faults["Large.png"] = [answering("404 Not Found")]
    result = store("fetch-files", live.api)
    assert result.exit_code == 0
    assert "Missing there: Large.png: its server answers HTTP 404" in result.output


def test_a_server_that_never_answers_ends_the_run(live: Live, store: Run, tmp_path: Path) -> None:
    for name in ("A_b.png", "New.png", "Large.png"):
        live.app.faults[name] = [answering("500 Internal Server Error") for _ in range(9)]
    result = store("fetch-files", live.api)
    assert result.exit_code == 1
    assert "did not answer: HTTP 500, 6 times" in result.output
    assert [name for name, _ in live.app.files()].count("New.png") == 6
    live.app.faults.clear()
    assert "Fetched 4 files" in last_line(store("fetch-files", live.api))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("http://files.example/x.png", "it is at files.example, which is not allowed"),
        ("http://127.0.0.2:1/x.png", "it is at 127.0.0.2, which is not allowed"),
        ("file:///etc/passwd", "is not a web address"),
        ("http://user@127.0.0.1/", "is not a web address"),
    ],
)
def test_redirects_lead_to_no_host_that_was_not_named(
    live: Live, store: Run, place: str, reason: str
) -> None:
    live.app.faults["Large.png"] = [answering("302 Found", Location=place)]
    result = store("fetch-files", live.api)
    assert result.exit_code == 1
    assert reason in result.output


def test_redirects_to_a_named_host_are_followed(live: Live, store: Run, tmp_path: Path) -> None:
    with live_server(lambda _, start: answering("200 OK", FILES["Large.png"])(start)) as other:
        place = f"{other.replace('127.0.0.1', 'localhost')}/file"
        live.app.faults["Large.png"] = [answering("302 Found", Location=place)]
        assert store("fetch-files", "--host", "localhost", live.api).exit_code == 0
    assert stored(tmp_path, "Large.png") == FILES["Large.png"]


def test_a_redirect_without_end(live: Live, store: Run) -> None:
    faults = [answering("301 Moved Permanently", Location="Large.png") for _ in range(9)]
    live.app.faults["Large.png"] = faults
    result = store("fetch-files", live.api)
    assert "Failed: Large.png: its server redirects more than 5 times" in result.output


def test_private_addresses_of_hosts_that_the_settings_name(
    live: Live, store: Run, tmp_path: Path
) -> None:
    (tmp_path / "wikiapi.toml").write_text(CONFIG + 'fetch_hosts = ["*"]\n')
    place = f"{live.base.replace('127.0.0.1', 'localhost')}/x"
    live.app.faults["Large.png"] = [answering("302 Found", Location=place)]
    result = store("fetch-files", live.api)
    assert "Large.png: its server is not asked, because localhost is at a" in result.output


def test_a_repository_at_a_private_address(live: Live, store: Run, tmp_path: Path) -> None:
    table = f'{CONFIG}[[repositories]]\nname = "far"\napi = "{live.api}"\n'
    (tmp_path / "wikiapi.toml").write_text(table)
    result = store("fetch-files")
    assert result.exit_code == 1
    assert "because 127.0.0.1 is at a private address" in result.output
    assert live.app.requests == []
    (tmp_path / "wikiapi.toml").write_text(f"{table}allow_private = true\n")
    result = store("fetch-files")
    assert result.exit_code == 0, result.output
    assert rows(tmp_path)["A_b.png"][-2:] == ("far>Ada", "my ''picture''")


def test_the_source_of_the_settings_is_found(live: Live, store: Run, tmp_path: Path) -> None:
    (tmp_path / "wikiapi.toml").write_text(
        f'[site]\nsource = "{live.base}/wiki/Main_Page"\n{CONFIG}'
    )
    result = store("fetch-files")
    assert result.exit_code == 0, result.output
    assert "Fetched 4 files" in last_line(result)


def test_no_wiki_and_no_folder_are_said(store: Run, tmp_path: Path) -> None:
    result = store("fetch-files")
    assert result.exit_code == 2
    assert "give the URL of the live wiki's api.php" in result.output
    (tmp_path / "wikiapi.toml").write_text("")
    result = store("fetch-files", "--from", "pages")
    assert result.exit_code == 1
    assert 'folder = "images"' in result.output
    assert store("fetch-files", "--max-size", "much").exit_code == 2


def test_killed_and_resumed(live: Live, store: Run, tmp_path: Path) -> None:
    """A run is killed while a file is on its way, and nothing is fetched twice."""
    data, is_over = FILES["Large.png"], threading.Event()

    def dripping(start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", str(len(data)))])
        yield data[:150_000]
        is_over.wait(60)

    live.app.faults["New.png"] = [answering("200 OK", FILES["New.png"])]
    live.app.faults["Large.png"] = [dripping]
    command = [sys.executable, "-m", "wikiapi", "fetch-files", "--rate", "100", live.api]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL)
    partial = f"{from_hex(hashlib.sha1(data).hexdigest())}/Large.png.partial"
    path = tmp_path / "images" / "temp" / "fetched" / partial
    nothing, end = threading.Event(), time.monotonic() + 60
    while not (path.is_file() and path.stat().st_size) and time.monotonic() < end:
        nothing.wait(0.02)
    process.kill()
    process.wait()
    is_over.set()
    half = path.stat().st_size
    assert 0 < half < len(data)
    assert rows(tmp_path) == {}
    before = [name for name, _ in live.app.files()]
    assert "A_b.png" in before
    result = store("fetch-files", live.api)
    assert result.exit_code == 0, result.output
    assert "Fetched 4 files" in last_line(result)
    after = live.app.files()[len(before) :]
    assert ("Large.png", f"bytes={half}-") in after
    assert "A_b.png" not in [name for name, _ in after]
    assert stored(tmp_path, "Large.png") == data
    assert not (tmp_path / "images" / "temp" / "fetched").exists()


# Folders and archives


def folder_of(place: Path) -> Path:
    (place / "deep" / "er").mkdir(parents=True)
    (place / "thumb" / "A_b.png").mkdir(parents=True)
    (place / "deep" / "er" / "a b.png").write_bytes(FILES["A b.png"])
    (place / "New.png").write_bytes(FILES["New.png"])
    (place / "deep" / "New.png").write_bytes(png(1, 1))
    (place / "thumb" / "A_b.png" / "100px-A_b.png").write_bytes(png(100, 67))
    (place / "Sound.ogg").write_bytes(FILES["Sound.ogg"])
    (place / "Unused.png").write_bytes(FILES["Unused.png"])
    (place / "Large.png").symlink_to("/etc/passwd")
    return place


def zipped(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.write(path, path.relative_to(folder))
    return target


def tarred(folder: Path, target: Path, mode: Any) -> Path:
    with tarfile.open(target, mode) as archive:
        for path in sorted(folder.rglob("*"), key=lambda path: (len(path.parts), path)):
            archive.add(path, path.relative_to(folder), recursive=False)
    return target


@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "tar.gz", "tar.xz"])
def test_files_from_a_folder_or_archive(store: Run, tmp_path: Path, kind: str) -> None:
    place = folder_of(tmp_path / "source")
    if kind == "zip":
        place = zipped(place, tmp_path / "a.zip")
    elif kind != "folder":
        mode = {"tar": "w", "tar.gz": "w:gz", "tar.xz": "w:xz"}[kind]
        place = tarred(place, tmp_path / f"a.{kind}", mode)
    dry = store("fetch-files", "--dry-run", "--from", str(place))
    assert last_line(dry).startswith("Would fetch 3 files")
    assert rows(tmp_path) == {}
    result = store("fetch-files", "--from", str(place))
    assert result.exit_code == 0, result.output
    assert last_line(result).startswith("Fetched 3 files")
    assert "0 already there, 2 missing there" in last_line(result)
    assert set(rows(tmp_path)) == {"A_b.png", "New.png", "Sound.ogg"}
    assert stored(tmp_path, "New.png") == FILES["New.png"]
    assert (tmp_path / "source" / "New.png").is_file()
    assert not (tmp_path / "images" / "temp" / "fetched").exists()
    again = store("fetch-files", "--from", str(place))
    assert last_line(again).startswith("Fetched 0 files (0.0 MB); 3 already there")


def test_limits_of_archives(store: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("A b.png", "Large.png", "New.png"):
            archive.writestr(f"x/{name}", FILES[name])
    result = store("fetch-files", "--max-size", "100k", "--from", "a.zip")
    assert "Fetched 2 files" in last_line(result)
    assert "1 too large" in last_line(result)
    result = store("fetch-files", "--max-total", "100k", "--from", "a.zip")
    assert "Fetched 0 files" in last_line(result)
    assert "--max-total" in result.output
