from __future__ import annotations

import os
from pathlib import Path

import pytest

from wikiapi.cli.support.options import check_readable
from wikiapi.errors import DumpError


def test_a_name_that_is_mistyped(tmp_path: Path) -> None:
    (tmp_path / "a.xml").touch()
    with pytest.raises(DumpError, match=r"cannot read .*none\.xml"):
        check_readable([str(tmp_path / "a.xml"), str(tmp_path / "none.xml")])


def test_files_folders_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.xml").touch()
    check_readable(["-", str(tmp_path), str(tmp_path / "a.xml")])


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    check_readable([str(tmp_path / "pipe")])
