"""Who did something and what they said about it, as lists of changes tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.visibility import COMMENT, USER, is_hidden
from wikiapi.wikitext.comment import format_comments

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wikiapi.site import Site
    from wikiapi.title.title import Title


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
            seen = [(n, text, page) for n, (text, page) in enumerate(summaries) if text is not None]
            markup = format_comments(site, [(text, page) for _, text, page in seen])
            self._html = {entry[0]: html for entry, html in zip(seen, markup, strict=True)}

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
