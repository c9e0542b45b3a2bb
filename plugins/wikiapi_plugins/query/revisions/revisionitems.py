"""What the answer says of revisions: one object for each, made in batches.

Whatever the number of revisions, slots, texts, tags and the targets of links in summaries take one
query each, and only if they are asked for. What is hidden is told to be hidden and no more.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import iso_all
from wikiapi.api.result import Arr, Loose
from wikiapi.store import slots
from wikiapi.store.visibility import COMMENT, RESTRICTED, TEXT, USER
from wikiapi_plugins.query.authorship import summary_columns
from wikiapi_plugins.query.columns import flags, hidden, items_of, tag_lists
from wikiapi_plugins.query.revisions.revisioncontent import RevisionContents, hex_sha1

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikiapi.api.query.module import QueryModule
    from wikiapi.store.revisions import RevisionColumns
    from wikiapi.title.title import Title
    from wikiapi_plugins.query.columns import Column
    from wikiapi_plugins.query.revisions.revisionoptions import RevisionOptions

    Item = Callable[[int], dict[str, Any]]

_HIDDEN = frozenset({"userhidden", "commenthidden", "sha1hidden", "texthidden", "slots"})


def revision_items(
    module: QueryModule,
    options: RevisionOptions,
    found: RevisionColumns,
    title_of: Callable[[int], Title],
) -> Item:
    """Read what is asked for about all of the revisions.

    Args:
        module: asks for it.
        options: what is asked for.
        found: the revisions.
        title_of: gives the title of the page of a revision, by its position among them.

    Returns:
        What gives the object of a revision, by its position.
    """
    wanted = options.slots or "roles" in options.props
    of_slots = slots.of_revisions(module.db, found.rev_id) if wanted else {}
    facts = _Facts(module, options.props, found, of_slots, title_of)
    if not options.slots:
        return facts.items().__getitem__
    contents = RevisionContents(module, options, of_slots, found)
    return _with_contents(facts, contents, found, title_of)


def _with_contents(
    facts: _Facts,
    contents: RevisionContents,
    found: RevisionColumns,
    title_of: Callable[[int], Title],
) -> Item:
    """Contents may be long, and so are told only of what is put into the answer."""
    count = len(found.rev_id)
    before, after = items_of(count, facts.before()), items_of(count, facts.after())

    def item(number: int) -> dict[str, Any]:
        content = contents.of(found.row(number), title_of(number))
        told = {**before[number], **content, **after[number]}
        return _finished(told, found.deleted[number])

    return item


class _Facts:
    """What is told of revisions beside their contents."""

    def __init__(
        self,
        module: QueryModule,
        props: frozenset[str],
        found: RevisionColumns,
        of_slots: dict[int, dict[str, slots.SlotRow]],
        title_of: Callable[[int], Title],
    ) -> None:
        """Take what is known of the revisions."""
        self._module = module
        self._props = props
        self._found = found
        self._slots = of_slots
        self._title_of = title_of

    def items(self) -> list[dict[str, Any]]:
        """All of it."""
        deleted = self._found.deleted
        items = items_of(len(deleted), chain(self.before(), self.after()))
        if len(self._props) > 1 and not any(deleted):
            return items
        return list(map(_finished, items, deleted))

    def before(self) -> Iterator[Column]:
        """What stands before the contents."""
        found, props = self._found, self._props
        if "ids" in props:
            yield "revid", found.rev_id
            yield "parentid", found.parent_id
        if "flags" in props:
            yield "minor", flags(found.minor)
        if "timestamp" in props:
            yield "timestamp", iso_all(found.timestamp)
        yield from self._users()
        if "size" in props:
            yield "size", [length or 0 for length in found.length]
        if "sha1" in props:
            yield "sha1hidden", hidden(found.deleted, TEXT)
            yield "sha1", self._hashes()
        if "roles" in props:
            yield "roles", [Arr(self._slots.get(number, ()), "role") for number in found.rev_id]

    def after(self) -> Iterator[Column]:
        """What stands after them."""
        found, module = self._found, self._module
        yield from summary_columns(
            module.site, self._props, found.comment, found.deleted, self._title_of
        )
        if "tags" in self._props:
            yield "tags", tag_lists(module.db, found.rev_id)

    def _users(self) -> Iterator[Column]:
        found, props = self._found, self._props
        if props.isdisjoint(("user", "userid")):
            return
        yield "userhidden", hidden(found.deleted, USER)
        if "user" in props:
            yield "user", found.user_name
        yield "anon", [True if user_id == 0 else None for user_id in found.user_id]
        if "userid" in props:
            yield "userid", found.user_id

    def _hashes(self) -> list[str | None]:
        pairs = zip(self._found.sha1, self._found.deleted, strict=True)
        return [None if bits & TEXT else hex_sha1(sha1 or "") for sha1, bits in pairs]


def _finished(item: dict[str, Any], bits: int) -> dict[str, Any]:
    """An object with what depends on all that it tells; ``bits`` are those of visibility.

    Most need no notes. A single fact may be one that version 1 leaves out: then it is loose.
    """
    if bits & RESTRICTED and bits & (TEXT | COMMENT | USER) and not _HIDDEN.isdisjoint(item):
        item["suppressed"] = True
    is_plain = len(item) > 1 and "content" not in item
    return item if is_plain else Loose(item, content="content")
