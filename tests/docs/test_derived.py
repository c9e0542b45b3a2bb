"""What the pages take from the code is what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from docs import derived
from tests.docs.fences import ROOT


@pytest.mark.parametrize("path", derived.PARTS, ids=lambda path: path.stem)
def test_page_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == derived.page(path), "run `make docs`"


def test_a_page_without_its_part_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing", encoding="utf-8")
    monkeypatch.setattr(derived, "PARTS", {page: {"scores": derived.scores}})
    with pytest.raises(ValueError, match="no part scores"):
        derived.page(page)


def test_no_more_pass_than_are_recorded() -> None:
    passes, cases = derived.passed(), derived.recorded()
    assert passes.keys() == cases.keys()
    assert all(0 < passes[kind] <= count for kind, count in cases.items())
    assert sum(passes.values()) == sum(json.loads(derived.RATCHET.read_text("utf-8")).values())


def test_files_that_the_architecture_names_are_there() -> None:
    text = derived.ARCHITECTURE.read_text(encoding="utf-8")
    named = re.findall(r"`((?:wikiapi|plugins|tests|grammar)/[\w/.]+)`", text)
    inside = re.findall(r"`((?:http|store|wikitext|cache|filerepo|cli)/[\w/.]*)`", text)
    assert len(named) > 5
    missing = [name for name in named if not (ROOT / name).exists()]
    missing += [name for name in inside if not (ROOT / "wikiapi" / name).exists()]
    assert missing == []


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda form: form.stem
)
def test_form_of_an_issue_is_one(form: Path) -> None:
    data = yaml.safe_load(form.read_text(encoding="utf-8"))
    if form.stem == "config":
        assert set(data) <= {"blank_issues_enabled", "contact_links"}
        return
    assert {"name", "description", "body"} <= data.keys()
    ids = [field["id"] for field in data["body"]]
    assert len(ids) == len(set(ids)) > 0
    assert all(field["type"] in ("textarea", "input", "dropdown") for field in data["body"])
    assert all(field["attributes"]["label"] for field in data["body"])
