from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wikiapi.cli.doctor.environment import check_folder, check_stored
from wikiapi.config import Config
from wikiapi.site import Site


def test_no_folder_need_be_named(config_of: Callable[..., Config]) -> None:
    assert list(check_folder(config_of())) == []


def test_a_folder_that_is_there(config_of: Callable[..., Config], tmp_path: Path) -> None:
    assert list(check_folder(config_of(files={"folder": str(tmp_path)}))) == []


def test_a_folder_that_is_not(config_of: Callable[..., Config], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (finding,) = check_folder(config_of(files={"folder": str(tmp_path / "file")}))
    assert finding.problem.endswith("which is not a folder")


def test_a_folder_that_is_not_there_yet(make_site: Callable[..., Site], tmp_path: Path) -> None:
    files = {"folder": str(tmp_path / "none")}
    site = make_site(config={"files": files})
    assert [*check_folder(site.config), *check_stored(site)] == []
    site = make_site(files=["A.png"], config={"files": files})
    assert [finding.problem for finding in check_stored(site)] == [
        f"files.folder is {files['folder']!r}, which does not exist"
    ]


def test_files_that_lie_nowhere(make_site: Callable[..., Site]) -> None:
    assert list(check_stored(make_site())) == []
    (finding,) = check_stored(make_site(files=["A.png"]))
    assert finding.problem == "the store has 1 file, but no folder to serve from"
    elsewhere = {"files": {"url": "https://files.example/images"}}
    assert list(check_stored(make_site(files=["A.png"], config=elsewhere))) == []
