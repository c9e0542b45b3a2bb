"""Who sees what of rows whose parts are hidden."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from wikiapi.store.database import Database
from wikiapi.store.models import Block, BlockTarget, User
from wikiapi.store.queries import files, logs, recentchanges, revisions
from wikiapi.store.queries.visibility import (
    ACTION,
    COMMENT,
    RESTRICTED,
    TEXT,
    USER,
    is_hidden,
    user_is_not_hidden,
)
from wikiapi.store.write.ids import Person, ensure_users

AUTHOR, SUMMARY = {"user_id", "user_name"}, {"comment"}
REVISION = (7, 1, "20240101000000", 0, 0, 9, 6, "sha", 3, "Ada", "why")
ENTRY = (7, "delete", "delete", "20240101000000", 0, "Gone", 1, "a:0:{}", 0, 3, "Ada", "why")
CHANGE = recentchanges.ChangeRow(
    *(7, "20240101000000", 0, "Gone", 0, 0, 1, 8, 9, 3, "mw.log", 0, 10, 11, 0, 12),
    *("delete", "delete", "a:0:{}", 3, "Ada", "why"),
)
OLD_FILE = (
    *("Sun.png", "1!Sun.png", 3, 10, 20, 8, "BITMAP", "image", "png", "20240101000000", "sha", 0),
    *(b"{}", 3, "Ada", "why"),
)
DELETED_FILE = (
    *(1, "Sun.png", None, "20240101000000", 3, 10, 20, 8, "BITMAP", "image", "png", 0, "sha"),
    *(b"{}", 3, "Ada", "why"),
)
PLACE_OF_ENTRY = {"namespace", "title", "page_id", "params"}


class Hidden(NamedTuple):
    """The bits of a row, those that the reader may see, what is missing, and what is noted."""

    bits: int
    allowed: int
    parts: set[int]
    readable: int


ADMINISTRATOR = TEXT | COMMENT | USER
OVERSIGHTER = ADMINISTRATOR | RESTRICTED
CASES = {
    "nothing": Hidden(0, 0, set(), 0),
    "nothing, from an administrator": Hidden(0, ADMINISTRATOR, set(), 0),
    "the text": Hidden(TEXT, 0, {TEXT}, 0),
    "the summary": Hidden(COMMENT, 0, {COMMENT}, 0),
    "the user": Hidden(USER, 0, {USER}, 0),
    "everything": Hidden(7, 0, {TEXT, COMMENT, USER}, 0),
    "the text, from an administrator": Hidden(TEXT, ADMINISTRATOR, set(), TEXT),
    "the summary, from an administrator": Hidden(COMMENT, ADMINISTRATOR, set(), COMMENT),
    "the user, from an administrator": Hidden(USER, ADMINISTRATOR, set(), USER),
    "everything, from one who may see summaries": Hidden(7, COMMENT, {TEXT, USER}, COMMENT),
    "suppressed text": Hidden(TEXT | RESTRICTED, 0, {TEXT}, 0),
    "suppressed text, from an administrator": Hidden(TEXT | RESTRICTED, ADMINISTRATOR, {TEXT}, 0),
    "everything suppressed, from an administrator": Hidden(
        15, ADMINISTRATOR, {TEXT, COMMENT, USER}, 0
    ),
    "everything suppressed, from an oversighter": Hidden(15, OVERSIGHTER, set(), 15),
    "suppressed user, from who sees suppressed summaries": Hidden(
        USER | COMMENT | RESTRICTED, COMMENT | RESTRICTED, {USER}, COMMENT | RESTRICTED
    ),
}
each_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def missing(row: Any, whole: Any) -> set[str]:
    """Return the fields that are None; what is there is as it was stored."""
    fields = row._asdict()
    gone = {name for name, value in whole._asdict().items() if fields[name] is None is not value}
    kept = {name: value for name, value in fields.items() if name not in (*gone, "readable")}
    assert kept.items() <= whole._asdict().items()
    return gone


def fields_of(case: Hidden, fields: dict[int, set[str]]) -> set[str]:
    return {name for part in case.parts for name in fields[part]}


@each_case
def test_revisions(case: Hidden) -> None:
    whole = revisions.RevisionRow(*REVISION)._replace(deleted=case.bits)
    row = revisions.read(tuple(whole[: len(REVISION)]), case.allowed)
    fields = {TEXT: {"sha1"}, COMMENT: SUMMARY, USER: AUTHOR}
    assert missing(row, whole) == fields_of(case, fields)
    assert row.readable == case.readable


@each_case
def test_log_entries(case: Hidden) -> None:
    whole = logs.LogRow(*ENTRY)._replace(deleted=case.bits)
    row = logs.read(tuple(whole[: len(ENTRY)]), case.allowed)
    fields = {ACTION: PLACE_OF_ENTRY, COMMENT: SUMMARY, USER: AUTHOR}
    assert missing(row, whole) == fields_of(case, fields)
    assert row.readable == case.readable


@pytest.mark.parametrize("source", ["mw.log", "mw.edit"])
@each_case
def test_recent_changes(case: Hidden, source: str) -> None:
    whole = CHANGE._replace(source=source, deleted=case.bits)
    row = recentchanges.read(tuple(whole[: recentchanges.WIDTH]), case.allowed)
    action = {"log_action", *PLACE_OF_ENTRY} if source == "mw.log" else set()
    fields = {ACTION: action, COMMENT: SUMMARY, USER: AUTHOR}
    assert missing(row, whole) == fields_of(case, fields)
    assert row.readable == case.readable


@each_case
def test_earlier_versions_of_files(case: Hidden) -> None:
    whole = files.FileVersion(*OLD_FILE, is_old=True)._replace(deleted=case.bits)
    row = files.read_old(tuple(whole[: len(OLD_FILE)]), case.allowed)
    fields = {TEXT: {"sha1", "metadata"}, COMMENT: SUMMARY, USER: AUTHOR}
    assert missing(row, whole) == fields_of(case, fields)
    assert row.readable == case.readable


@pytest.mark.parametrize("bits", range(16))
def test_deleted_files_hide_from_everybody(bits: int) -> None:
    whole = files.ArchivedFile(*DELETED_FILE)._replace(deleted=bits)
    row = files.read(tuple(whole))
    assert (row.sha1, row.metadata) == (("", None) if bits & TEXT else ("sha", b"{}"))
    assert row.description == (None if bits & COMMENT else "why")
    assert (row.user_id, row.user_name) == ((None, None) if bits & USER else (3, "Ada"))
    assert row[:12] == whole[:12]


@pytest.mark.parametrize("bits", [0, COMMENT])
def test_who_has_no_account_has_the_id_0(bits: int) -> None:
    revision = revisions.RevisionRow(*REVISION)._replace(deleted=bits, user_id=None)
    assert revisions.read(tuple(revision[: len(REVISION)])).user_id == 0
    entry = logs.LogRow(*ENTRY)._replace(deleted=bits, user_id=None)
    assert logs.read(tuple(entry)).user_id == 0
    change = CHANGE._replace(deleted=bits, user_id=None)
    assert recentchanges.read(tuple(change)).user_id == 0
    version = files.FileVersion(*OLD_FILE)._replace(deleted=bits, user_id=None)
    assert files.read_old(tuple(version)).user_id == 0
    file = files.ArchivedFile(*DELETED_FILE)._replace(deleted=bits, user_id=None)
    assert files.read(tuple(file)).user_id == 0


def test_more_columns_of_a_revision_stay_behind_the_others() -> None:
    row = (*REVISION[:8], None, *REVISION[9:], 4, "Title")
    read = revisions.read(row)
    assert (read.user_id, read.user_name, read.namespace, read.title) == (0, "Ada", 4, "Title")


def test_more_columns_are_the_modules_own() -> None:
    assert logs.read((*ENTRY, 99)).readable == 0
    current = (OLD_FILE[0], *OLD_FILE[2:11], *OLD_FILE[12:])
    version = files.read_current((*current, 0, 99))
    assert version == files.FileVersion(*OLD_FILE)._replace(archive_name="")


def test_a_user_is_hidden_by_a_block_that_says_so(wiki: Database) -> None:
    names = ["Ada", "Bo", "Cy", "Di"]
    ensure_users(wiki, [Person(number, name) for number, name in enumerate(names, 1)])
    targets = [(number, number, name) for number, name in enumerate(names[:3], 1)]
    wiki.insert_many(BlockTarget, targets, ("bt_id", "bt_user", "bt_user_text"))
    columns = ("bl_id", "bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry")
    blocks = [(8, 2, 1), (9, 3, 0)]
    rows = [(block, target, 1, 1, "20240101000000", "infinity", hides)
            for block, target, hides in blocks]  # fmt: skip
    wiki.insert_many(Block, rows, (*columns, "bl_deleted"))
    row = User.select(User.user_name).where(user_is_not_hidden(User.user_id))
    assert {name for (name,) in wiki.execute(row)} == {"Ada", "Cy", "Di"}


def test_one_bit_is_not_another() -> None:
    assert is_hidden(COMMENT | USER, USER)
    assert not is_hidden(TEXT | COMMENT, USER)
    assert is_hidden(USER, COMMENT | USER)
