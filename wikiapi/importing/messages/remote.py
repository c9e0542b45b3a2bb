"""Asks a live wiki for the messages of its interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.errors import DumpError
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.jsonobject import JsonObject, unusable
from wikiapi.importing.messages.texts import MAX_MESSAGES, Texts
from wikiapi.languages.codes import is_existing_language

_MAX_PARTS = 200
"""Parts of the answer for one language; MediaWiki sends all messages in one or two."""
_CUSTOMISED = "modified"
_SHARES = ("all", _CUSTOMISED)
"""First all messages are asked for, with the texts that the wiki has for them, then those among
them that the wiki's administrators have changed, which alone are marked so."""


class Position(NamedTuple):
    """How far the messages of a language have been read: the share, and its continuation."""

    share: str = _SHARES[0]
    more: Mapping[str, str] = MappingProxyType({})


class Fetched:
    """The messages of a language that a wiki has sent so far, and how many of them it changed."""

    def __init__(self, texts: Texts | None = None, customised: int = 0) -> None:
        """Begin with the messages of an interrupted run."""
        self.texts = texts or Texts()
        self.customised = customised


class RemoteMessages:
    """The messages of a wiki that is asked by its API. Every method may raise DumpError."""

    def __init__(self, api: LiveApi) -> None:
        """Ask this API."""
        self._api = api

    def content_language(self) -> str:
        """Return the content language of the wiki, or "" if it does not name a valid one."""
        answer = self._api.ask({"action": "query", "meta": "siteinfo"})
        general = JsonObject(answer, "the answer").object("query").object("general")
        code = general.text("lang", "")
        return code if is_existing_language(code) else ""

    def fetch(self, language: str, fetched: Fetched, position: Position) -> Iterator[Position]:
        """Add the messages of a language to those fetched, beginning at a position.

        Yields:
            the position after each part of the answers but the last one.
        """
        for number, share in enumerate(_SHARES):
            if _SHARES.index(position.share) > number:
                continue
            params = {
                "meta": "allmessages",
                "ammessages": "*",
                "amlang": language,
                "amcustomised": share,
            }
            more = position.more if share == position.share else {}
            parts = self._api.parts(params, more)
            for count, (part, following) in enumerate(parts, 1):
                before = len(fetched.texts), fetched.customised
                added = _add(part, fetched)
                if share == _CUSTOMISED:
                    fetched.customised += added
                after = len(fetched.texts), fetched.customised
                if following and (count >= _MAX_PARTS or before == after):
                    raise unusable("its messages continue without end")
                if following:
                    yield Position(share, following)
            if number + 1 < len(_SHARES):
                yield Position(_SHARES[number + 1])


def _add(part: Mapping[str, object], fetched: Fetched) -> int:
    """Add the messages of one part of an answer; return how many are marked as customised."""
    customised = 0
    for entry in JsonObject(part, "the answer").objects("allmessages", MAX_MESSAGES):
        if "missing" in entry.values:
            continue
        # Before MediaWiki 1.25 the text has the name that it still has in formatversion 1.
        text = entry.text("content" if "content" in entry.values else "*")
        try:
            fetched.texts.add(entry.text("name"), text)
        except DumpError as error:
            raise unusable(str(error)) from error
        # A flag that is set was an empty text then.
        customised += entry.values.get("customised", False) is not False
    return customised
