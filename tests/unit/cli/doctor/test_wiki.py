from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.cli.doctor.settings import (
    check_addresses,
    check_namespaces,
    check_openness,
    check_rights,
)
from wikiapi.config import Config
from wikiapi.store.check import Severity

CHECKS = (
    check_addresses,
    check_namespaces,
    check_openness,
    check_rights,
)


def problems(config: Config) -> list[str]:
    return [finding.problem for check in CHECKS for finding in check(config)]


def test_defaults_are_well() -> None:
    assert problems(Config()) == []


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"server": "wiki.example"}, "site.server is 'wiki.example'"),
        ({"server": "https://wiki.example/"}, "site.server is 'https://wiki.example/'"),
        ({"article_path": "/wiki/"}, "site.article_path is '/wiki/', without a place for the page"),
        ({"script_path": "w"}, "site.script_path is 'w'"),
        ({"script_path": "/w/"}, "site.script_path is '/w/'"),
    ],
)
def test_a_setting_that_cannot_be_right(
    config_of: Callable[..., Config], settings: dict[str, str], problem: str
) -> None:
    assert problems(config_of(site=settings)) == [problem]


@pytest.mark.parametrize(
    "settings", [{"script_path": ""}, {"language": "pt-br"}, {"timezone": "Europe/Berlin"}]
)
def test_unusual_settings_that_are_right(
    config_of: Callable[..., Config], settings: dict[str, str]
) -> None:
    assert problems(config_of(site=settings)) == []


def test_namespaces_that_come_twice(config_of: Callable[..., Config]) -> None:
    entries: list[dict[str, Any]] = [{"id": 100, "name": "A"}, {"id": 100, "name": "a"}]
    assert problems(config_of(namespaces=entries)) == [
        "namespace 100 is configured 2 times",
        "2 namespaces are called 'a'",
    ]


def test_a_private_wiki_is_worth_a_note(config_of: Callable[..., Config]) -> None:
    (problem,) = problems(config_of(permissions={"anonymous_rights": []}))
    assert problem.startswith("visitors have no right to read")


@pytest.mark.parametrize(
    ("wikitext", "writable", "severity", "problem"),
    [
        ({"raw_html": True}, False, Severity.NOTE, "run scripts in its readers' browsers"),
        ({"raw_html": True}, True, Severity.WARNING, "and anyone can create an account"),
        ({"external_images": True}, True, Severity.WARNING, "any server that a page names"),
        ({"image_tag": True}, True, Severity.NOTE, "wikitext.image_tag has no effect"),
    ],
)
def test_what_opens_a_wiki_is_named(
    config_of: Callable[..., Config],
    wikitext: dict[str, bool],
    writable: bool,
    severity: Severity,
    problem: str,
) -> None:
    (finding,) = check_openness(config_of(wikitext=wikitext, site={"writable": writable}))
    assert finding.severity is severity
    assert problem in finding.problem


def test_images_of_some_servers_need_no_remark(config_of: Callable[..., Config]) -> None:
    config = config_of(wikitext={"external_images": ["https://a.org/"]})
    assert list(check_openness(config)) == []
