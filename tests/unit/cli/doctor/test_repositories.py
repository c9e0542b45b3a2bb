from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.cli.doctor.environment import check_repositories
from wikiapi.config import Config

COMMONS = "https://commons.wikimedia.org/w/api.php"


@pytest.mark.parametrize(
    ("settings", "problems"),
    [
        ({"api": COMMONS}, []),
        ({"api": "commons.wikimedia.org"}, ["its address is 'commons.wikimedia.org'"]),
        ({"api": "ftp://c.example/api.php"}, ["its address is 'ftp://c.example/api.php'"]),
        (
            {"api": "https://c.example/wiki/"},
            ["https://c.example/wiki/ does not end in api.php"],
        ),
        ({"api": "http://10.1.2.3/api.php"}, ["10.1.2.3 is in a private network"]),
        ({"api": "http://localhost/api.php"}, ["localhost is in a private network"]),
        ({"api": "http://10.1.2.3/api.php", "allow_private": True}, []),
        ({"api": COMMONS, "timeout": 60.0}, ["a request may wait 60 seconds for it"]),
    ],
)
def test_one_repository(
    config_of: Callable[..., Config], settings: dict[str, object], problems: list[str]
) -> None:
    findings = list(check_repositories(config_of(repositories=[{"name": "c", **settings}])))
    assert [finding.problem for finding in findings] == problems
    assert all(finding.place == "c" for finding in findings)


def test_names_that_come_twice(config_of: Callable[..., Config]) -> None:
    entries = [{"name": "c", "api": COMMONS}, {"name": "c", "api": COMMONS}]
    (finding,) = check_repositories(config_of(repositories=entries))
    assert finding.problem == "2 repositories are called 'c'"


def test_the_wiki_itself(config_of: Callable[..., Config]) -> None:
    config = config_of(
        site={"server": "https://w.example"},
        repositories=[{"name": "c", "api": "https://w.example/w/api.php"}],
    )
    (finding,) = check_repositories(config)
    assert finding.problem == "it is the wiki itself"
