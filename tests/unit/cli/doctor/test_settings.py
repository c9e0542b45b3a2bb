from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.cli.doctor.installation import Installation
from wikiapi.cli.doctor.settings import check_file, check_secrets, check_settings
from wikiapi.store.check import Severity

Installed = Callable[..., Installation]


def test_no_file_is_worth_a_note() -> None:
    (finding,) = check_file(Installation())
    assert finding.severity is Severity.NOTE
    assert "--write-config" in finding.advice


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (finding,) = check_file(Installation(tmp_path / "none.toml"))
    assert finding.severity is Severity.ERROR
    assert "--config" in finding.advice


@pytest.mark.parametrize("text", ["[site\n", "name = Wiki\n", b"name = '\xff'\n"])
def test_a_file_that_is_no_toml(installation_of: Installed, text: str | bytes) -> None:
    (finding,) = check_file(installation_of(text))
    assert finding.problem.startswith("it cannot be read: ")


def test_a_good_file(installation_of: Installed) -> None:
    installation = installation_of('[site]\nname = "X"\n[extensions.any]\nx = 1\n')
    assert [
        *check_file(installation),
        *check_settings(installation),
        *check_secrets(installation),
    ] == []


@pytest.mark.parametrize(
    ("text", "problem", "advice"),
    [
        ("[site]\nnam = 'x'", "there is no setting site.nam", "Did you mean site.name?"),
        ("[sight]\nx = 1", "there is no table sight", "Did you mean site?"),
        ("[site]\nthreads = 3", "there is no setting site.threads",
         "Move it to the table [http]."),
        ("[site]\nzzz = 3", "there is no setting site.zzz", "Remove it."),
        ("[http]\nthreads = 'x'", "http.threads must be of type int", "docs/configuration.md"),
        ("[http]\nthreads = -3", "http.threads is -3; permitted: 1 to 1,000",
         "docs/configuration.md"),
        ("[site]\ntimezone = '../etc'", "site.timezone is '../etc'; permitted: an IANA name,",
         "docs/configuration.md"),
        ("[site]\nlanguage = 'klingon'", "site.language is 'klingon'; permitted: the code of a",
         "docs/configuration.md"),
        ("[[namespaces]]\nname = 'X'", "namespaces[0].id must be set", "docs/configuration.md"),
        ("site = 3", "site must be a table", "docs/configuration.md"),
    ],
)  # fmt: skip
def test_a_wrong_setting(installation_of: Installed, text: str, problem: str, advice: str) -> None:
    (finding,) = check_settings(installation_of(text))
    assert finding.problem.startswith(problem)
    assert advice in finding.advice


def test_all_wrong_settings_are_reported_and_the_others_used(installation_of: Installed) -> None:
    installation = installation_of(
        "[site]\nnam = 1\nname = 'X'\n[http]\nthreads = 'x'\n[nothing]\n"
    )
    assert len(list(check_settings(installation))) == 3
    assert installation.config
    assert installation.config.site.name == "X"


@pytest.mark.parametrize(
    "text", ["[http]\nsecret_key = 'k'", "[database]\nurl = 'mysql://u:p@h/d'"]
)
def test_a_secret_that_others_may_read(installation_of: Installed, text: str) -> None:
    installation = installation_of(text)
    assert installation.path
    installation.path.chmod(0o644)
    (finding,) = check_secrets(installation)
    assert finding.advice == f"`chmod 600 {installation.path}`"
    installation.path.chmod(0o600)
    assert list(check_secrets(installation)) == []
