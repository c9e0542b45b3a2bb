"""Parses titles by MediaWiki's rules for page names.

The steps are those documented for MediaWiki: decode character references, normalise white space and
bidirectional marks, split off namespace or interwiki prefixes and the fragment, and check the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from wikiapi.errors import InvalidTitle
from wikiapi.languages.casing import capitals, with_capital
from wikiapi.languages.message import Message, Num
from wikiapi.title.addresses import spell_address
from wikiapi.title.interwiki import InterwikiMap
from wikiapi.title.namespaces import MAIN, SPECIAL, TALK, USER, USER_TALK, Namespace, NamespaceTable
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title

MAX_BYTES = 255
MAX_BYTES_SPECIAL = 512
_KEPT = 4096
"""The number of parsed titles in the cache; only texts of usual length are cached."""

_BIDI_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]+")
TITLE_SPACE = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ILLEGAL = re.compile(
    r"[\x00-\x1f\x7f#<>\[\]{|}]"
    r"|%[0-9A-Fa-f]{2}"
    r"|&(?:[^\x00-/:-@\[-`{-\x7f]+|\#[0-9]+|\#x[0-9A-Fa-f]+);"
)
_PREFIX = re.compile(r"(.(?:[^:_]++|_++(?!:))*+)_*+:_*+(.*)", re.DOTALL)
_RELATIVE = re.compile(r"(?:\A|/)\.{1,2}(?:/|\Z)")
_NO_TEXT = re.compile("[\ufffd\ud800-\udfff]")


class UserGenders(Protocol):
    """The genders that users have told."""

    def __getitem__(self, name: str) -> str:
        """Return ``male``, ``female``, or "" for a user who has told neither, by user name."""


class TitleCodec:
    """Parses and builds the titles of one wiki."""

    def __init__(
        self,
        namespaces: NamespaceTable,
        interwiki: InterwikiMap,
        language: str = "en",
        genders: UserGenders | None = None,
        main_page: str = "Main Page",
    ) -> None:
        """Use these namespaces and interwiki prefixes, and the content language's capitals.

        ``main_page`` is the name of the page that links to the wiki itself, without a name, show.
        ``genders`` are those of the users, if the language names their namespaces by them.
        """
        self.namespaces = namespaces
        self._genders = genders
        self._ungendered = {
            namespace.id: namespace
            for namespace in namespaces
            if genders is None or namespace.genders is None
        }
        """The namespaces whose names do not depend on the user, for long lists of titles."""
        self._capitals = capitals(language)
        self._interwiki = interwiki
        own = [prefix for prefix in interwiki.own if namespaces.find(prefix) is None]
        self._own_prefixes = _repeated(own) if own else None
        self._main_page = main_page
        self._usual = lru_cache(_KEPT)(self._parsed)

    @property
    def main_page(self) -> Title:
        """The title of the main page."""
        return self.parse(self._main_page)

    def parse(self, text: str, default_namespace: int = MAIN) -> Title:
        """Return the title in a text.

        Args:
            text: the text of a link or an input, not normalised.
            default_namespace: the namespace of a text without prefix.

        Raises:
            InvalidTitle: the text is not a valid title; the message says why.
        """
        # Cached, because the same pages are linked and transcluded many times.
        parse = self._usual if len(text) <= MAX_BYTES else self._parsed
        title = parse(text, default_namespace)
        if self._genders is None or title.namespace.genders is None or title.interwiki:
            return title
        return replace(title, namespace=self._named(title.namespace, title.dbkey))

    def _parsed(self, text: str, default_namespace: int) -> Title:
        dbkey = _normalised(decode_title_references(text))
        if _NO_TEXT.search(dbkey):
            raise _invalid("title-invalid-utf8")
        namespace = self.namespaces[default_namespace]
        if dbkey.startswith(":"):
            namespace, dbkey = self.namespaces[MAIN], dbkey[1:].strip("_")
        if not dbkey:
            raise _invalid("title-invalid-empty")
        namespace, interwiki, dbkey = self._split_prefix(dbkey, namespace)
        dbkey, mark, fragment = dbkey.partition("#")
        if mark:
            dbkey, fragment = dbkey.rstrip("_"), fragment.replace("_", " ")
        _check(dbkey, namespace, interwiki)
        if not interwiki and namespace.first_letter:
            dbkey = self.capitalise(dbkey)
        if namespace.id in (USER, USER_TALK):
            dbkey = spell_address(dbkey) or dbkey
        if dbkey.startswith(":"):
            raise _invalid("title-invalid-leading-colon")
        return Title(namespace, dbkey, fragment, interwiki)

    def capitalise(self, text: str) -> str:
        """Return the text with its first letter as a capital, as in titles."""
        return with_capital(text, self._capitals)

    def try_parse(self, text: str, default_namespace: int = MAIN) -> Title | None:
        """Return the same as :meth:`parse`, but ``None`` if the title is invalid."""
        try:
            return self.parse(text, default_namespace)
        except InvalidTitle:
            return None

    def make(self, namespace: int, dbkey: str, fragment: str = "") -> Title:
        """Return the title of a stored page; an unknown namespace is named by its number.

        ``dbkey`` must be normalised, as in the store.
        """
        named = self._ungendered.get(namespace) or self._named(self.namespace(namespace), dbkey)
        return Title(named, dbkey, fragment)

    def prefixed(self, namespace: int, dbkey: str) -> str:
        """Return the full name of a stored page with spaces, as its title has it."""
        named = self._ungendered.get(namespace) or self._named(self.namespace(namespace), dbkey)
        return named.prefix + dbkey.replace("_", " ")

    def _named(self, namespace: Namespace, dbkey: str) -> Namespace:
        """Return the namespace with its name for the user whose page this is or belongs to."""
        if namespace.genders is None or self._genders is None:
            return namespace
        gender = self._genders[dbkey.partition("/")[0].replace("_", " ")]
        name = getattr(namespace.genders, gender) if gender else namespace.name
        return namespace if name == namespace.name else replace(namespace, name=name)

    def namespace(self, number: int) -> Namespace:
        """Return the namespace of a number, or a placeholder if the wiki does not have it."""
        return self.namespaces.get(number) or Namespace(
            number, f"Namespace {number}", f"Namespace {number}"
        )

    def subject(self, title: Title) -> Title:
        """Return the subject page of a talk page; for any other page, the page itself."""
        namespace = self.namespaces.subject(title.namespace)
        return Title(self._named(namespace, title.dbkey), title.dbkey)

    def talk(self, title: Title) -> Title | None:
        """Return the talk page of a page, or ``None`` if it cannot have one."""
        namespace = self.namespaces.talk(title.namespace)
        if namespace is None or title.interwiki:
            return None
        return Title(self._named(namespace, title.dbkey), title.dbkey)

    def leads_here(self, text: str) -> bool:
        """Return whether the first prefix of a link is an interwiki prefix of this wiki.

        Such links never show files or add categories, as if they began with a colon.
        """
        if self._own_prefixes is None:
            return False
        return self._own_prefixes.match(_normalised(decode_title_references(text))) is not None

    def _split_prefix(self, dbkey: str, namespace: Namespace) -> tuple[Namespace, str, str]:
        if self._own_prefixes and (own := self._own_prefixes.match(dbkey)):
            dbkey = dbkey[own.end() :]
            if not dbkey:
                page = self.main_page
                return page.namespace, "", page.dbkey
        match = _PREFIX.fullmatch(dbkey)
        if match is None:
            return namespace, "", dbkey
        prefix, rest = match[1], match[2]
        named = self.namespaces.find(prefix)
        if named is not None:
            if named.id == MAIN:
                return namespace, "", dbkey
            self._refuse_talk_of_prefix(named, rest)
            return named, "", rest
        entry = self._interwiki.get(prefix)
        if entry is None:
            return namespace, "", dbkey
        # The flag "local" means that the other wiki has the same operator, not that it is this one.
        elsewhere = rest.removeprefix(":").strip("_")
        return self.namespaces[MAIN], entry.prefix.lower(), elsewhere

    def _refuse_talk_of_prefix(self, prefix_namespace: Namespace, rest: str) -> None:
        """Raise InvalidTitle for ``Talk:File:x``, which could be the talk page of two pages."""
        if prefix_namespace.id != TALK or not (match := _PREFIX.fullmatch(rest)):
            return
        if self.namespaces.find(match[1]) or self._interwiki.get(match[1]):
            raise _invalid("title-invalid-talk-namespace")


def _repeated(prefixes: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of one or more of some prefixes."""
    names = "|".join(map(re.escape, sorted(prefixes)))
    return re.compile(f"(?:(?:{names})_*+:_*+)++", re.IGNORECASE)


def _normalised(text: str) -> str:
    text = _BIDI_MARKS.sub("", text)
    return TITLE_SPACE.sub("_", text).strip("_")


def _check(dbkey: str, namespace: Namespace, interwiki: str) -> None:
    if match := _ILLEGAL.search(dbkey):
        raise _invalid("title-invalid-characters", match[0])
    if "." in dbkey and _RELATIVE.search(dbkey):
        raise _invalid("title-invalid-relative")
    if "~~~" in dbkey:
        raise _invalid("title-invalid-magic-tilde")
    size = len(dbkey.encode("utf-8", "surrogatepass"))
    limit = MAX_BYTES_SPECIAL if namespace.id == SPECIAL else MAX_BYTES
    if size > limit:
        raise InvalidTitle(Message("title-invalid-too-long", (Num(limit), Num(size))))
    if not dbkey and not interwiki and namespace.id != MAIN:
        raise _invalid("title-invalid-empty")


def _invalid(key: str, *params: str) -> InvalidTitle:
    return InvalidTitle(Message(key, params))


def decode_title_references(text: str) -> str:
    """Return the text with character references decoded, and in NFC if there were any."""
    decoded = decode_references(text)
    return decoded if decoded == text else unicodedata.normalize("NFC", decoded)
