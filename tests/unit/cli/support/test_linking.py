from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.cli.support.linking import derive_links
from wikiapi.config import parse_config
from wikiapi.pages.links import update
from wikiapi.pages.links.update import mark_all
from wikiapi.site import Site


@pytest.mark.slow
def test_configuration_with_extensions_is_sent(
    make_site: Callable[..., Site],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(update, "PAGES_WORTH_WORKERS", 1)
    path = tmp_path / "store.sqlite"
    data = {"extensions": {"Some": {"thing": 1}}, "database": {"url": f"sqlite:///{path}"}}
    site = make_site({"A": "[[B]]"}, path=path)
    mark_all(site.db)
    site.config = parse_config(data)
    derive_links(site, 2)
    assert capsys.readouterr().err.endswith("Derived the links of 1 page.\n")
