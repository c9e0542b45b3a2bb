"""Page sets for write actions, and the items in their answers for requested non-pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from wikiapi.api import (
    GROUPS,
    Action,
    ErrorFormatter,
    Obj,
    PageSet,
    Params,
    QueryRun,
    title_data,
)
from wikiapi.title import MAIN, MEDIA

_NO_MODULES = dict.fromkeys(GROUPS)
_SOURCES = ("titles", "pageids", "revids", "generator")


def page_set_params(action: Action) -> list[str]:
    """Return the names of the parameters of a request that select pages."""
    return [action.full(name) for name in _SOURCES if action.p.is_given(name)]


def load_page_set(action: Action, default_namespace: int = MAIN) -> tuple[PageSet, QueryRun]:
    """Return the pages that an action's parameters select, and the query that found them.

    ``default_namespace`` is that of titles without prefix.

    Raises:
        ApiError: the parameters contradict each other.
    """
    params = cast("Params", {**_NO_MODULES, **action.p})
    run = QueryRun(action.context, params, default_namespace)
    return run.load_pages(), run


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
    special = page_set.special.values()
    media = action.site.files.existing(title for title in special if title.ns == MEDIA)
    names = action.site.special_pages
    unknown = [t for t in special if not (t in media if t.ns == MEDIA else t.text in names)]
    for title in unknown:
        yield Obj(title_data(title) | {"special": True, "missing": True})
    for title in special:
        if title not in unknown:
            yield Obj(title_data(title) | {"special": True})
    for page_id in page_set.missing_ids:
        yield Obj({"pageid": page_id, "missing": True})
    for revision_id in page_set.missing_revisions:
        yield Obj({"revid": revision_id, "missing": True})
    for title in page_set.missing.values() if with_missing else ():
        yield Obj(title_data(title) | {"missing": True})
    for text, title in page_set.interwiki.items():
        yield Obj({"title": text, "iw": title.interwiki})
