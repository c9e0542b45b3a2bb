"""Automatic edit summaries and change tags."""

from __future__ import annotations

from wikiapi.languages import Plain
from wikiapi.site import Site
from wikiapi.texts import byte_length, cut_comment, trim
from wikiapi.title import Title

_LONGEST = 200
_REPLACED_BELOW = 0.1
_SPACES = str.maketrans("\r\n", "  ")


def automatic_summary(
    site: Site, before: str | None, after: str, old_target: Title | None, target: Title | None
) -> str:
    """Return the summary of an edit whose author gave none; empty for an ordinary change.

    Args:
        site: the wiki, whose language the summary has.
        before: the text of the page; ``None`` for a new page.
        after: the text that is saved.
        old_target: the former target, if the page was a redirect.
        target: the new target, if the page is a redirect now.
    """
    say = site.messages.content_text
    if before and not after:
        return say("autosumm-blank")
    if target and (old_target is None or target != old_target):
        if old_target:
            titles = Plain(old_target.full_text), Plain(target.full_text)
            return say("autosumm-changed-redirect-target", *titles)
        return say("autoredircomment", Plain(target.full_text))
    if old_target and target is None:
        return say("autosumm-removed-redirect", Plain(old_target.full_text))
    if before is None:
        return say("autosumm-new", Plain(_excerpt(after))) if after else say("autosumm-newblank")
    # Only a text with fewer characters can have so many fewer bytes.
    is_replaced = len(after) < len(before) and byte_length(before) > 10 * byte_length(after)
    if is_replaced and byte_length(after) < 500:
        return say("autosumm-replace", Plain(_excerpt(after)))
    return ""


def automatic_tags(
    before: str | None,
    after: str,
    old_target: Title | None,
    target: Title | None,
    *,
    changes_model: bool = False,
) -> list[str]:
    """Return the change tags for what an edit does to the text and content model of a page."""
    if before and not after:
        return ["mw-blank"]
    if target and old_target is None:
        return ["mw-new-redirect"]
    if target and target != old_target:
        return ["mw-changed-redirect-target"]
    if old_target and target is None:
        return ["mw-removed-redirect"]
    # Only a text with fewer characters can have so many fewer bytes.
    is_shorter = before is not None and len(after) < len(before)
    if before and is_shorter and byte_length(after) < _REPLACED_BELOW * byte_length(before):
        return ["mw-replace"]
    return ["mw-contentmodelchange"] if changes_model else []


def cut_summary(summary: str) -> str:
    """Return a summary as it is stored: without space at its ends, and of the maximal length."""
    return cut_comment(trim(summary))


def _excerpt(text: str) -> str:
    line = text.translate(_SPACES)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
