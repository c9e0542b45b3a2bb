"""``/v1/page/{title}/history``: the revisions of a page, and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.accounts import groups_with, not_expired
from wikiapi.api import compact
from wikiapi.rest import RestCall, RestError, RestParam, RestReply, Route
from wikiapi.site import Site
from wikiapi.store.models import Actor, ChangeTag, ChangeTagDef, Revision, User, UserGroups
from wikiapi.store.queries import revisions
from wikiapi_plugins.web.rest.pages import TITLE, PageData, encoded, find_page, normalized

_REVERTS = ("mw-rollback", "mw-undo", "mw-manual-revert")
"""The tags of revisions that revert others."""
_REVISIONS_PER_PAGE = 20
_COUNT_CACHE = "max-age=60"
_HIDDEN_TEXT = 1
_HIDDEN_USER = 4
_REVISION = "ids|timestamp|flags|size|user|userid|comment"
_RevisionId = int


def _without(hidden: int) -> Any:
    """Return the condition that nothing of this is hidden of a revision."""
    return Revision.rev_deleted.bin_and(hidden) == 0


def _by_visitors(_: Site) -> Sequence[Any]:
    return Actor.actor_user.is_null(), _without(_HIDDEN_USER)


def _by_bots(site: Site) -> Sequence[Any]:
    groups = UserGroups.ug_group.in_(sorted(groups_with(site, ["bot"])))
    bots = UserGroups.select(UserGroups.ug_user).where(groups, not_expired(compact(site.clock())))
    return Actor.actor_user.in_(bots), _without(_HIDDEN_USER)


def _minor(_: Site) -> Sequence[Any]:
    return (Revision.rev_minor_edit != 0,)


def _reverting(_: Site) -> Sequence[Any]:
    tagged = (
        ChangeTag.select(ChangeTag.ct_rev_id)
        .join_from(ChangeTag, ChangeTagDef, on=(ChangeTag.ct_tag_id == ChangeTagDef.ctd_id))
        .where(ChangeTagDef.ctd_name.in_(_REVERTS))
    )
    return (Revision.rev_id.in_(tagged),)


def _by_temporary_accounts(_: Site) -> Sequence[Any]:
    temporary = User.select(User.user_id).where(User.user_is_temp == 1)
    return Actor.actor_user.in_(temporary), _without(_HIDDEN_USER)


def _all(_: Site) -> Sequence[Any]:
    return ()


_Filter = Callable[[Site], Sequence[Any]]
"""Returns the conditions of a filter; queries must join ``actor``."""
_FILTERS: Mapping[str, _Filter] = MappingProxyType(
    {"anonymous": _by_visitors, "bot": _by_bots, "reverted": _reverting, "minor": _minor}
)


class _Kind(NamedTuple):
    """A kind of number: what is counted, and the greatest number that is told."""

    conditions: _Filter
    most: int
    hidden: int = _HIDDEN_TEXT
    """What may not be hidden of a revision that counts."""
    counts_authors: bool = False
    may_be_between: bool = False
    """Whether the revisions between two can be counted."""


_ANONYMOUS = _Kind(_by_visitors, 10_000)
_BOT = _Kind(_by_bots, 10_000)
_REVERTING = _Kind(_reverting, 30_000)
_EDITORS = _Kind(_all, 25_000, _HIDDEN_USER, counts_authors=True, may_be_between=True)
_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "anonymous": _ANONYMOUS,
        "temporary": _Kind(_by_temporary_accounts, 10_000),
        "bot": _BOT,
        "editors": _EDITORS,
        "edits": _Kind(_all, 30_000, may_be_between=True),
        "minor": _Kind(_minor, 1_000),
        "reverted": _REVERTING,
        "anonedits": _ANONYMOUS,
        "botedits": _BOT,
        "revertededits": _REVERTING,
    }
)
_OLD_KINDS = ("anonedits", "botedits", "revertededits")
"""The old names of kinds."""
_REFERENCE = "https://www.mediawiki.org/wiki/API:REST_API/Reference"
_DEPRECATED = (
    ("Deprecation", 'version="v1"'),
    ("Link", f'<{_REFERENCE}#Get_page_history_counts>; rel="deprecation"'),
)


class History(Route):
    """The revisions of a page, 20 at a time."""

    path = "/v1/page/{title}/history"
    params = (
        TITLE,
        RestParam("older_than", is_integer=True, help="Only revisions before this one."),
        RestParam("newer_than", is_integer=True, help="Only revisions after this one."),
        RestParam("filter", values=tuple(_FILTERS), help="Only revisions of this kind."),
    )
    examples = ("/v1/page/Jupiter/history?filter=minor",)

    def get(self, call: RestCall) -> RestReply:
        """Return the revisions, the newest first, and the addresses of those before and after."""
        older_than, newer_than = call.values["older_than"], call.values["newer_than"]
        if older_than is not None and newer_than is not None:
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-pagehistory-incompatible-params")
        if min(number for number in (older_than, newer_than, 1) if number is not None) < 1:
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-pagehistory-param-range-error")
        current = find_page(call)
        if moved := normalized(call, current.page["title"], below="/history"):
            return moved
        boundary = older_than or newer_than
        moment = _moment(call, current, boundary) if boundary else ""
        query = Revision.select(Revision.rev_id).join_from(
            Revision, Actor, on=(Revision.rev_actor == Actor.actor_id)
        )
        conditions = [Revision.rev_page == current.page["pageid"]]
        if name := call.values["filter"]:
            conditions += _FILTERS[name](call.site)
        time, number = Revision.rev_timestamp, Revision.rev_id
        if older_than:
            conditions.append((time < moment) | ((time == moment) & (number < older_than)))
        if newer_than:
            conditions.append((time > moment) | ((time == moment) & (number > newer_than)))
        order = (time, number) if newer_than else (time.desc(), number.desc())
        rows = query.where(*conditions).order_by(*order).limit(_REVISIONS_PER_PAGE + 1)
        # One more than are listed, if there are more.
        ids = [rev_id for (rev_id,) in call.read(rows)]
        listed = ids[:_REVISIONS_PER_PAGE]
        if newer_than:
            listed.reverse()
        has_older = bool(listed) if newer_than else len(ids) > len(listed)
        has_newer = len(ids) > len(listed) if newer_than else bool(older_than and listed)
        data = {
            "revisions": _items(call, listed),
            **({"newer": self._address(call, current, newer_than=listed[0])} if has_newer else {}),
            **({"older": self._address(call, current, older_than=listed[-1])} if has_older else {}),
            "latest": self._address(call, current),
        }
        return RestReply(data, modified=current.revision["timestamp"])

    def _address(self, call: RestCall, current: PageData, **bounds: int) -> str:
        path = f"/v1/page/{encoded(current.key)}/history"
        return call.address(path, {"filter": call.values["filter"], **bounds})


def _moment(call: RestCall, current: PageData, revision_id: int) -> str:
    """Return the timestamp of a revision of the page.

    Raises:
        RestError: the page has no such revision.
    """
    query = Revision.select(Revision.rev_timestamp)
    own = query.where(Revision.rev_id == revision_id, Revision.rev_page == current.page["pageid"])
    rows = call.read(own)
    if not rows:
        title = call.text("title")
        raise RestError(
            HTTPStatus.NOT_FOUND, "rest-nonexistent-title-revision", str(revision_id), title
        )
    moment: str = rows[0][0]
    return moment


def _items(call: RestCall, ids: Sequence[_RevisionId]) -> list[dict[str, Any]]:
    """Return what the API tells about revisions, in their order."""
    if not ids:
        return []
    query = call.query(revids="|".join(map(str, ids)), prop="revisions", rvprop=_REVISION)
    rows = {row["revid"]: row for page in query["pages"] for row in page["revisions"]}
    deltas = size_deltas(call, list(rows.values()))
    return [
        {
            "id": number,
            "timestamp": rows[number]["timestamp"],
            "minor": rows[number]["minor"],
            "size": rows[number]["size"],
            "comment": rows[number].get("comment"),
            "user": author(rows[number]),
            "delta": deltas[number],
        }
        for number in ids
        if number in rows
    ]


def author(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the author of a revision, as the API tells it; ``None`` if it is hidden."""
    if "user" not in row:
        return None
    return {"id": row.get("userid") or None, "name": row["user"]}


def size_deltas(call: RestCall, rows: Sequence[Mapping[str, Any]]) -> dict[_RevisionId, int | None]:
    """Return by how many bytes revisions are longer than their parents; ``None`` without one."""
    with call.site.answering():
        lengths = revisions.parent_lengths(call.site.db, {row["parentid"] for row in rows})
    return {
        row["revid"]: row["size"] - lengths[row["parentid"]] if row["parentid"] in lengths else None
        for row in rows
    }


class HistoryCount(Route):
    """The number of a page's revisions of a kind, or of their authors."""

    path = "/v1/page/{title}/history/counts/{type}"
    params = (
        TITLE,
        RestParam("type", values=tuple(_KINDS), is_required=True, help="What is counted."),
        RestParam("from", is_integer=True, help="Count from the revision after this one."),
        RestParam("to", is_integer=True, help="Count to the revision before this one."),
    )
    examples = ("/v1/page/Jupiter/history/counts/edits",)

    def get(self, call: RestCall) -> RestReply:
        """Return the number, and whether there are more than are counted."""
        name = call.text("type")
        # As in MediaWiki, 0 is no revision.
        kind = _KINDS[name]
        bounds = [bound for bound in (call.values["from"], call.values["to"]) if bound]
        number_of_bounds = len(bounds)
        if number_of_bounds == 1 or (number_of_bounds and not kind.may_be_between):
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-pagehistorycount-parameters-invalid")
        current = find_page(call)
        # MediaWiki does not insert the type into the address.
        if moved := normalized(call, current.page["title"], below="/history/counts/{type}"):
            return moved
        counted = Actor.actor_id if kind.counts_authors else Revision.rev_id
        query = (
            Revision.select(counted)
            .distinct()
            .join_from(Revision, Actor, on=(Revision.rev_actor == Actor.actor_id))
        )
        conditions = [
            Revision.rev_page == current.page["pageid"],
            _without(kind.hidden),
            *kind.conditions(call.site),
        ]
        if number_of_bounds:
            first, last = sorted((_moment(call, current, number), number) for number in bounds)
            conditions += [
                (Revision.rev_timestamp > first[0])
                | ((Revision.rev_timestamp == first[0]) & (Revision.rev_id > first[1])),
                (Revision.rev_timestamp < last[0])
                | ((Revision.rev_timestamp == last[0]) & (Revision.rev_id < last[1])),
            ]
        rows = query.where(*conditions).limit(kind.most + 1)
        number = len(call.read(rows))
        data = {"count": min(number, kind.most), "limit": number > kind.most}
        return RestReply(
            data,
            _COUNT_CACHE,
            current.revision["timestamp"],
            has_etag=False,
            headers=_DEPRECATED if name in _OLD_KINDS else (),
        )
