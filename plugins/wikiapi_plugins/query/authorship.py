"""Who did something and what they said about it, as lists of changes tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.visibility import COMMENT, USER, is_hidden
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.query.columns import hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi_plugins.query.columns import Column


def user_facts(
    props: Collection[str], bits: int, user_id: int | None, name: str | None
) -> Mapping[str, Any]:
    """What ``user`` and ``userid`` among ``props`` tell; ``bits`` say whether the user is hidden.

    ``user_id`` is 0 for who has no account.
    """
    if not {"user", "userid"}.intersection(props):
        return {}
    if is_hidden(bits, USER):
        return {"userhidden": True}
    told: dict[str, Any] = {}
    if "user" in props:
        told["user"] = name
    if "userid" in props:
        told["userid"] = user_id
    return told if user_id else told | {"anon": True}


def summary_columns(
    site: Site,
    props: Collection[str],
    texts: Sequence[str | None],
    bits: Sequence[int],
    page_of: Callable[[int], Title | None],
) -> Iterator[Column]:
    """What ``comment`` and ``parsedcomment`` tell of many summaries, of which None are hidden.

    ``page_of`` gives the page that the summary at a position belongs to, for links within it.
    """
    if "comment" in props or "parsedcomment" in props:
        yield "commenthidden", hidden(bits, COMMENT)
    if "comment" in props:
        yield "comment", texts
    if "parsedcomment" in props:
        markup = _as_html(site, texts, page_of)
        yield "parsedcomment", [markup.get(number) for number in range(len(texts))]


def _as_html(
    site: Site, texts: Sequence[str | None], page_of: Callable[[int], Title | None]
) -> dict[int, str]:
    """The summaries that are not hidden, by position; they are made all at once."""
    shown = {number: text for number, text in enumerate(texts) if text is not None}
    markup = format_comments(site, [(text, page_of(number)) for number, text in shown.items()])
    return dict(zip(shown, markup, strict=True))


class Summaries:
    """The summaries of one answer; those that are wanted as HTML are made so all at once."""

    def __init__(
        self,
        site: Site,
        props: Collection[str],
        summaries: Sequence[tuple[str | None, Title | None]],
    ) -> None:
        """Take summaries, each with the page it belongs to; those that are hidden are None."""
        self._tells_text = "comment" in props
        self._tells_html = "parsedcomment" in props
        self._texts = [text for text, _ in summaries]
        self._html: dict[int, str] = {}
        if self._tells_html:
            self._html = _as_html(site, self._texts, lambda number: summaries[number][1])

    def of(self, number: int, bits: int) -> Mapping[str, Any]:
        """What ``comment`` and ``parsedcomment`` tell of the summary at a position."""
        if not (self._tells_text or self._tells_html):
            return {}
        if is_hidden(bits, COMMENT):
            return {"commenthidden": True}
        told = {"comment": self._texts[number] or ""} if self._tells_text else {}
        if self._tells_html:
            told["parsedcomment"] = self._html.get(number, "")
        return told
