"""Annotated files, and no trace of the machine the code was written on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.meta.test_packaging import ROOT, package_dirs

TEXTS = {".cfg", ".json", ".lark", ".md", ".py", ".sh", ".toml", ".wikitext", ".yaml", ""}
MADE = {"build", "dist", "results", "__pycache__"}
HOMES = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp)/\w")

SOURCES = sorted(file for folder in package_dirs().values() for file in folder.rglob("*.py"))


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def project_texts() -> list[Path]:
    return [
        file
        for file in ROOT.rglob("*")
        if file.is_file()
        and file.suffix in TEXTS
        and not any(map(is_made, file.relative_to(ROOT).parts))
        and file != Path(__file__)
    ]


def is_made(part: str) -> bool:
    """Return whether a folder contains generated files."""
    return (part.startswith(".") and part != ".ci") or part in MADE or part.endswith(".egg-info")


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_file_is_annotated(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    has_code = any(not isinstance(node, ast.Expr) for node in ast.parse(text).body)
    assert "from __future__ import annotations" in text or not has_code


def test_no_text_names_a_folder_of_one_machine() -> None:
    texts = project_texts()
    found = [
        f"{name_of(file)}: {match[0]}"
        for file in texts
        for match in HOMES.finditer(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []
    assert len(texts) > 300
