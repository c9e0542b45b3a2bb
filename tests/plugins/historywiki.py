"""The wiki that the tests of lists of people and history ask: edits, logs, deleted pages.

Whatever is suppressed holds :data:`SECRET`, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import (
    Actor,
    Archive,
    Block,
    BlockTarget,
    ChangeTag,
    ChangeTagDef,
    Comment,
    Logging,
    Page,
    RecentChanges,
    Revision,
)
from wikiapi.store.queries.visibility import ACTION, COMMENT, RESTRICTED, TEXT, USER
from wikiapi.store.write.ids import Actors, Comments, Person
from wikiapi.testing import DeclaredUser, Edit, make_site
from wikiapi.testing.declaration import History

SECRET = "hidden-from-everybody"
HIDDEN_USER = "Hidden-from-everybody"

PAGES: dict[str, History] = {
    "Alpha": [
        Edit("one", user="Ada", comment="begin", minor=True),
        Edit("one two", user="Babbage", comment="more of [[Beta]]"),
        Edit("one two three", user="192.0.2.7", comment="from an address"),
    ],
    "Beta": [Edit("b", user="Ada"), Edit("bb", user="Ada", comment="/* Head */ second")],
    "Gamma": Edit("#REDIRECT [[Alpha]]", user="Ada"),
    "Talk:Alpha": Edit("talk", user="Babbage"),
    "Suppressed": [
        Edit(f"{SECRET} text", user="Ada", comment="seen"),
        Edit("t", user="Ada", comment=f"{SECRET} comment"),
        Edit("u", user=HIDDEN_USER, comment="by whom?"),
    ],
    "Gone": [
        Edit("gone one", user="Ada", comment="first"),
        Edit("gone two", user="Babbage", comment="second"),
    ],
    "Gone too": [
        Edit("gone too", user="Ada"),
        Edit("x", user=HIDDEN_USER, comment=f"{SECRET} deleted"),
    ],
    "Talk:Gone": Edit("talk of what is gone", user="Ada"),
}
DELETED = ("Gone", "Gone too", "Talk:Gone")
EVENTS = (
    ("create", "create", "Ada", "Alpha", "begin", "a:1:{s:17:\"associated_rev_id\";i:1;}", 0),
    ("move", "move", "Babbage", "Beta", "name of [[Alpha]]",
     'a:2:{s:9:"4::target";s:5:"Omega";s:10:"5::noredir";s:1:"1";}', 0),
    ("block", "block", "Ada", "User:Babbage", "spam",
     'a:2:{s:11:"5::duration";s:6:"3 days";s:8:"6::flags";s:17:"nocreate,noemail,";}', 0),
    ("delete", "delete", "192.0.2.7", "Gone", "bye", "", 0),
    ("delete", "restore", HIDDEN_USER, "Alpha", "why", "", USER),
    ("delete", "delete", "Ada", SECRET, f"{SECRET} reason",
     f'a:1:{{s:9:"4::target";s:21:"{SECRET}";}}', ACTION | COMMENT),
    ("suppress", "delete", "Ada", SECRET, SECRET, SECRET, 0),
)  # fmt: skip
"""Events of the log: type, action, user, page, reason, parameters, what is hidden."""


def history_wiki(config: Mapping[str, Any] | None = None) -> Site:
    """Make it; the caller closes its store."""
    names = ["Ada", "Babbage", HIDDEN_USER]
    site = make_site(PAGES, config=config, users=[DeclaredUser(name) for name in names])
    _suppress(site)
    for title in DELETED:
        _delete(site, title)
    _log(site)
    _change(site)
    _mark(site)
    _hide_user(site)
    return site


def revision_ids(site: Site, title: str) -> list[int]:
    """Return the ids of the revisions of a page, the oldest first."""
    space, key = site.titles.parse(title).key
    query = Revision.select(Revision.rev_id).join(Page, on=(Page.page_id == Revision.rev_page))
    query = query.where(Page.page_namespace == space, Page.page_title == key)
    return [row[0] for row in site.db.execute(query.order_by(Revision.rev_id))]


def _suppress(site: Site) -> None:
    text, comment, user = revision_ids(site, "Suppressed")
    deleted = revision_ids(site, "Gone too")[1]
    bits = {text: TEXT, comment: COMMENT, user: USER, deleted: TEXT | COMMENT | USER | RESTRICTED}
    for revision, hidden in bits.items():
        site.db.execute_write(
            Revision.update(rev_deleted=hidden).where(Revision.rev_id == revision)
        )


def _delete(site: Site, title: str) -> None:
    space, key = site.titles.parse(title).key
    ids = revision_ids(site, title)
    columns = (
        Revision.rev_comment_id, Revision.rev_actor, Revision.rev_timestamp,
        Revision.rev_minor_edit, Revision.rev_id, Revision.rev_deleted, Revision.rev_len,
        Revision.rev_page, Revision.rev_parent_id, Revision.rev_sha1,
    )  # fmt: skip
    rows = site.db.execute(Revision.select(*columns).where(Revision.rev_id.in_(ids)))
    names = (
        "ar_namespace", "ar_title", "ar_comment_id", "ar_actor", "ar_timestamp", "ar_minor_edit",
        "ar_rev_id", "ar_deleted", "ar_len", "ar_page_id", "ar_parent_id", "ar_sha1",
    )  # fmt: skip
    site.db.insert_many(Archive, [(space, key, *row) for row in rows], names)
    site.db.execute_write(Revision.delete().where(Revision.rev_id.in_(ids)))
    site.db.execute_write(
        Page.delete().where((Page.page_namespace == space) & (Page.page_title == key))
    )


def _log(site: Site) -> None:
    actors = _actors(site, (event[2] for event in EVENTS))
    comments = Comments(site.db).ids(event[4] for event in EVENTS)
    names = (
        "log_type", "log_action", "log_timestamp", "log_actor", "log_namespace", "log_title",
        "log_page", "log_comment_id", "log_params", "log_deleted",
    )  # fmt: skip
    rows = [
        (log, action, f"2025020100000{number}", actors[user], *site.titles.parse(page).key, 1,
         comments[comment], params, hidden)
        for number, (log, action, user, page, comment, params, hidden) in enumerate(EVENTS)
    ]  # fmt: skip
    site.db.insert_many(Logging, rows, names)


def _actors(site: Site, names: Iterable[str]) -> dict[str, int]:
    numbers = {"Ada": 1, "Babbage": 2, HIDDEN_USER: 3}
    people = {name: Person(numbers.get(name, 0), name) for name in names}
    ids = Actors(site.db).ids(people.values())
    return {name: ids[person] for name, person in people.items()}


def _change(site: Site) -> None:
    """Add recent changes: one for each live revision, and one for each event of the log."""
    columns = (
        "rc_timestamp", "rc_actor", "rc_namespace", "rc_title", "rc_comment_id", "rc_minor",
        "rc_cur_id", "rc_this_oldid", "rc_last_oldid", "rc_type", "rc_source", "rc_patrolled",
        "rc_new_len", "rc_deleted", "rc_logid", "rc_log_type", "rc_log_action", "rc_params",
    )  # fmt: skip
    edits = (
        Revision.select(
            Revision.rev_timestamp, Revision.rev_actor, Page.page_namespace, Page.page_title,
            Revision.rev_comment_id, Revision.rev_minor_edit, Revision.rev_page, Revision.rev_id,
            Revision.rev_parent_id, Revision.rev_len, Revision.rev_deleted,
        )
        .join(Page, on=(Page.page_id == Revision.rev_page))
        .order_by(Revision.rev_id)
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for *start, parent, length, hidden in site.db.execute(edits):
        kind = (0, "mw.edit") if parent else (1, "mw.new")
        rows.append((*start, parent, *kind, parent % 3, length, hidden, 0, None, None, ""))
    events = Logging.select(
        Logging.log_timestamp, Logging.log_actor, Logging.log_namespace, Logging.log_title,
        Logging.log_comment_id, Logging.log_deleted, Logging.log_id, Logging.log_type,
        Logging.log_action, Logging.log_params,
    ).where(Logging.log_type != "suppress")  # fmt: skip
    for *start, hidden, log_id, log, action, params in site.db.execute(events):
        rows.append((*start, 0, 0, 0, 0, 3, "mw.log", 2, None, hidden, log_id, log, action, params))
    site.db.execute_write(RecentChanges.delete())
    numbered = ((number, *row) for number, row in enumerate(rows, 1))
    site.db.insert_many(RecentChanges, numbered, ("rc_id", *columns))


def _mark(site: Site) -> None:
    names = ("ctd_name", "ctd_user_defined", "ctd_count")
    site.db.insert_many(ChangeTagDef, [("good", 1, 3), ("mw-undo", 0, 1)], names)
    first = revision_ids(site, "Alpha")[0]
    archived = site.db.scalar(Archive.select(Archive.ar_rev_id).order_by(Archive.ar_id))
    marks = [(None, None, first, 1), (1, None, None, 1), (None, 2, None, 1)]
    marks += [(None, None, archived, 1), (None, None, first, 2)]
    site.db.insert_many(ChangeTag, marks, ("ct_rc_id", "ct_log_id", "ct_rev_id", "ct_tag_id"))


def _hide_user(site: Site) -> None:
    site.db.insert_many(BlockTarget, [(3, HIDDEN_USER)], ("bt_user", "bt_user_text"))
    comment = site.db.scalar(Comment.select(Comment.comment_id))
    actor = site.db.scalar(Actor.select(Actor.actor_id).where(Actor.actor_user == 1))
    names = ("bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry", "bl_deleted")
    row = (1, actor, comment, "20250301000000", "infinity", 1)
    site.db.insert_many(Block, [row], names)
