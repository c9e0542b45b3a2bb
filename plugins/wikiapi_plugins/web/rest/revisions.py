"""``/v1/revision/{id}``: a revision, and comparisons of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import accumulate, zip_longest
from typing import Any

from wikiapi.rest import RestCall, RestError, RestParam, RestReply, Route
from wikiapi.texts import byte_length
from wikiapi_plugins.shared.diffs.hunks import hunks
from wikiapi_plugins.shared.diffs.sequences import Effort
from wikiapi_plugins.shared.diffs.words import compared_words
from wikiapi_plugins.web.rest.documents import cache_of, html_of, html_reply
from wikiapi_plugins.web.rest.history import author, size_deltas
from wikiapi_plugins.web.rest.pages import (
    LICENSE,
    REVISION,
    REVISION_WITH_TEXT,
    key_of,
    source_of,
)

_ID = RestParam("id", is_integer=True, is_required=True, help="The id of the revision.")


def _find(
    call: RestCall, revision_id: int, properties: str
) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    """Return the page and the revision with an id; ``None`` if there is none."""
    if revision_id < 1:
        return None
    query = call.query(revids=revision_id, prop="info|revisions", rvprop=properties, rvslots="main")
    page = next(iter(query.get("pages", ())), None)
    if page is None or not page.get("revisions"):
        return None
    return page, page["revisions"][0]


def _required(
    call: RestCall, properties: str = REVISION
) -> tuple[Mapping[str, Any], Mapping[str, Any], dict[str, Any]]:
    """Return the page and the revision that a request names, and what all forms begin with.

    Raises:
        RestError: there is no such revision.
    """
    if (pair := _find(call, call.values["id"], properties)) is None:
        raise RestError(HTTPStatus.NOT_FOUND, "rest-nonexistent-revision", str(call.values["id"]))
    page, row = pair
    data = {
        "id": row["revid"],
        "size": row["size"],
        "minor": row["minor"],
        "timestamp": row["timestamp"],
        "content_model": row.get("slots", {}).get("main", {}).get("contentmodel", ""),
        "page": {"id": page["pageid"], "key": key_of(page["title"]), "title": page["title"]},
        "license": LICENSE,
        "user": author(row),
        "comment": row.get("comment"),
        "delta": size_deltas(call, [row])[row["revid"]],
    }
    return page, row, data


class Revision(Route):
    """A revision and its source."""

    path = "/v1/revision/{id}"
    params = (_ID,)
    examples = ("/v1/revision/1",)

    def get(self, call: RestCall) -> RestReply:
        """Return the revision with its source."""
        _, row, data = _required(call, REVISION_WITH_TEXT)
        data["source"] = source_of(row)
        return RestReply(data, cache_of(row), row["timestamp"])


class BareRevision(Route):
    """A revision without its text."""

    path = "/v1/revision/{id}/bare"
    params = (_ID,)
    examples = ("/v1/revision/1/bare",)

    def get(self, call: RestCall) -> RestReply:
        """Return the revision with the address of its HTML."""
        _, row, data = _required(call)
        data["html_url"] = call.address(f"/v1/revision/{row['revid']}/html")
        return RestReply(data, cache_of(row), row["timestamp"])


class RevisionHtml(Route):
    """The HTML of a revision."""

    path = "/v1/revision/{id}/html"
    params = (_ID,)
    examples = ("/v1/revision/1/html",)

    def get(self, call: RestCall) -> RestReply:
        """Return the revision as an HTML document."""
        page, row, _ = _required(call, REVISION_WITH_TEXT)
        return html_reply(call, html_of(call, page, row, source_of(row)), page, row)


class RevisionWithHtml(Route):
    """A revision with its HTML."""

    path = "/v1/revision/{id}/with_html"
    params = (_ID,)
    examples = ("/v1/revision/1/with_html",)

    def get(self, call: RestCall) -> RestReply:
        """Return the revision with its HTML."""
        page, row, data = _required(call, REVISION_WITH_TEXT)
        data["html"] = html_of(call, page, row, source_of(row))
        return RestReply(data, cache_of(row), page["touched"])


class Comparison(Route):
    """The differences between two revisions of a page."""

    path = "/v1/revision/{from}/compare/{to}"
    params = (
        RestParam("from", is_integer=True, is_required=True, help="The id of a revision."),
        RestParam("to", is_integer=True, is_required=True, help="The id of the other."),
    )
    examples = ("/v1/revision/1/compare/2",)

    def get(self, call: RestCall) -> RestReply:
        """Return the lines of both revisions, with what was added, removed and moved."""
        sides = {}
        for name in ("from", "to"):
            if (pair := _find(call, call.values[name], REVISION_WITH_TEXT)) is None:
                raise RestError(HTTPStatus.NOT_FOUND, "rest-compare-nonexistent", name)
            sides[name] = pair
        if sides["from"][0]["pageid"] != sides["to"][0]["pageid"]:
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-compare-page-mismatch")
        texts = {name: source_of(row) for name, (_, row) in sides.items()}
        data: dict[str, Any] = {
            name: {
                "id": row["revid"],
                "slot_role": "main",
                "sections": _sections(call, row["revid"]),
            }
            for name, (_, row) in sides.items()
        }
        data["diff"] = list(_compared_lines(texts["from"], texts["to"]))
        return RestReply(data)


def _sections(call: RestCall, revision_id: int) -> list[dict[str, Any]]:
    """Return the headings of a revision, and the bytes before each."""
    answer = call.ask(action="parse", oldid=revision_id, prop="sections")
    return [
        {"level": int(section["level"]), "heading": section["line"], "offset": offset}
        for section in answer.data.get("parse", {}).get("sections", ())
        if (offset := section["byteoffset"]) is not None
    ]


# Comparisons of two texts by line. Offsets and lengths are in bytes.


_SAME, _ADDED, _REMOVED, _CHANGED = 0, 1, 2, 3
_INSERTION, _DELETION = 0, 1
_Line = dict[str, Any]


def _compared_lines(one: str, other: str) -> Iterator[_Line]:
    """Yield the lines of two texts that differ, and those around them."""
    before, after = one.split("\n"), other.split("\n")
    starts, ends, effort = _offsets(before), _offsets(after), Effort()
    for hunk in hunks(before, after, effort):
        for edit in hunk.edits:
            pairs = zip_longest(range(edit.a, edit.a_end), range(edit.b, edit.b_end))
            for old, new in pairs:
                offset = {
                    "from": None if old is None else starts[old],
                    "to": None if new is None else ends[new],
                }
                if new is None:
                    yield {"type": _REMOVED, "text": before[old], "offset": offset}
                    continue
                place = {"lineNumber": new + 1, "text": after[new], "offset": offset}
                if old is None:
                    yield {"type": _ADDED, **place}
                elif edit.is_equal:
                    yield {"type": _SAME, **place}
                else:
                    text, ranges = _merged(before[old], after[new], effort)
                    yield {"type": _CHANGED, **place, "text": text, "highlightRanges": ranges}


def _merged(one: str, other: str, effort: Effort) -> tuple[str, list[dict[str, int]]]:
    """Return two lines as one, and where words were deleted from it or inserted into it."""
    text, at, ranges = "", 0, []
    for is_equal, removed, added in compared_words(one, other, effort):
        parts = [(None, added)] if is_equal else [(_DELETION, removed), (_INSERTION, added)]
        for kind, part in parts:
            length = byte_length(part)
            if kind is not None and length:
                ranges.append({"start": at, "length": length, "type": kind})
            text, at = text + part, at + length
    return text, ranges


def _offsets(lines: Sequence[str]) -> list[int]:
    """Return how many bytes are before each line."""
    return [0, *accumulate(byte_length(line) + 1 for line in lines)]
