"""Checks of actions that write, each with its first example."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from peewee import fn

from wikiapi.accounts.groups import all_rights
from wikiapi.accounts.user import Session, User
from wikiapi.api import dispatch, tokens
from wikiapi.api.module import Action, Module
from wikiapi.api.request import ApiRequest
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.pages.links.pending import update_waiting
from wikiapi.site import Site
from wikiapi.store.check.contents import check_categories, check_contents, check_site_stats
from wikiapi.store.check.references import check_references
from wikiapi.store.models import Block, BlockTarget, Logging, RecentChanges, Revision
from wikiapi.temporary import temporary_attribute
from wikiapi.testing.asking import make_context
from wikiapi.testing.conformance.requests import examples_of

_TOKEN = "token"  # noqa: S105 - the name of a parameter
_EXEMPT = frozenset({"ipblock-exempt"})
_BLOCK_ID = 2_000_000_000
_OWN_TABLES = frozenset({"objectcache"})
"""Tables that a refused request may change: counters of rate limits."""


class _Example(NamedTuple):
    """The first example of an action, without its token."""

    action: type[Action]
    params: Mapping[str, str]


def writes_are_guarded(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that the examples of actions that write are refused where they must be.

    That is on a read-only wiki, by GET, without a token, with a wrong one, and for users who may
    only read. A refused request leaves the store as it was.
    """
    for example in _examples(modules):
        before = _digests(site)
        for situation, code in _refusals(site, example):
            if not code:
                yield f"{example.action.name}: not refused {situation}"
        changed = [table for table, digest in _digests(site).items() if before[table] != digest]
        if changed:
            yield f"{example.action.name}: refused requests changed {', '.join(changed)}"


def _refusals(site: Site, example: _Example) -> Iterator[tuple[str, str]]:
    """Yield situations in which an example must be refused, with the code of the error."""
    action, user = example.action, _administrator(site)
    closed = replace(site.config, site=replace(site.config.site, writable=False))
    with temporary_attribute(site, "config", closed):
        yield "on a read-only wiki", _send(site, example, user)
    yield "by GET", _send(site, example, user, method="GET")
    if action.needs_token:
        yield "without a token", _send(site, example, user, token="")
        yield "with a wrong token", _send(site, example, user, token="wrong+\\")  # noqa: S106
    if site.is_writable:
        reader = User("192.0.2.1", frozenset({"read"}))
        yield "for a user who may only read", _send(site, example, reader)


def writes_are_recorded(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that the examples of actions that write leave a store without contradictions.

    What they save is in recent changes, with one entry for each revision or log entry, and the
    counts, references and links agree with it. The wiki must be writable.
    """
    if not site.is_writable:
        return
    for example in _examples(modules):
        before = _newest(site)
        if code := _send(site, example, _administrator(site)):
            yield f"{example.action.name}: its example is refused for an administrator: {code}"
            continue
        update_waiting(site)
        for problem in _unrecorded(site, before):
            yield f"{example.action.name}: {problem}"
        namespaces = site.namespaces.content
        for findings in (
            check_contents(site.db),
            check_references(site.db),
            check_site_stats(site.db, namespaces),
            check_categories(site.db),
        ):
            for finding in findings:
                yield f"{example.action.name}: {finding}"


class _Newest(NamedTuple):
    """The highest ids of revisions, log entries and recent changes; 0 if there are none."""

    revision: int
    entry: int
    change: int


def _newest(site: Site) -> _Newest:
    ids = (Revision.rev_id, Logging.log_id, RecentChanges.rc_id)
    return _Newest(*(site.db.scalar(each.model.select(fn.MAX(each))) or 0 for each in ids))


def _unrecorded(site: Site, before: _Newest) -> Iterator[str]:
    """Yield new revisions that recent changes do not have, and those that they have twice.

    A revision that records another change, such as a move, has the entry of the log in its place.
    """
    saved = Revision.select(Revision.rev_id).where(Revision.rev_id > before.revision)
    listed = RecentChanges.select(RecentChanges.rc_this_oldid, RecentChanges.rc_logid)
    changes = site.db.execute(listed.where(RecentChanges.rc_id > before.change))
    own = [revision for revision, log_id in changes if not log_id]
    is_logged = _newest(site).entry > before.entry
    for (revision,) in site.db.execute(saved):
        if own.count(revision) > 1 or (not own.count(revision) and not is_logged):
            yield f"revision {revision} is {own.count(revision)} times in recent changes"


def blocks_are_enforced(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that blocked users change no pages. The wiki must be writable."""
    if not site.is_writable:
        return
    for example in _examples(modules):
        if not {"title", "titles", "pageid"}.intersection(example.params):
            continue
        with site.db.atomic():
            _block(site, "192.0.2.1")
        newest = _newest(site)
        _send(site, example, User("192.0.2.1", _administrator(site).rights - _EXEMPT))
        if _newest(site).revision != newest.revision:
            yield f"{example.action.name}: a blocked user has changed a page"
        _unblock(site)


def _block(site: Site, address: str) -> None:
    digits = f"{int.from_bytes(bytes(map(int, address.split('.'))), 'big'):08X}"
    site.db.insert_many(
        BlockTarget,
        [(_BLOCK_ID, address, digits, 0, 1)],
        ("bt_id", "bt_address", "bt_ip_hex", "bt_auto", "bt_count"),
    )
    columns = ("bl_id", "bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry")
    row = (_BLOCK_ID, _BLOCK_ID, 1, 1, "20000101000000", "infinity", 1)
    site.db.insert_many(Block, [row], (*columns, "bl_sitewide"))


def _unblock(site: Site) -> None:
    with site.db.atomic():
        site.db.execute_write(Block.delete().where(Block.bl_id == _BLOCK_ID))
        site.db.execute_write(BlockTarget.delete().where(BlockTarget.bt_id == _BLOCK_ID))


def _examples(modules: Iterable[type[Module]]) -> Iterator[_Example]:
    actions: set[type[Action]] = set()
    for module, params in examples_of(modules):
        if issubclass(module, Action) and module.is_write and module not in actions:
            actions.add(module)
            secret = f"{module.prefix}{_TOKEN}"
            yield _Example(module, {k: v for k, v in params.items() if k != secret})


def _administrator(site: Site) -> User:
    """Return a visitor with all rights."""
    return User("192.0.2.7", frozenset(all_rights(site)))


def _send(
    site: Site,
    example: _Example,
    user: User,
    *,
    method: str = "POST",
    token: str | None = None,
) -> str:
    """Return the codes of the errors of a request, with a valid token unless one is given."""
    session, params = Session("c" * 32, key=b"conformance"), dict(example.params)
    action = example.action
    if action.needs_token:
        valid = tokens.issue(session, action.needs_token, site.clock())
        params[f"{action.prefix}{_TOKEN}"] = valid if token is None else token
    request = ApiRequest(method=method, params=params, remote_address=user.name)
    context = make_context(site, request, user)
    context.session = session
    try:
        dispatch.perform(context)
    except (ApiError, ApiErrors) as error:
        return dispatch.fail(context, error)
    return ""


def _digests(site: Site) -> dict[str, str]:
    """Return a digest of the rows of each table."""
    return {
        table: hashlib.sha256(
            repr(sorted(map(repr, site.db.execute_sql(f'SELECT * FROM "{table}"')))).encode()  # noqa: S608
        ).hexdigest()
        for table in sorted(site.db.catalog.tables())
        if table not in _OWN_TABLES
    }
