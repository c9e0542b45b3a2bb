"""``Special:RunJobs``, which programs ask to do what waits."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from urllib.parse import urlencode

import pytest

from tests.plugins.web.readers import Browser
from wikiapi.store.models import Page
from wikiapi.testing import Wiki
from wikiapi.testing.pytest_plugin import wiki as kit_wiki

KEY = "a key of this test"
PAGES = {"Tea": "[[Milk]] {{Cup}}", "Template:Cup": "[[Water]]"}

wiki = kit_wiki  # Not the fixture of the other tests of the reader.
pytestmark = pytest.mark.wiki(PAGES, config={"http": {"secret_key": KEY}})


def signed_form(wiki: Wiki, key: str = KEY, seconds: int = 60, **more: str) -> Mapping[str, str]:
    """Return a form as programs of MediaWiki's test suite send it."""
    form = {"title": "Special:RunJobs", "maxjobs": "10", "async": "", "stats": "1", "tasks": ""}
    form |= {"sigexpiry": str(int(wiki.site.clock().timestamp()) + seconds), **more}
    text = urlencode(sorted(form.items()))
    return {**form, "signature": hmac.new(key.encode(), text.encode(), hashlib.sha1).hexdigest()}


def wait(wiki: Wiki) -> None:
    wiki.site.db.execute_write(Page.update(page_links_updated=None))


def test_links_that_wait_are_derived(wiki: Wiki) -> None:
    wait(wiki)
    reply = Browser(wiki.site).post(signed_form(wiki))
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json; charset=utf-8")
    answer = json.loads(reply.text)
    assert [job["status"] for job in answer["jobs"]] == ["ok", "ok"]
    assert answer["reached"] == "none-ready"
    waiting = Page.select(Page.page_id).where(Page.page_links_updated.is_null())
    assert wiki.site.db.execute(waiting) == []


def test_the_number_of_jobs_is_limited(wiki: Wiki) -> None:
    wait(wiki)
    answers = [
        json.loads(Browser(wiki.site).post(signed_form(wiki, maxjobs="1")).text) for _ in range(3)
    ]
    reached = [(len(answer["jobs"]), answer["reached"]) for answer in answers]
    assert reached == [(1, "job-limit"), (1, "job-limit"), (0, "none-ready")]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"signature": "0" * 40}, 403),
        ({"signature": "ü"}, 403),
        ({"maxjobs": "11"}, 403),
        ({"sigexpiry": "x"}, 403),
        ({"sigexpiry": None}, 400),
        ({"signature": None}, 400),
        ({"tasks": None}, 400),
    ],
)
def test_only_signed_requests_are_followed(
    wiki: Wiki, change: Mapping[str, str | None], status: int
) -> None:
    wait(wiki)
    form = {
        name: value for name, value in {**signed_form(wiki), **change}.items() if value is not None
    }
    assert Browser(wiki.site).post(form).status == status
    assert wiki.site.db.scalar(Page.select(Page.page_links_updated).limit(1)) is None


def test_signatures_expire(wiki: Wiki) -> None:
    assert Browser(wiki.site).post(signed_form(wiki, seconds=-1)).status == 403


def test_another_key_signs_nothing(wiki: Wiki) -> None:
    assert Browser(wiki.site).post(signed_form(wiki, key="")).status == 403


def test_nothing_is_told_unless_it_is_asked_for(wiki: Wiki) -> None:
    assert Browser(wiki.site).post(signed_form(wiki, stats="")).status == 204
    assert Browser(wiki.site).post(signed_form(wiki, **{"async": "1"})).status == 202


def test_it_is_posted(wiki: Wiki) -> None:
    assert Browser(wiki.site).get("/wiki/Special:RunJobs").status == 400


@pytest.mark.wiki(writable=False)
def test_a_read_only_wiki_has_no_jobs(wiki: Wiki) -> None:
    assert Browser(wiki.site).post(signed_form(wiki)).status == 423


@pytest.mark.wiki(config={"http": {"secret_key": ""}})
def test_without_a_key_nobody_can_sign(wiki: Wiki) -> None:
    assert Browser(wiki.site).post(signed_form(wiki, key="")).status == 403
