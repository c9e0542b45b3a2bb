"""git clones a wiki with Git-Mediawiki: each revision is a commit, each page a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.clients.environments import run
from wikiapi.http.app import make_app
from wikiapi.testing import Edit, live_server, make_site

pytestmark = pytest.mark.slow

PAGES = {
    "Main Page": [Edit("Welcome", comment="begin"), Edit("Welcome to [[Tea]]", user="Ada")],
    "Tea": Edit("A drink.", comment="about tea"),
    "Überblick": Edit("Ä"),
}


@pytest.fixture(scope="module")
def git() -> str:
    """The path of git, where its helper for wikis is installed."""
    path = shutil.which("git")
    if path is None:
        pytest.skip("git is not installed")
    programs = Path(run([path, "--exec-path"], Path.cwd()).strip())
    if not (programs / "git-remote-mediawiki").exists():
        pytest.skip("Git-Mediawiki is not installed")
    return path


def test_a_clone_has_every_revision(git: str, tmp_path: Path) -> None:
    site = make_site(PAGES)
    with live_server(make_app(site)) as base:
        run([git, "clone", "--quiet", f"mediawiki::{base}/w", "wiki"], tmp_path)
    clone = tmp_path / "wiki"
    assert {path.name for path in clone.glob("*.mw")} == {
        *("Main_Page.mw", "Tea.mw", "Überblick.mw"),
    }
    assert (clone / "Main_Page.mw").read_text().strip() == "Welcome to [[Tea]]"
    subjects = run([git, "log", "--format=%s"], clone).splitlines()
    assert len(subjects) == 4
    assert {"begin", "about tea"} <= set(subjects)
    site.db.close()
