"""Images and galleries under other settings: what their HTML has, and what it lacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.test_legacy import FILES, OPTIONS, PAGES
from wikiapi.testing import make_site

CASES = Path(__file__).parent.parent / "fixtures" / "settings_files.json"


def cases() -> list[object]:
    return [
        pytest.param(case, id=name)
        for name, case in json.loads(CASES.read_text(encoding="utf-8")).items()
    ]


@pytest.mark.parametrize("case", cases())
def test_html(case: dict[str, Any]) -> None:
    config = {name: case[name] for name in ("files", "gallery") if name in case}
    site = make_site(PAGES, files=FILES, config=config)
    html = site.parser.parse(case["text"], site.titles.parse("Golden"), OPTIONS).html
    for part in case.get("has", ()):
        assert part in html
    for part in case.get("lacks", ()):
        assert part not in html
    site.db.close()
