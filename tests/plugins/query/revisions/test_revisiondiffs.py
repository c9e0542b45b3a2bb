from __future__ import annotations

import pytest

from wikiapi.testing import ask, make_site


@pytest.mark.parametrize(("asked", "shown"), [({}, "~~~"), ({"rvdifftotextpst": "1"}, "127.0.0.1")])
def test_a_text_is_compared_as_saving_it_would_store_it(asked: dict[str, str], shown: str) -> None:
    site = make_site({"Page": "one"})
    params = {"action": "query", "prop": "revisions", "titles": "Page", "rvdifftotext": "two ~~~"}
    page = ask(site, params | asked).data["query"]["pages"][0]
    body = page["revisions"][0]["diff"]["body"]
    assert "one" in body
    assert shown in body
    assert ("~~~" in body) is (shown == "~~~")
    site.db.close()
