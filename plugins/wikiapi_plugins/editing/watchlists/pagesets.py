"""Page sets for write actions, and the items in their answers for requested non-pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from wikiapi.api import (
    GROUPS,
    Action,
    ErrorFormatter,
    Obj,
    PageSet,
    Params,
    QueryRun,
    title_data,
    write_spellings,
)
from wikiapi.title import SPECIAL

_NO_MODULES = dict.fromkeys(GROUPS)
_SOURCES = ("titles", "pageids", "revids", "generator")


def page_set_params(action: Action) -> list[str]:
    """Return the names of the parameters of a request that select pages."""
    return [action.full(name) for name in _SOURCES if action.p.is_given(name)]


def load_page_set(action: Action) -> tuple[PageSet, QueryRun]:
    """Return the pages that an action's parameters select, and the query that found them.

    Raises:
        ApiError: the parameters contradict each other.
    """
    run = QueryRun(action.context, cast("Params", {**_NO_MODULES, **action.p}))
    page_set = run.load_pages()
    write_spellings(action.context, page_set, with_interwiki=False)
    return page_set, run


def non_page_items(
    action: Action, page_set: PageSet, *, with_missing: bool = False
) -> Iterator[Obj]:
    """Yield an item for each requested title or id that is not a page of this wiki.

    Titles of pages that do not exist are only included ``with_missing``.
    """
    errors = ErrorFormatter(action.context)
    for page in page_set.invalid.values():
        reason = errors.reason(page.reason)
        yield Obj({"title": page.text, "invalidreason": reason, "invalid": True})
    for title in page_set.special.values():
        item: dict[str, Any] = {"ns": title.ns, "title": title.prefixed_text, "special": True}
        if title.ns == SPECIAL and title.text not in action.site.special_pages:
            item["missing"] = True
        yield Obj(item)
    for page_id in page_set.missing_ids:
        yield Obj({"pageid": page_id, "missing": True})
    for revision_id in page_set.missing_revisions:
        yield Obj({"revid": revision_id, "missing": True})
    for title in page_set.missing.values() if with_missing else ():
        yield Obj(title_data(title) | {"missing": True})
    for text, title in page_set.interwiki.items():
        yield Obj({"title": text, "iw": title.interwiki})
