"""Annotated files, and no trace of the machine the code was written on."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tests.meta.test_packaging import ROOT, package_dirs

TEXTS = {".cfg", ".json", ".lark", ".md", ".py", ".sh", ".toml", ".wikitext", ".yaml", ""}
MADE = {"build", "dist", "results", "__pycache__"}
HOMES = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp)/\w")

ANNOTATIONS = "from __future__ import annotations"
SOURCES = sorted(file for folder in package_dirs().values() for file in folder.rglob("*.py"))


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def project_texts() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        # What is made, such as the virtual environment, is not even looked through.
        folders[:] = [name for name in folders if not is_made(name)]
        for file in (Path(folder, name) for name in files if not is_made(name)):
            if file.is_file() and file.suffix in TEXTS and file != Path(__file__):
                yield file


def is_made(part: str) -> bool:
    """Return whether a folder contains generated files."""
    return (part.startswith(".") and part != ".ci") or part in MADE or part.endswith(".egg-info")


def test_files_are_annotated() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in SOURCES}
    bare = [file for file, text in texts.items() if ANNOTATIONS not in text]
    assert [name_of(file) for file in bare if has_code(texts[file])] == []
    assert len(SOURCES) > 300


def has_code(text: str) -> bool:
    return any(not isinstance(node, ast.Expr) for node in ast.parse(text).body)


def test_no_text_names_a_folder_of_one_machine() -> None:
    texts = list(project_texts())
    folders = [
        f"{name_of(file)}: {match[0]}"
        for file in texts
        for match in HOMES.finditer(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert folders == []
    assert len(texts) > 300
