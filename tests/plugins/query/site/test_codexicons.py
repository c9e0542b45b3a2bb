from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wikiapi.testing import ask, make_site

ASKED = {"action": "query", "list": "codexicons", "names": "cdxIconAdd|cdxIconHelp"}
ICONS = {"cdxIconAdd": "<path d='M1'/>", "cdxIconHelp": {"ltr": "<path/>", "langCodeMap": {}}}


def answer(settings: dict[str, Any], params: dict[str, str]) -> Any:
    site = make_site(config={"extensions": {"codexicons": settings}})
    asked = ask(site, params)
    site.db.close()
    return asked


def test_icons_of_the_configured_file(tmp_path: Path) -> None:
    file = tmp_path / "icons.json"
    file.write_text(json.dumps(ICONS), encoding="utf-8")
    asked = answer({"file": str(file)}, ASKED)
    assert asked.data["query"]["codexicons"] == ICONS
    assert answer({"file": str(file)}, ASKED | {"names": "x"}).codes == "codexicons-unknown"


@pytest.mark.parametrize("settings", [{}, {"file": "no/such/file.json"}])
def test_without_a_file(settings: dict[str, Any]) -> None:
    assert answer(settings, ASKED).codes == "codexicons-unavailable"


def test_stash_needs_a_login() -> None:
    params = {"action": "query", "list": "mystashedfiles"}
    assert answer({}, params).codes == "stashnotloggedin"
