from __future__ import annotations

import pytest

from wikiapi.accounts.user import User
from wikiapi.api.calling import call, walk
from wikiapi.errors import RequestFailed, StoreUnavailable
from wikiapi.site import Site

PAGES = {"Tea": "A drink.", "Coffee": "Another.", "Water": "Also."}


pytestmark = pytest.mark.wiki(PAGES, users=["Ada"])


def test_lists_flags_and_names(site: Site) -> None:
    answer = call(site, {"action": "query"}, titles=["Tea", "Coffee"], redirects=True, prop=None)
    assert answer["batchcomplete"] is True
    assert [page["title"] for page in answer["query"]["pages"]] == ["Tea", "Coffee"]


def test_an_answer_is_what_json_has(site: Site) -> None:
    spaces = call(site, {"action": "query", "meta": "siteinfo", "siprop": "namespaces"})
    assert spaces["query"]["namespaces"]["0"]["id"] == 0


def test_an_error_is_raised_with_its_answer(site: Site) -> None:
    with pytest.raises(RequestFailed, match="multisource") as failed:
        call(site, {"action": "query"}, titles="Tea", pageids=1)
    assert failed.value.answer["error"]["code"] == failed.value.code == "multisource"


def test_errors_in_another_format(site: Site) -> None:
    with pytest.raises(RequestFailed) as failed:
        call(site, {"action": "nothing", "errorformat": "plaintext"})
    assert failed.value.info.startswith("Unrecognized value")


def test_other_exceptions_are_those_of_python(own_site: Site) -> None:
    own_site.db.close()
    with pytest.raises(StoreUnavailable):
        call(own_site, {"action": "query", "titles": "Tea"})


def test_an_action_gets_its_token_and_user(own_site: Site) -> None:
    user = User("Ada", frozenset({"read", "edit", "createpage"}), 1)
    saved = call(own_site, {"action": "edit", "title": "Milk", "text": "White."}, user)["edit"]
    assert saved["result"] == "Success"
    page = call(own_site, {"action": "query", "titles": "Milk", "prop": "revisions"})["query"][
        "pages"
    ]
    assert page[0]["revisions"][0]["user"] == "Ada"


def test_walking_follows_continuation(site: Site) -> None:
    answers = list(walk(site, {"action": "query", "list": "allpages", "aplimit": 1}))
    titles = [page["title"] for answer in answers for page in answer["query"]["allpages"]]
    assert titles == sorted(PAGES)
