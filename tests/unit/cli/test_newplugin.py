"""What ``wikiapi plugins new`` writes works, and what cannot be written is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.cli.newplugin import Names

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(name: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["plugins", "new", name, *options], prog_name="wikiapi")


@pytest.mark.parametrize(
    ("name", "options", "passed"),
    [("tea-house", (), 16), ("none", (), 16), ("guest-book", ("--action",), 15)],
)
def test_new_plugin_passes_its_tests_and_the_linter(
    folder: Path, name: str, options: tuple[str, ...], passed: int
) -> None:
    assert new(name, *options).output.startswith(f"Wrote wikiapi-{name}. Next: ")
    made = folder / f"wikiapi-{name}"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "-p no:schemathesis"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error"],
        cwd=made, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert f"{passed} passed" in done.stdout, done.stdout + done.stderr
    check = [sys.executable, "-m", "ruff", "check", "--config", ROOT / "pyproject.toml", "src"]
    subprocess.run(check, cwd=made, check=True, stdout=subprocess.DEVNULL)


def test_new_plugin_is_found_when_it_is_installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new("wikiapi-tea-house").exit_code == 0
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--target", "installed"]
    command = [sys.executable, "-m", "pip", "install", *options, "./wikiapi-tea-house"]
    subprocess.run(command, check=True)
    environment = os.environ | {"PYTHONPATH": f"{folder / 'installed'}{os.pathsep}{ROOT}"}
    listed = subprocess.run(
        [sys.executable, "-m", "wikiapi", "plugins"],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    described = listed.partition("tea-house (wikiapi-tea-house 0.1)\n")[2]
    assert "  query modules: prop=teahouse\n  parser functions: #teahouse\n" in described


@pytest.mark.parametrize(
    "name", ["", "Tea", "tea_house", "-tea", "tea--house", "../tea", "é", "a" * 41]
)
def test_names_that_packages_cannot_have_are_refused(folder: Path, name: str) -> None:
    result = new(name)
    assert result.exit_code == 2
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["info", "poem"])
def test_names_of_installed_plugins_and_modules_are_refused(folder: Path, name: str) -> None:
    result = new(name)
    assert f"{name!r} is the name of an installed plugin or module" in result.output
    assert list(folder.iterdir()) == []


def test_folder_is_not_overwritten(folder: Path) -> None:
    (folder / "wikiapi-tea").mkdir()
    assert "wikiapi-tea exists already" in new("tea").output
    assert list((folder / "wikiapi-tea").iterdir()) == []


def test_names_follow_from_one() -> None:
    assert Names.of("tea-house") == Names.of("wikiapi-tea-house")
    assert Names.of("none").cls == "NoneModule"
