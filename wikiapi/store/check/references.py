"""Finds dangling references: rows that refer to missing rows. References are declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from peewee import JOIN, Case, fn

from wikiapi.store.check import Finding, Severity
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    Archive,
    CategoryLinks,
    Collation,
    Comment,
    Content,
    ContentModels,
    ExistenceLinks,
    ExternalLinks,
    Image,
    ImageLinks,
    IwLinks,
    LangLinks,
    LinkTarget,
    Logging,
    Page,
    PageLinks,
    PageProps,
    Redirect,
    Revision,
    SlotRoles,
    Slots,
    TemplateLinks,
    Text,
    User,
)
from wikiapi.store.schema import migrate
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.nodes import AddressId

Owners = Callable[[Database, Iterable[int]], dict[int, Key]]


_KEY = (Page.page_namespace, Page.page_title)
_KEYS = ByValues(Page.select(Page.page_id, *_KEY), Page.page_id)
_KEYS_OF_REVISIONS = ByValues(
    Revision.select(Revision.rev_id, *_KEY).join(Page, on=(Page.page_id == Revision.rev_page)),
    Revision.rev_id,
)
_KEYS_OF_CONTENTS = ByValues(
    Slots.select(Slots.slot_content_id, *_KEY)
    .join(Revision, on=(Revision.rev_id == Slots.slot_revision_id))
    .join(Page, on=(Page.page_id == Revision.rev_page)),
    Slots.slot_content_id,
)


def pages(db: Database, page_ids: Iterable[int]) -> dict[int, Key]:
    """Return the keys of pages by id."""
    return {row[0]: row[1:] for row in _KEYS.rows(db, page_ids)}


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, Key]:
    """Return the keys of the pages that revisions belong to, by revision id."""
    return {row[0]: row[1:] for row in _KEYS_OF_REVISIONS.rows(db, revision_ids)}


def of_contents(db: Database, content_ids: Iterable[int]) -> dict[int, Key]:
    """Return the key of one page that has each content in a revision, by content id."""
    return {row[0]: row[1:] for row in _KEYS_OF_CONTENTS.rows(db, content_ids)}


_REFERENCES = "references"
_IMPORT = "Import the dump again into a new store: this one has lost rows."
_LINKS = "`wikiapi links --all` derives the link tables again."
_HARMLESS = "It is never shown; a new store made from the newest dump does not have it."
_MOST = 1_000


@dataclass(frozen=True)
class Reference:
    """A column that must refer to a row of another table.

    ``source`` is the column that identifies the referring row by a page, revision, content...
    ``kind`` says by which of these, and so how its page is found. ``value`` is the column or
    expression that must equal ``target``. In ``problem``, ``{}`` stands for its value.
    """

    source: Any
    kind: str
    value: Any
    target: Any
    problem: str
    advice: str = _IMPORT
    severity: Severity = Severity.ERROR
    where: Any = None


_OWNERS: dict[str, Owners] = {
    "page": pages,
    "revision": of_revisions,
    "content": of_contents,
}

_STORED_HERE = Content.content_address.startswith("tt:")
# The CASE is needed because some databases convert the addresses of rows that the condition
# excludes as well, and fail if one is not a number.
_TEXT_ID = Case(None, [(_STORED_HERE, AddressId(Content.content_address))])

_LINK_SOURCES = (
    PageLinks.pl_from,
    TemplateLinks.tl_from,
    ImageLinks.il_from,
    CategoryLinks.cl_from,
    ExistenceLinks.exl_from,
    ExternalLinks.el_from,
    LangLinks.ll_from,
    IwLinks.iwl_from,
    Redirect.rd_from,
    PageProps.pp_page,
)
_LINK_TARGETS = (
    (PageLinks.pl_from, PageLinks.pl_target_id),
    (TemplateLinks.tl_from, TemplateLinks.tl_target_id),
    (CategoryLinks.cl_from, CategoryLinks.cl_target_id),
    (ExistenceLinks.exl_from, ExistenceLinks.exl_target_id),
)

REFERENCES: tuple[Reference, ...] = (
    Reference(
        Page.page_id,
        "page",
        Page.page_latest,
        Revision.rev_id,
        "the latest revision {} does not exist",
    ),
    Reference(
        Revision.rev_id,
        "revision",
        Revision.rev_page,
        Page.page_id,
        "the page {} does not exist",
        _HARMLESS,
        Severity.WARNING,
    ),
    Reference(
        Revision.rev_id, "revision", Revision.rev_id, Slots.slot_revision_id, "it has no slots"
    ),
    Reference(
        Revision.rev_id,
        "revision",
        Revision.rev_actor,
        Actor.actor_id,
        "the author {} does not exist",
    ),
    Reference(
        Revision.rev_id,
        "revision",
        Revision.rev_comment_id,
        Comment.comment_id,
        "the summary {} does not exist",
    ),
    Reference(
        Slots.slot_revision_id,
        "revision",
        Slots.slot_role_id,
        SlotRoles.role_id,
        "the slot role {} does not exist",
    ),
    Reference(
        Slots.slot_revision_id,
        "revision",
        Slots.slot_content_id,
        Content.content_id,
        "the content {} does not exist",
    ),
    Reference(
        Content.content_id,
        "content",
        Content.content_model,
        ContentModels.model_id,
        "the content model {} does not exist",
    ),
    Reference(
        Content.content_id,
        "content",
        _TEXT_ID,
        Text.old_id,
        "the text {} does not exist",
        where=_STORED_HERE,
    ),
    Reference(
        Archive.ar_id,
        "deleted revision",
        Archive.ar_actor,
        Actor.actor_id,
        "the author {} does not exist",
    ),
    Reference(
        Logging.log_id,
        "log entry",
        Logging.log_actor,
        Actor.actor_id,
        "the author {} does not exist",
    ),
    Reference(
        Logging.log_id,
        "log entry",
        Logging.log_comment_id,
        Comment.comment_id,
        "the reason {} does not exist",
    ),
    Reference(
        Image.img_name, "file", Image.img_actor, Actor.actor_id, "the uploader {} does not exist"
    ),
    Reference(
        Actor.actor_id,
        "actor",
        Actor.actor_user,
        User.user_id,
        "the account {} does not exist",
        _HARMLESS,
        Severity.WARNING,
        Actor.actor_user.is_null(False),
    ),
    Reference(
        CategoryLinks.cl_from,
        "page",
        CategoryLinks.cl_collation_id,
        Collation.collation_id,
        "the collation {} does not exist",
        _LINKS,
    ),
    *(
        Reference(source, "page", source, Page.page_id, "it does not exist, but has links", _LINKS)
        for source in _LINK_SOURCES
    ),
    *(
        Reference(
            source, "page", target, LinkTarget.lt_id, "the link target {} does not exist", _LINKS
        )
        for source, target in _LINK_TARGETS
    ),
)


def check_references(db: Database) -> Iterator[Finding]:
    """Yield all dangling references; takes one statement for each. Missing tables are skipped."""
    # A database of an older MediaWiki lacks some tables.
    has_table = cache(partial(migrate.has_table, db))
    for reference in REFERENCES:
        models: list[Any] = [reference.source.model, reference.target.model]
        if all(has_table(model._meta.table_name) for model in models):
            yield from dangling(db, reference)
    # The latest revision of a page can belong to another one.
    query = Page.select(Page.page_namespace, Page.page_title, Page.page_latest, Revision.rev_page)
    query = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    query = query.where(Revision.rev_page != Page.page_id).order_by(Page.page_id).limit(_MOST)
    for namespace, title, latest, owner in db.execute(query):
        problem = f"the latest revision {latest} belongs to page {owner}"
        yield Finding(_REFERENCES, problem, _IMPORT, page=(namespace, title))


def dangling(db: Database, reference: Reference) -> Iterator[Finding]:
    """Yield the rows for which a reference is dangling; beyond 1,000 only their number."""
    columns = (reference.source, reference.value)
    query = _unmatched(reference, *columns).distinct().order_by(reference.source)
    rows = db.execute(query.limit(_MOST))
    find = _OWNERS.get(reference.kind)
    keys = find(db, [row[0] for row in rows]) if find else {}
    table = reference.source.model._meta.table_name
    for source, value in rows:
        named = source in keys and reference.kind == "page"
        yield Finding(
            _REFERENCES,
            f"{reference.problem.format(value)} ({table})",
            reference.advice,
            reference.severity,
            keys.get(source),
            "" if named else f"{reference.kind} {source}",
        )
    if len(rows) == _MOST:
        count = int(db.scalar(_unmatched(reference, fn.COUNT(reference.source)))) - _MOST
        if count > 0:
            problem = f"{count} more rows like these ({table})"
            yield Finding(_REFERENCES, problem, reference.advice, reference.severity, times=count)


def _unmatched(reference: Reference, *columns: Any) -> Any:
    target = reference.target.model.alias("target")
    column = getattr(target, reference.target.name)
    query = reference.source.model.select(*columns)
    query = query.join(target, JOIN.LEFT_OUTER, on=(column == reference.value))
    query = query.where(column.is_null())
    return query if reference.where is None else query.where(reference.where)
