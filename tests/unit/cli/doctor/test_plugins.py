from __future__ import annotations

from collections.abc import Callable
from importlib import metadata

import pytest

from wikiapi.cli.doctor.installation import Installation
from wikiapi.cli.doctor.settings import check_names, check_plugins
from wikiapi.config import Config
from wikiapi.plugins import ENTRY_POINT_GROUP


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two plugins that cannot be imported."""
    real = metadata.entry_points
    names = ("broken", "broken2")

    def entry_points(**chosen: str) -> object:
        added = [metadata.EntryPoint(n, "no_such_module", ENTRY_POINT_GROUP) for n in names]
        return [*real(**chosen), *added]

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def test_installed_plugins_load() -> None:
    assert list(check_plugins(Installation())) == []


@pytest.mark.usefixtures("broken")
def test_all_that_fail_are_reported() -> None:
    first, second = check_plugins(Installation())
    assert first.problem == "broken cannot be loaded: No module named 'no_such_module'"
    assert 'disabled = ["broken2"]' in second.advice


@pytest.mark.usefixtures("broken")
def test_disabled_ones_are_not_loaded(installation_of: Callable[..., Installation]) -> None:
    installation = installation_of('[plugins]\ndisabled = ["broken", "broken2"]\n')
    assert list(check_plugins(installation)) == []


def test_names_of_the_configuration(config_of: Callable[..., Config]) -> None:
    config = config_of(
        plugins={"disabled": ["cite", "scribnto"], "order": ["nothing-like-it"]},
        extensions={"Cite": {}, "mine": {}},
    )
    assert [(finding.problem, finding.advice) for finding in check_names(config)] == [
        ("plugins.disabled names 'scribnto', which is not installed", "Did you mean 'scribunto'?"),
        (
            "plugins.order names 'nothing-like-it', which is not installed",
            "`wikiapi plugins` lists those that are.",
        ),
        ("no plugin reads [extensions.Cite]", "Did you mean [extensions.cite]?"),
    ]
