"""The pre-save transform: the changes that MediaWiki makes to a page's source when it is saved.

It substitutes templates, fills in signatures, and completes links that lack their label
(``[[a (b)|]]``) or their context (``[[|a]]``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from html.entities import name2codepoint
from xml.parsers import expat
from zoneinfo import ZoneInfo

from wikiapi.texts import TRIMMED
from wikiapi.title.addresses import spell_address
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.expand.latetexts import finish_expansion
from wikiapi.wikitext.state import ParseState

_SIGNATURE = re.compile("~{3,5}")
_MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "\"&'<=>[]{|}"}
"""Character references for characters in a name that would be markup."""
_REFERENCE = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_LINE_ENDS = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Signature:
    """A user's signature: a name to show instead of the account's, or wikitext for all of it.

    An empty ``text`` stands for the default signature.
    """

    text: str = ""
    is_wikitext: bool = False


USUAL = Signature()


def transform(
    text: str,
    user: str,
    state: ParseState,
    expand: Callable[[str, Title], str],
    signature: Signature = USUAL,
) -> str:
    """Return the text to be stored; no text makes it raise.

    Args:
        text: the text as submitted.
        user: name of the user who saves it; the IP address of a user without an account.
        state: a rendering whose target is :attr:`~wikiapi.wikitext.options.Target.SAVED`.
        expand: expands the templates in a text of a page, which this transform does not.
        signature: the user's signature.
    """
    text = without_trailing_blanks(text)
    state.loader.prefetch(text)
    text = state.expander.expand_text(text, state.expander.root_frame())
    text = finish_expansion(text, state)
    if "~~~" in text:
        name = _signature(user, state, expand, signature)
        site = state.site
        local = state.now.astimezone(ZoneInfo(site.config.site.timezone))
        moment = f"{site.usual_time('both', local, site.language)} ({_zone(site, local)})"
        # Three tildes stand for the user, five for the time, four for both.
        forms = {3: name, 4: f"{name} {moment}", 5: moment}
        text = _SIGNATURE.sub(lambda match: forms[len(match[0])], text)
    text = fill_in_links(text, state.title)
    return state.strip.unstrip_both(text).rstrip(TRIMMED)


def _zone(site: Wiki, moment: datetime) -> str:
    """Return the short name of a time zone, which a message such as ``timezone-utc`` translates."""
    name = moment.tzname() or ""
    key = f"timezone-{name.lower()}"
    return site.messages.content_text(key) if site.messages.find(key, site.language) else name


def is_transformed(text: str, substitution: re.Pattern[str]) -> bool:
    """Return whether :func:`transform` may change more than line ends and blanks at the end.

    Most texts have calls and links, but none that it changes: neither signatures nor incomplete
    links nor a word that ``substitution`` matches, within which there may be comments.
    """
    if "~~~" in text or "|]]" in text or "[[|" in text:
        return True
    return "{{" in text and ("<!--" in text or substitution.search(text) is not None)


def without_trailing_blanks(text: str) -> str:
    """Return the text with line feeds as line ends, and without white space at its end."""
    return _LINE_ENDS.sub("\n", text.rstrip(TRIMMED))


def _signature(
    user: str, state: ParseState, expand: Callable[[str, Title], str], own: Signature
) -> str:
    text = _SIGNATURE.sub("", own.text.replace("\n", " ")).strip()
    if text and own.is_wikitext:
        if is_well_formed(own.text):
            return text
        text = ""
    if spell_address(user):
        return state.messages.text("signature-anon", user, user)
    name = text.translate(_MARKUP) if text else user
    return expand(state.messages.text("signature", user, name), state.title)


def is_well_formed(signature: str) -> bool:
    """Return whether the tags and character references of a signature in wikitext are complete."""
    parser = expat.ParserCreate()
    xml = _REFERENCE.sub(_known_reference, signature)
    try:
        parser.Parse(f"<html>{xml}</html>", True)
    except (expat.ExpatError, ValueError):
        return False
    return True


def _known_reference(match: re.Match[str]) -> str:
    """Return a space for a named character reference of HTML, and others unchanged."""
    return " " if match[1] in name2codepoint else match[0]


# ``[[Help:Page (context)|]]`` gets the label ``Page``; ``[[|Page]]`` on *Other (context)* links to
# *Page (context)*. Context is a namespace or interwiki prefix, a part in parentheses at the end, or
# everything from the first comma on.

_LEGAL = r"[^\x00-\x1f#<>\[\]{|}\x7f]"
_LABELLED_BY_TARGET = re.compile(rf"\[\[({_LEGAL}+)\|\]\]")
_IN_CONTEXT = re.compile(rf"\[\[\|({_LEGAL}+)\]\]")
_IN_PREFIX = r"[^\x00-\x1f!-,./:-@\[-^`{-\x7f]"
_PREFIX = re.compile(rf":?{_IN_PREFIX}+:|:")
_TITLE_PREFIX = re.compile(rf"{_IN_PREFIX}+:")
_COMMAS = re.compile("(?:, |\uff0c|\u060c )")
_PARENTHESES = (("(", ")"), ("\uff08", "\uff09"))


def fill_in_links(text: str, title: Title) -> str:
    """Return the text with both forms of incomplete links completed, for the page of a title."""
    if "|]]" in text:
        text = _LABELLED_BY_TARGET.sub(_with_label, text)
    if "[[|" in text:
        text = _IN_CONTEXT.sub(_with_context(title.text), text)
    return text


def _with_label(match: re.Match[str]) -> str:
    target = match[1]
    prefix = _PREFIX.match(target)
    name = target[prefix.end() :] if prefix else target
    return f"[[{target}|{_without_context(name)}]]" if name else match[0]


def _without_context(name: str) -> str:
    """Return the name without the context at its end."""
    for opening, closing in _PARENTHESES:
        if name.endswith(closing) and (end := _end_before(name, opening)) is not None:
            return name[:end]
    comma = _COMMAS.search(name, 1)
    end = comma.start() if comma and comma.end() < len(name) else len(name)
    return name[: min(end, _end_before_both(name))]


def _end_before(name: str, opening: str) -> int | None:
    """Return where the name ends without the non-empty parenthesis after it and one space."""
    start = name.find(opening, 1)
    if start < 0 or start + 2 >= len(name):
        return None
    return start - 1 if start > 1 and name[start - 1] == " " else start


def _end_before_both(name: str) -> int:
    """Return where the name ends without ``(context), context``."""
    end = _end_before(name, "(")
    if end is None:
        return len(name)
    for match in _COMMAS.finditer(name, end):
        if name[match.start() - 1] == ")" and match.end() < len(name):
            return end
    return len(name)


def _with_context(page: str) -> Callable[[re.Match[str]], str]:
    prefix_match = _TITLE_PREFIX.match(page)
    prefix = prefix_match[0] if prefix_match else ""
    name = page[len(prefix) :]
    start = name.find(" (", 1)
    if not (name.endswith(")") and 0 < start < len(name) - 3):
        start = name.find(", ", 1)
        start = start if 0 < start < len(name) - 2 else len(name)
    context = name[start:]
    if not prefix and not context:
        return lambda match: f"[[{match[1]}]]"
    return lambda match: f"[[{prefix}{match[1]}{context}|{match[1]}]]"
