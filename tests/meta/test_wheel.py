"""What is published holds everything: it is built, installed apart from the checkout, and asked."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.meta.test_deployment import CONTAINER
from tests.meta.test_packaging import ROOT, package_dirs, read_setup_cfg
from tests.ports import free_port, wait_for

pytestmark = pytest.mark.slow

SOURCES = (
    *("setup.cfg", "pyproject.toml", "MANIFEST.in", "Makefile", "mkdocs.yml", "LICENSE"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
    *("wikiapi", "plugins", "grammar", "docs", "examples", "tests", "bench"),
)
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the source distribution, and the wheel that is built from it."""
    # From a copy: building in place leaves files that a later wheel would take up.
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, source / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, source / name)
    dist = folder / "dist"
    options = ("--no-isolation", "--outdir", dist)
    subprocess.run(
        [sys.executable, "-m", "build", *options, source], check=True, stdout=subprocess.DEVNULL
    )
    return dist


@pytest.fixture(scope="module")
def wheel(published: Path) -> Path:
    return next(published.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bin folder of an environment that has the wheel, and sees our dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (container,) = re.findall(r'"(wikiapi-server\[\S+ @ file://)\$', CONTAINER.read_text())
    named = f"{container}{wheel}"
    subprocess.run([*PIP, "--python", python, "install", "--no-deps", named], check=True)
    site_packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
    # A path in a .pth file makes the dependencies importable, but not our editable install.
    Path(site_packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


@pytest.fixture(scope="module")
def with_plugin(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same environment, with the example plugin."""
    source = tmp_path_factory.mktemp("plugin") / "source"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    shutil.copytree(ROOT / "examples" / "third_party_plugin", source, ignore=ignored)
    folder = source.parent
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    subprocess.run([*PIP, *build], check=True)
    plugin = next(folder.glob("*.whl"))
    options = ("--python", installed / "python", "install", "--no-deps", plugin)
    subprocess.run([*PIP, *options], check=True)
    return installed


def run(command: list[str | Path], folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_descriptions_are_accepted_by_the_package_index(published: Path) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *published.iterdir()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.count("PASSED") == 2, done.stdout + done.stderr
    assert done.returncode == 0


def test_source_distribution_is_the_checkout(published: Path) -> None:
    (archive,) = published.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert set(SOURCES) <= names
    assert {"docs/tutorial.md", "examples/demo.toml", "tests/conftest.py"} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (about,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(about).decode()
        names = archive.namelist()
    data = email.message_from_string(text)
    assert data["Name"] == "wikiapi-server"
    assert data["License"] == "MIT"
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    extras = read_setup_cfg()["options.extras_require"].keys()
    assert set(data.get_all("Provides-Extra", [])) == {name.lower() for name in extras}


def test_wheel_contains_every_data_file(wheel: Path) -> None:
    expected = {
        f"{package}/{file.relative_to(folder)}"
        for package, folder in package_dirs().items()
        for file in folder.rglob("*")
        if file.is_file() and file.suffix in {".lark", ".json", ".toml", ".typed", ".py"}
    }
    with zipfile.ZipFile(wheel) as archive:
        assert expected <= set(archive.namelist())
    assert {Path(name).suffix for name in expected} >= {".lark", ".json", ".py"}


def test_wheel_contains_only_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == set(package_dirs())


def test_installed_program_is_that_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "import wikiapi, wikiapi_plugins, wikiapi_grammar as g; print(wikiapi.__file__)"
    where = run([installed / "python", "-c", code], tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    assert run([installed / "wikiapi", "--version"], tmp_path) == "wikiapi, version 0.1.0\n"


def test_installed_program_answers_a_request(installed: Path, tmp_path: Path) -> None:
    run([installed / "wikiapi", "db", "init"], tmp_path)
    query = ["action=query", "titles=Main Page", "format=json", "formatversion=2"]
    answer = json.loads(run([installed / "wikiapi", "get", *query], tmp_path))
    assert answer["query"]["pages"] == [{"ns": 0, "title": "Main Page", "missing": True}]


def test_installed_program_parses(installed: Path, tmp_path: Path) -> None:
    run([installed / "wikiapi", "db", "init"], tmp_path)
    html = run([installed / "wikiapi", "parse", "{{PAGENAME}} is ''here''"], tmp_path)
    assert "<i>here</i>" in html


def test_installed_program_serves_the_demo(installed: Path, tmp_path: Path) -> None:
    settings = tmp_path / "wikiapi.toml"
    shutil.copy(ROOT / "examples" / "demo.toml", settings)
    shutil.copytree(ROOT / "examples" / "demo", tmp_path / "demo")
    run([installed / "wikiapi", "import", "--config", settings, "demo"], tmp_path)
    port = free_port()
    listen = f"127.0.0.1:{port}"
    command = [installed / "wikiapi", "serve", "--config", settings, "--listen", listen]
    environment = {**os.environ, "PYTHONPATH": ""}
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as server:
        try:
            wait_for(port)
            with urlopen(f"http://{listen}/wiki/Main_Page") as reply:
                page = reply.read().decode()
            query = "action=query&titles=Main_Page&format=json&formatversion=2"
            with urlopen(f"http://{listen}/w/api.php?{query}") as reply:
                answer = json.load(reply)
        finally:
            server.terminate()
    assert "demo wiki" in page
    assert answer["query"]["pages"][0]["title"] == "Main Page"


def test_plugin_is_found_by_its_entry_point(with_plugin: Path, tmp_path: Path) -> None:
    listed = run([with_plugin / "wikiapi", "plugins"], tmp_path)
    described = listed.split("wordcount (wikiapi-wordcount 1.0.0)\n")[1]
    assert "  query modules: prop=terms, prop=wordcount\n" in described


def test_plugin_answers_and_adds_its_command(with_plugin: Path, tmp_path: Path) -> None:
    run([with_plugin / "wikiapi", "db", "init"], tmp_path)
    query = ["action=query", "prop=wordcount", "titles=A"]
    answer = json.loads(run([with_plugin / "wikiapi", "get", *query], tmp_path))
    assert answer == {
        "query": {"pages": [{"ns": 0, "title": "A", "missing": True}]},
        "batchcomplete": True,
    }
    (tmp_path / "text").write_text("two words", encoding="utf-8")
    assert run([with_plugin / "wikiapi", "wordcount", "text"], tmp_path) == "2\n"


def test_plugin_passes_its_tests_where_it_is_installed(with_plugin: Path, tmp_path: Path) -> None:
    example = ROOT / "examples" / "third_party_plugin"
    shutil.copytree(example / "tests", tmp_path / "tests")
    shutil.copy(example / "pyproject.toml", tmp_path)
    options = ["-q", "-p", "no:schemathesis", "-p", "no:cacheprovider", "tests"]
    output = run([with_plugin / "python", "-m", "pytest", *options], tmp_path)
    assert " passed" in output
    code = "import wikiapi_wordcount as plugin; print(plugin.__file__)"
    where = run([with_plugin / "python", "-c", code], tmp_path)
    assert Path(where.strip()).is_relative_to(with_plugin.parent)
