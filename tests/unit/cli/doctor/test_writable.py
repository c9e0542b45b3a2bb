from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from wikiapi.cli.doctor.installation import Installation
from wikiapi.cli.doctor.store import check_writable
from wikiapi.errors import InvalidSetting
from wikiapi.factory import check_writable as refuse_unwritable
from wikiapi.factory import existing_site
from wikiapi.store.check import Severity
from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog
from wikiapi.store.schema import migrate
from wikiapi.testing import make_site

Installed = Callable[..., Installation]
WRITABLE = "[site]\nwritable = true\n[database]\nurl = 'sqlite:///wiki.sqlite'\n"


@pytest.fixture
def installation(installation_of: Installed, request: pytest.FixtureRequest) -> Installation:
    """Return an installation with a store of this folder; a MediaWiki's own if so named."""
    made = installation_of(WRITABLE + getattr(request, "param", ""))
    assert made.path
    store = made.path.parent / "wiki.sqlite"
    make_site({"Main Page": "x"}, path=store).db.close()
    return made


def become_mediawiki(installation: Installation) -> None:
    """Remove what tells a store of wikiapi from a database of MediaWiki."""
    assert installation.config
    with closing(Database(installation.config.database.url)) as db:
        db.execute_write(UpdateLog.delete())
        assert migrate.version(db) == 0


def test_a_store_of_wikiapi_can_be_written(installation: Installation) -> None:
    assert list(check_writable(installation)) == []
    assert installation.config
    with existing_site(installation.config) as site:
        refuse_unwritable(site)
        assert site.is_writable


def test_a_mediawiki_database_is_never_written(installation: Installation) -> None:
    become_mediawiki(installation)
    (finding,) = check_writable(installation)
    assert finding.severity is Severity.ERROR
    assert "this is a MediaWiki database" in finding.problem
    assert installation.config
    with (
        existing_site(installation.config) as site,
        pytest.raises(InvalidSetting, match=r"site\.writable is set, but this is a MediaWiki"),
    ):
        refuse_unwritable(site)


@pytest.mark.parametrize("installation", ["read_only = true\n"], indirect=True)
def test_a_database_that_is_opened_read_only_is_worth_a_warning(
    installation: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    (finding,) = check_writable(installation)
    assert finding.severity is Severity.WARNING
    assert "database.read_only" in finding.problem
    assert installation.config
    with existing_site(installation.config) as site:
        refuse_unwritable(site)
    assert "site.writable has no effect" in caplog.text
