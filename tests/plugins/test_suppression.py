"""What is hidden is said to be hidden, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.plugins.querywiki import SECRET, revision_ids
from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.testing import ask

EVERYTHING = (
    "ids|flags|timestamp|user|userid|size|slotsize|sha1|slotsha1|contentmodel|comment"
    "|parsedcomment|content|tags|roles"
)


@pytest.mark.parametrize("slots", [{"rvslots": "*"}, {}])
def test_revisions(slots: dict[str, str], query_site: Site) -> None:
    params = {"action": "query", "prop": "revisions", "titles": "Suppressed", "rvlimit": "max"}
    answer = ask(query_site, params | {"rvprop": EVERYTHING, **slots}).data
    text = json.dumps(answer)
    assert SECRET not in text
    assert "Secret user" not in text
    newest, first = answer["query"]["pages"][0]["revisions"]
    assert newest["userhidden"]
    assert newest["commenthidden"]
    assert newest["sha1hidden"]
    assert first["user"] == "Ada"
    assert "sha1" not in first


def test_who_is_hidden_is_found_by_no_name(query_site: Site) -> None:
    base = {"action": "query", "prop": "revisions", "titles": "Suppressed", "rvprop": "ids"}
    by_name = ask(query_site, base | {"rvuser": "Secret user"}).data["query"]["pages"][0]
    assert "revisions" not in by_name
    others = ask(query_site, base | {"rvexcludeuser": "Ada"}).data["query"]["pages"][0]
    assert "revisions" not in others


@pytest.mark.parametrize("schema", ["0.10", "0.11"])
def test_export(schema: str, query_site: Site) -> None:
    params = {"action": "query", "titles": "Suppressed", "export": "", "exportschema": schema}
    document = ask(query_site, params).data["query"]["export"]
    assert SECRET not in document
    assert "Secret user" not in document
    assert '<contributor deleted="deleted" />' in document
    assert '<comment deleted="deleted" />' in document
    assert '<text bytes="27" deleted="deleted" />' in document
    assert "<sha1/>" in document


def test_suppressed_is_distinguished_from_deleted(make_query_site: Callable[[], Site]) -> None:
    site = make_query_site()
    newest = revision_ids(site, "Suppressed")[1]
    site.db.execute_write(Revision.update(rev_deleted=4 | 8).where(Revision.rev_id == newest))
    params = {"action": "query", "prop": "revisions", "titles": "Suppressed", "rvprop": "user"}
    revision = ask(site, params).data["query"]["pages"][0]["revisions"][0]
    assert revision == {"userhidden": True, "suppressed": True}
