"""The code of the guides works: their files are written as they stand there, and pytest runs them.

A block of code begins with a comment that names its file, or follows one of HTML; several blocks of
one file follow each other in it.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.fences import ROOT, Fence, fences, sessions
from wikiapi import api

pytestmark = pytest.mark.slow

GUIDES = ("testing", "plugins", "embedding", "extracting", "variants")
CODE = {"python", "toml", "ini", "json"}
COMMANDS = ("pip install ", "pytest", "wikiapi ", "gunicorn ", "uwsgi ")


def blocks(guide: str) -> list[Fence]:
    """Return the blocks of a guide, without the outputs of its commands."""
    all_fences = fences(ROOT / "docs" / f"{guide}.md")
    outputs = [fence.output for fence in all_fences if fence.output]
    return [fence for fence in all_fences if fence not in outputs]


def files(guide: str) -> dict[str, str]:
    """Return the files of a guide."""
    texts: dict[str, str] = {}
    for fence in blocks(guide):
        if fence.language in CODE:
            assert fence.file, f"a block without a file: {fence}"
            texts[fence.file] = texts.get(fence.file, "") + fence.text
    return texts


@pytest.mark.parametrize("guide", GUIDES)
def test_code_works(guide: str, tmp_path: Path) -> None:
    for name, text in files(guide).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["-q", "-W", "error", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"--rootdir={tmp_path}"],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    tests = sum(
        len(re.findall(r"^ *def test_", text, re.MULTILINE)) for text in files(guide).values()
    )
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) >= tests > 0


@pytest.mark.parametrize("guide", GUIDES)
def test_every_block_is_code_or_a_known_command(guide: str) -> None:
    for fence in blocks(guide):
        assert fence.language in CODE | {"sh", "wikitext"}
        for session in () if fence.not_run else sessions([fence]):
            assert session.line.startswith(COMMANDS)


@pytest.mark.parametrize("guide", GUIDES)
def test_links_lead_to_files(guide: str) -> None:
    text = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_smallest_plugin_is_the_one_of_the_examples() -> None:
    folder = ROOT / "examples" / "minimal_plugin"
    for name in ("headings.py", "pyproject.toml"):
        assert files("plugins")[name] == (folder / name).read_text(encoding="utf-8")


def test_every_kind_of_parameter_has_an_example() -> None:
    kinds = {
        name
        for name in api.__all__
        if inspect.isfunction(function := getattr(api, name))
        and "Param" in str(inspect.signature(function).return_annotation)
    }
    assert len(kinds) > 15
    assert kinds <= set(re.findall(r"\b(\w+)\(", files("plugins")["brewing.py"]))
