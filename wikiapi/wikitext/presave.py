"""The pre-save transform: what MediaWiki does to a page's source when it is saved.

Templates are substituted, signatures filled in, and links that leave their label (``[[a (b)|]]``)
or their context (``[[|a]]``) to be found get it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from wikiapi.i18n.dates import format_time_and_date
from wikiapi.wikitext.pipetrick import fill_in_links

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_SIGNATURE = re.compile("~{3,5}")
_LINE_ENDS = re.compile(r"\r\n?")
_BLANKS = " \t\n\r\0\x0b"


def transform(text: str, user: str, state: ParseState) -> str:
    """The text as it would be stored; never fails, whatever the text.

    Args:
        text: what was typed.
        user: name of who saves, an address for a visitor without an account.
        state: a rendering whose target is :attr:`~wikiapi.wikitext.options.Target.SAVED`.
    """
    text = without_trailing_blanks(text)
    state.loader.prefetch(text)
    text = state.expand_text(text, state.root_frame())
    text = fill_in_links(_signed(text, user, state), state.title)
    return state.strip.unstrip_both(text).rstrip(_BLANKS)


def without_trailing_blanks(text: str) -> str:
    """The text with single line feeds between its lines and nothing blank at its end."""
    return _LINE_ENDS.sub("\n", text.rstrip(_BLANKS))


def _signed(text: str, user: str, state: ParseState) -> str:
    """Three tildes are the user, five the time, four both."""
    if "~~~" not in text:
        return text
    signature, moment = _signature(user, state), _moment(state)
    forms = {3: signature, 4: f"{signature} {moment}", 5: moment}
    return _SIGNATURE.sub(lambda match: forms[len(match[0])], text)


def _signature(user: str, state: ParseState) -> str:
    return state.message("signature-anon", user, user)


def _moment(state: ParseState) -> str:
    local = state.now.astimezone(ZoneInfo(state.site.config.site.timezone))
    return f"{format_time_and_date(local, state.site.language)} ({local.tzname()})"
