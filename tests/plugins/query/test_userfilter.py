"""Which revisions the filters by user find, and for whom."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries.visibility import RESTRICTED, USER
from wikiapi.testing import Edit, ask

PAGE = [
    Edit("one", user="Ada"),
    Edit("two", user="Babbage"),
    Edit("three", user="192.0.2.7"),
    Edit("four", user="Ada"),
    Edit("five", user="Ada"),
]
HIDDEN = {4: USER, 5: USER | RESTRICTED}
READERS = {
    "visitor": [],
    "administrator": ["deletedhistory"],
    "oversighter": ["deletedhistory", "viewsuppressed"],
}
MODULES = {
    "revisions": {"prop": "revisions", "titles": "Page", "rvlimit": "max", "rvprop": "ids"},
    "allrevisions": {"list": "allrevisions", "arvlimit": "max", "arvprop": "ids"},
}
PREFIXES = {"revisions": "rv", "allrevisions": "arv"}


@pytest.fixture(scope="module")
def site_of(make_module_site: Callable[..., Site]) -> Callable[[str], Site]:
    """Return a function that returns the wiki as a kind of reader sees it."""

    @cache
    def of(reader: str) -> Site:
        rights = {"permissions": {"anonymous_rights": ["read", *READERS[reader]]}}
        site = make_module_site({"Page": PAGE}, users=["Ada", "Babbage"], config=rights)
        for number, bits in HIDDEN.items():
            hide = Revision.update(rev_deleted=bits).where(Revision.rev_id == number)
            site.db.execute_write(hide)
        return site

    return of


def revids(site: Site, module: str, **params: str) -> set[int]:
    filters = {PREFIXES[module] + name: value for name, value in params.items()}
    query = ask(site, {"action": "query", **MODULES[module], **filters}).data["query"]
    pages = query["pages"] if module == "revisions" else query[module]
    return {revision["revid"] for page in pages for revision in page.get("revisions", [])}


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(
    ("reader", "params", "ids"),
    [
        ("visitor", {}, {1, 2, 3, 4, 5}),
        ("visitor", {"user": "Ada"}, {1}),
        ("visitor", {"user": "#1"}, {1}),
        ("visitor", {"user": "#2"}, {2}),
        ("visitor", {"user": "192.0.2.7"}, {3}),
        ("visitor", {"excludeuser": "Babbage"}, {1, 3}),
        ("visitor", {"excludeuser": "#2"}, {1, 3}),
        ("visitor", {"excludeuser": "Ada"}, {2, 3}),
        ("administrator", {"user": "Ada"}, {1, 4}),
        ("administrator", {"excludeuser": "Babbage"}, {1, 3, 4}),
        ("oversighter", {"user": "Ada"}, {1, 4, 5}),
        ("oversighter", {"excludeuser": "Babbage"}, {1, 3, 4, 5}),
    ],
)
def test_who_is_hidden_is_found_by_who_may_see_it(
    module: str,
    reader: str,
    params: dict[str, str],
    ids: set[int],
    site_of: Callable[[str], Site],
) -> None:
    assert revids(site_of(reader), module, **params) == ids


def error(site: Site, params: dict[str, str]) -> dict[str, Any]:
    answer = ask(site, {"action": "query", "errorformat": "raw", **params}).data
    (only,) = answer["errors"]
    return dict(only)


@pytest.mark.parametrize(
    ("params", "names"),
    [
        (
            {"list": "allrevisions", "arvuser": "Ada", "arvexcludeuser": "Bo"},
            ["arvuser", "arvexcludeuser"],
        ),
        ({"list": "logevents", "letitle": "A", "leprefix": "A"}, ["letitle", "leprefix"]),
        ({"list": "logevents", "letitle": "A", "lenamespace": "0"}, ["letitle", "lenamespace"]),
    ],
)
def test_one_of_them_only(
    params: dict[str, str], names: list[str], site_of: Callable[[str], Site]
) -> None:
    problem = error(site_of("visitor"), params)
    assert (problem["code"], problem["key"]) == ("invalidparammix", "apierror-invalidparammix")
    assert [name["plaintext"] for name in problem["params"][0]["list"]] == names


@pytest.mark.parametrize("params", [{}, {"letitle": "Page"}, {"lenamespace": "0"}])
def test_one_of_them(params: dict[str, str], site_of: Callable[[str], Site]) -> None:
    assert ask(site_of("visitor"), {"action": "query", "list": "logevents", **params}).codes == ""
