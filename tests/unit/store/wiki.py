"""A little wiki: five pages, seven revisions, one of each kind of link."""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Image, OldImage, PageRestrictions, ProtectedTitles
from wikiapi.store.write import counts, search
from wikiapi.store.write.ids import Person, ensure_users
from wikiapi.store.write.links import CategoryLink, LinkWriter, PageLinkSet, RedirectTarget
from wikiapi.store.write.revisions import (
    NewPage,
    NewRevision,
    NewSlot,
    RevisionWriter,
    put_pages,
    sha1_base36,
)

STAMP = "20240101000000"
ADA, GUEST = Person(1, "Ada"), Person(0, "192.0.2.7")


def revision(
    rev_id: int,
    page_id: int,
    text: str,
    person: Person = ADA,
    comment: str = "",
    deleted: int = 0,
    parent_id: int = 0,
) -> NewRevision:
    """Return a revision with a main slot of wikitext."""
    raw = text.encode()
    digest = sha1_base36(raw)
    slot = NewSlot("main", "wikitext", text, len(raw), digest)
    moment = str(int(STAMP) + rev_id)
    return NewRevision(
        rev_id,
        page_id,
        parent_id,
        moment,
        0,
        deleted,
        person,
        comment,
        len(raw),
        digest,
        (slot,),
    )


def page(page_id: int, namespace: int, title: str, latest: int, *, redirect: int = 0) -> NewPage:
    """Return a page of no particular length."""
    return NewPage(
        page_id, namespace, title, redirect, 1, 0.5, STAMP, None, latest, 9, "wikitext", None
    )


PAGES = [
    page(1, 0, "Alpha", 2),
    page(2, 0, "Béta", 3),
    page(3, 0, "Gamma", 4, redirect=1),
    page(4, 10, "Nav", 5),
    page(5, 14, "Letters", 6),
    page(6, 6, "Sun.png", 7),
]

REVISIONS = [
    revision(1, 1, "First.", comment="start"),
    revision(2, 1, "[[Béta]] {{Nav}}", GUEST, "more", parent_id=1),
    revision(3, 2, "A [[File:Sun.png]] in the sky"),
    revision(4, 3, "#REDIRECT [[Alpha#Top]]"),
    revision(5, 4, "<includeonly>nav</includeonly>"),
    revision(6, 5, "__HIDDENCAT__"),
    revision(7, 6, "A picture"),
]

LINKS = [
    PageLinkSet(
        1,
        0,
        templates=[(10, "Nav")],
        pages=[(0, "Béta"), (0, "Missing")],
        categories=[CategoryLink("Letters", "", b"ALPHA", "page", STAMP)],
        external=["https://www.example.org/a?b#c"],
        interwiki=[("mw", "Help:Contents")],
        languages=[("de", "Alpha"), ("fr", "Alpha")],
        properties={"displaytitle": "<i>Alpha</i>", "notoc": ""},
    ),
    PageLinkSet(
        2,
        0,
        images=["Sun.png"],
        categories=[CategoryLink("Letters", "x", "X\nBÉTA".encode(), "page", STAMP)],
    ),
    PageLinkSet(3, 0, pages=[(0, "Alpha")], redirect=RedirectTarget(0, "Alpha", "", "Top")),
    PageLinkSet(5, 14, properties={"hiddencat": ""}),
]


def fill(db: Database) -> None:
    """Write it."""
    ensure_users(db, [ADA, GUEST])
    RevisionWriter(db).add(REVISIONS)
    put_pages(db, PAGES)
    LinkWriter(db).replace(LINKS)
    _protect(db)
    _upload(db)
    _delete(db)
    counts.recount_categories(db)
    counts.recount_site(db)
    search.rebuild(db)


def _protect(db: Database) -> None:
    columns = ("pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")
    db.insert_many(PageRestrictions, [(1, "edit", "sysop", 1, "infinity")], columns)
    titles = [(0, "Missing", 1, 1, STAMP, "infinity", "sysop")]
    db.insert_many(ProtectedTitles, titles)


def _upload(db: Database) -> None:
    digest = sha1_base36(b"new")
    kind = ("BITMAP", "image", "png")
    current = ("Sun.png", 3, 10, 20, b'{"data":{}}', 8, *kind, 1, 1, STAMP, digest)
    db.insert_many(Image, [current])
    for number, hidden in ((1, 0), (2, 7)):
        name, moment = f"2023010{number}000000!Sun.png", f"2023010{number}000000"
        old = ("Sun.png", name, 2, 5, 5, 8, 1, 1, moment, b"{}", *kind, hidden, digest)
        db.insert_many(OldImage, [old])


def _delete(db: Database) -> None:
    for rev_id, hidden in ((100, 0), (101, 1)):
        row = (rev_id, 0, "Gone", 1, 1, STAMP, 0, rev_id, hidden, 12, 50, 0, sha1_base36(b"gone"))
        db.insert_many(Archive, [row])
