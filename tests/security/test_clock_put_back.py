"""Row 83: the clock was wrong, and is put back by years."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugins.editing.users.acting import Acting, writable_site
from wikiapi.accounts import authentication, rates
from wikiapi.accounts.rates import RateLimit
from wikiapi.api import ApiRequest
from wikiapi.http.app import make_app
from wikiapi.pages.changelog import Changelog
from wikiapi.site import Site
from wikiapi.store.models import Revision, User
from wikiapi.testing import ApiClient, Clock
from wikiapi.testing.asking import make_context

PASSWORD = "Ada-password"


@pytest.fixture
def site(clock: Clock) -> Iterator[Site]:
    made = writable_site(clock=clock)
    yield made
    made.db.close()


def log_in(client: ApiClient, password: str = PASSWORD) -> str:
    token = client.get(action="query", meta="tokens", type="login")["query"]["tokens"]
    fields = {"lgname": "Ada", "lgpassword": password, "lgtoken": token["logintoken"]}
    return client.post({"action": "login", **fields})["login"]["result"]


def who(client: ApiClient) -> str:
    return client.get(action="query", meta="userinfo")["query"]["userinfo"]["name"]


def put_back(clock: Clock) -> None:
    clock.advance(days=-3650)


def test_failed_logins_do_not_lock_an_account_out_for_years(site: Site, clock: Clock) -> None:
    for _ in range(6):
        rates.login_failed(site, "Ada", "192.0.2.1")
    assert rates.login_wait(site, "Ada", "192.0.2.1") > 0
    put_back(clock)
    assert rates.login_wait(site, "Ada", "192.0.2.1") == 0
    for _ in range(6):
        rates.login_failed(site, "Ada", "192.0.2.1")
    assert 0 < rates.login_wait(site, "Ada", "192.0.2.1") <= rates.LOGIN[0].seconds


def test_rate_limits_end(site: Site, clock: Clock) -> None:
    limit = RateLimit(1, 60)
    assert [rates.hit(site, "x", limit) for _ in range(2)] == [False, True]
    put_back(clock)
    assert [rates.hit(site, "x", limit) for _ in range(2)] == [False, True]


def test_sessions_do_not_last_for_years(site: Site, clock: Clock) -> None:
    client = ApiClient(make_app(site))
    assert log_in(client) == "Success"
    assert who(client) == "Ada"
    put_back(clock)
    assert who(client) != "Ada"
    assert log_in(client) == "Success"
    assert who(client) == "Ada"


def test_a_clock_that_another_machine_has_a_little_ahead_ends_no_session(
    site: Site, clock: Clock
) -> None:
    client = ApiClient(make_app(site))
    log_in(client)
    clock.advance(seconds=-30)
    assert who(client) == "Ada"


def test_temporary_passwords_end_and_can_be_replaced(site: Site, clock: Clock) -> None:
    user_id = 2
    generated = authentication.new_temporary_password()
    authentication.set_temporary_password(site, [user_id], generated)
    temporary = generated.text
    made = site.db.scalar(User.select(User.user_newpass_time).where(User.user_id == user_id))
    assert authentication.was_made_lately(site, made)
    assert authentication.by_temporary_password(site, "Ada", temporary)
    put_back(clock)
    assert not authentication.was_made_lately(site, made)
    assert authentication.by_temporary_password(site, "Ada", temporary) is None


def test_a_revision_is_not_older_than_its_parent(site: Site, clock: Clock) -> None:
    put_back(clock)
    changelog = Changelog(make_context(site, ApiRequest()).performer)
    newest = Revision.select(Revision.rev_id, Revision.rev_timestamp)
    revision_id, timestamp = site.db.row(newest.order_by(Revision.rev_id.desc())) or (0, "")
    assert changelog.moment < timestamp
    assert changelog.moment_after(revision_id) == timestamp
    assert changelog.moment_after(0) == changelog.moment
    clock.advance(days=3650)
    later = Changelog(make_context(site, ApiRequest()).performer)
    assert later.moment_after(revision_id) == later.moment > timestamp


def test_a_page_edited_after_that_keeps_the_order_of_its_revisions(
    site: Site, clock: Clock
) -> None:
    ada = Acting(site, "Ada")
    ada.do("edit", title="Home", text="before")
    put_back(clock)
    Acting(site, "Ada").do("edit", title="Home", text="after")
    rows = site.db.execute(
        Revision.select(Revision.rev_id, Revision.rev_timestamp).order_by(
            Revision.rev_timestamp, Revision.rev_id
        )
    )
    ids = [revision_id for revision_id, _ in rows]
    assert ids == sorted(ids)
