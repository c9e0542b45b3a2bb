"""Who did something and why, as items say it, and who may see it when it is hidden."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.accounts.user import User
from wikiapi.api.request import ApiRequest
from wikiapi.site import Site
from wikiapi.store.models import Logging
from wikiapi.store.queries.visibility import ACTION, COMMENT, RESTRICTED, TEXT, USER
from wikiapi.testing.asking import make_context
from wikiapi_plugins.query.authorship import (
    comment_data,
    hidden_flags,
    parsed_comments,
    readable_entry_bits,
    readable_revision_bits,
    user_data,
    visible_to,
)

VISITOR = User("192.0.2.1", frozenset({"read"}))
ADMINISTRATOR = User("Ada", frozenset({"read", "deletedhistory", "deletedtext"}), id=1)
READER = User("Bo", frozenset({"read", "deletedhistory"}), id=2)
OVERSIGHTER = User("Cy", frozenset({"deletedhistory", "deletedtext", "suppressrevision"}), id=3)
AUDITOR = User("Di", frozenset({"deletedhistory", "viewsuppressed"}), id=4)
ELSEWHERE = User("Ed", frozenset({"viewsuppressed"}), id=5)
"""May see what is suppressed, but not what is hidden: the first takes the second."""


@pytest.fixture(scope="module")
def site(make_module_site: Callable[..., Site]) -> Site:
    """A wiki with a log entry for each combination of hidden parts."""
    made = make_module_site({"Page": "text"})
    made.db.execute_write(Logging.delete())
    made.db.insert_many(
        Logging,
        [(1 + bits, "move", "move", "20240101000000", 1, 0, "Page", 1, 1, "", bits)
         for bits in range(16)],
    )  # fmt: skip
    return made


@pytest.mark.parametrize(
    ("props", "user_id", "data"),
    [
        ({"user", "userid"}, 3, [("user", "Ada"), ("userid", 3)]),
        ({"user"}, 3, [("user", "Ada")]),
        ({"userid"}, 3, [("userid", 3)]),
        ({"user", "userid"}, 0, [("user", "Ada"), ("userid", 0), ("anon", True)]),
        ({"user"}, 0, [("user", "Ada"), ("anon", True)]),
        ({"comment"}, 3, []),
    ],
)
def test_user(props: set[str], user_id: int, data: list[tuple[str, object]]) -> None:
    others_hidden = TEXT | COMMENT | RESTRICTED
    assert list(user_data(props, others_hidden, user_id, "Ada").items()) == data


def test_id_of_a_user_comes_last_in_items_of_revisions() -> None:
    data = user_data({"user", "userid"}, 0, 0, "192.0.2.1", id_last=True)
    assert list(data.items()) == [("user", "192.0.2.1"), ("anon", True), ("userid", 0)]


@pytest.mark.parametrize("props", [{"user"}, {"userid"}, {"user", "userid"}])
def test_hidden_user(props: set[str]) -> None:
    assert user_data(props, USER, 3, "Ada") == {"userhidden": True}
    assert user_data({"comment"}, USER, 3, "Ada") == {}


@pytest.mark.parametrize(
    ("props", "data"),
    [
        ({"comment", "parsedcomment"}, [("comment", "why"), ("parsedcomment", "<i>why</i>")]),
        ({"comment"}, [("comment", "why")]),
        ({"parsedcomment"}, [("parsedcomment", "<i>why</i>")]),
        ({"user"}, []),
    ],
)
def test_summary(props: set[str], data: list[tuple[str, object]]) -> None:
    others_hidden = TEXT | USER | RESTRICTED
    assert list(comment_data(props, others_hidden, "why", "<i>why</i>").items()) == data


def test_no_summary() -> None:
    assert comment_data({"comment"}, 0, None, "") == {"comment": ""}


@pytest.mark.parametrize("props", [{"comment"}, {"parsedcomment"}, {"comment", "parsedcomment"}])
def test_hidden_summary(props: set[str]) -> None:
    assert comment_data(props, COMMENT, "why", "why") == {"commenthidden": True}
    assert comment_data({"user"}, COMMENT, "why", "why") == {}


@pytest.mark.parametrize(
    ("props", "bits", "notes"),
    [
        ({"user"}, USER, ["userhidden"]),
        ({"userid"}, USER, ["userhidden"]),
        ({"comment"}, COMMENT, ["commenthidden"]),
        ({"parsedcomment"}, COMMENT, ["commenthidden"]),
        ({"user", "comment"}, USER | COMMENT, ["userhidden", "commenthidden"]),
        ({"user", "comment"}, TEXT | RESTRICTED, []),
        ({"comment"}, USER, []),
        ({"user"}, COMMENT, []),
        ({"ids"}, USER | COMMENT, []),
    ],
)
def test_notes_for_who_may_see_what_is_hidden(props: set[str], bits: int, notes: list[str]) -> None:
    assert list(hidden_flags(props, bits)) == [(name, True) for name in notes]


@pytest.mark.parametrize(
    ("user", "entries", "revisions"),
    [
        (VISITOR, 0, 0),
        (READER, ACTION | COMMENT | USER, COMMENT | USER),
        (ADMINISTRATOR, ACTION | COMMENT | USER, TEXT | COMMENT | USER),
        (OVERSIGHTER, 15, 15),
        (AUDITOR, 15, COMMENT | USER | RESTRICTED),
        (ELSEWHERE, RESTRICTED, RESTRICTED),
    ],
    ids=lambda value: value.name if isinstance(value, User) else None,
)
def test_which_parts_a_user_may_see(user: User, entries: int, revisions: int) -> None:
    assert readable_entry_bits(user) == entries
    assert readable_revision_bits(user) == revisions


EVERY = set(range(16))
WITHOUT_USER = {0, 1, 2, 3, 8, 9, 10, 11}
WITHOUT_ACTION = {0, 2, 4, 6, 8, 10, 12, 14}


@pytest.mark.parametrize(
    ("user", "part", "expected"),
    [
        (VISITOR, USER, WITHOUT_USER),
        (VISITOR, ACTION, WITHOUT_ACTION),
        (ELSEWHERE, USER, WITHOUT_USER),
        (ADMINISTRATOR, USER, WITHOUT_USER | {4, 5, 6, 7}),
        (ADMINISTRATOR, ACTION, WITHOUT_ACTION | {1, 3, 5, 7}),
        (OVERSIGHTER, USER, EVERY),
        (AUDITOR, ACTION, EVERY),
    ],
    ids=lambda value: value.name if isinstance(value, User) else None,
)
def test_which_rows_a_filter_finds(user: User, part: int, expected: set[int], site: Site) -> None:
    entries = Logging.select(Logging.log_deleted).where(
        Logging.log_id > 0, *visible_to(user, Logging.log_deleted, part)
    )
    assert {bits for (bits,) in site.db.execute(entries)} == expected


def test_summaries_are_parsed_in_the_order_of_their_items(site: Site) -> None:
    page = site.titles.parse("Page")
    comments = [("one", page), (None, None), ("[[Page|two]]", page)]
    context = make_context(site, ApiRequest({}))
    one, hidden, two = parsed_comments(context, {"parsedcomment"}, iter(comments))
    assert (one, hidden) == ("one", "")
    assert two.startswith("<a ")
    assert ">two</a>" in two
    texts = parsed_comments(context, {"comment"}, comments)
    assert [next(texts) for _ in comments] == ["", "", ""]
