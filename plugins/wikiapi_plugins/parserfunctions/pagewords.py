"""What the words about a page have in common: which page they are about, and what it may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.store.pages import PageRow
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState


def named_page(call: FunctionCall, index: int = 0) -> Title | None:
    """The page of this wiki that an argument names, if it names one."""
    title = call.site.titles.try_parse(call.arg(index))
    return title if title and not title.interwiki else None


def may_look_up(title: Title, state: ParseState) -> bool:
    """Whether a page's row may be looked up, or that would be one look-up too many."""
    return state.lookups.knows_page(title) or state.expensive()


def page_row(title: Title, state: ParseState) -> PageRow | None:
    """A page's row; ``None`` also where it may not be looked up."""
    return state.lookups.page(title) if may_look_up(title, state) else None


def current_revision(title: Title, state: ParseState) -> RevisionRow | None:
    """A page's current revision; the page then counts as used, as a template does."""
    row = page_row(title, state)
    if row is None:
        state.output.add_template(title)
        return None
    state.output.add_template(title, row.page_id, row.latest)
    return state.lookups.revision(title)
