"""What is said to have no effect is a parameter that exists."""

from __future__ import annotations

import re

import pytest

from tests.meta.test_packaging import ROOT
from wikiapi.testing import ask, make_site

_ROW = re.compile(r"^\| (?P<modules>`.*?`) \| (?P<params>`.*?`) \|", re.MULTILINE)
_NAME = re.compile(r"`([^`]+)`")
ROWS = [
    (module, param)
    for row in _ROW.finditer((ROOT / "docs" / "differences.md").read_text(encoding="utf-8"))
    for module in _NAME.findall(row["modules"])
    for param in _NAME.findall(row["params"])
]


def test_rows_are_read() -> None:
    assert ("query+siteinfo", "showalldb") in ROWS
    assert ("query+langlinks", "inlanguagecode") in ROWS


@pytest.mark.parametrize(("module", "param"), ROWS)
def test_parameters_without_effect_exist(module: str, param: str) -> None:
    site = make_site()
    info = ask(site, {"action": "paraminfo", "modules": module}).data["paraminfo"]["modules"][0]
    assert param in {item["name"] for item in info["parameters"]}
    site.db.close()
