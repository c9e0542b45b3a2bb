"""Parses titles by MediaWiki's rules for page names.

The steps are those documented for MediaWiki: decode character references, normalise white space and
bidirectional marks, split off namespace or interwiki prefixes and the fragment, and check the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from wikiapi.errors import InvalidTitle
from wikiapi.i18n.message import Message, Num
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


class TitleCodec:
    """Parses and builds the titles of one wiki."""

    def __init__(self, namespaces: NamespaceTable, interwiki: InterwikiMap) -> None:
        """Use these namespaces and interwiki prefixes to parse titles."""
        self.namespaces = namespaces
        self._interwiki = interwiki
        self._usual = lru_cache(_KEPT)(self._parsed)
        self.prefixes: Mapping[int, str] = _Prefixes(
            {namespace.id: namespace.prefix for namespace in namespaces}
        )

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
        return parse(text, default_namespace)

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
        dbkey, fragment = _split_fragment(dbkey)
        _check(dbkey, namespace, interwiki)
        if not interwiki and namespace.first_letter:
            dbkey = capitalise(dbkey)
        if namespace.id in (USER, USER_TALK):
            dbkey = spell_address(dbkey) or dbkey
        if dbkey.startswith(":"):
            raise _invalid("title-invalid-leading-colon")
        return Title(namespace, dbkey, fragment, interwiki)

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
        return Title(self.namespace(namespace), dbkey, fragment)

    def namespace(self, number: int) -> Namespace:
        """Return the namespace of a number, or a placeholder if the wiki does not have it."""
        return self.namespaces.get(number) or _unknown_namespace(number)

    def subject(self, title: Title) -> Title:
        """Return the subject page of a talk page; for any other page, the page itself."""
        return Title(self.namespaces.subject(title.namespace), title.dbkey)

    def talk(self, title: Title) -> Title | None:
        """Return the talk page of a page, or ``None`` if it cannot have one."""
        namespace = self.namespaces.talk(title.namespace)
        return Title(namespace, title.dbkey) if namespace and not title.interwiki else None

    def _split_prefix(self, dbkey: str, namespace: Namespace) -> tuple[Namespace, str, str]:
        match = _PREFIX.fullmatch(dbkey)
        if match is None:
            return namespace, "", dbkey
        prefix, rest = match[1], match[2]
        found = self.namespaces.find(prefix)
        if found is not None:
            if found.id == MAIN:
                return namespace, "", dbkey
            self._refuse_talk_of_prefix(found, rest)
            return found, "", rest
        entry = self._interwiki.get(prefix)
        if entry is None:
            return namespace, "", dbkey
        # The flag "local" means that the other wiki has the same operator, not that it is this one.
        elsewhere = rest.removeprefix(":").strip("_")
        return self.namespaces[MAIN], entry.prefix.lower(), elsewhere

    def _refuse_talk_of_prefix(self, found: Namespace, rest: str) -> None:
        """Raise InvalidTitle for ``Talk:File:x``, which could be the talk page of two pages."""
        if found.id != TALK or not (match := _PREFIX.fullmatch(rest)):
            return
        if self.namespaces.find(match[1]) or self._interwiki.get(match[1]):
            raise _invalid("title-invalid-talk-namespace")


def _normalised(text: str) -> str:
    text = _BIDI_MARKS.sub("", text)
    return TITLE_SPACE.sub("_", text).strip("_")


def _split_fragment(dbkey: str) -> tuple[str, str]:
    name, mark, fragment = dbkey.partition("#")
    if not mark:
        return dbkey, ""
    return name.rstrip("_"), fragment.replace("_", " ")


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


class _Prefixes(dict[int, str]):
    """The prefixes of page names by namespace number, with placeholders for unknown numbers."""

    def __missing__(self, number: int) -> str:
        return _unknown_namespace(number).prefix


def _unknown_namespace(number: int) -> Namespace:
    return Namespace(number, f"Namespace {number}", f"Namespace {number}")


def capitalise(text: str) -> str:
    """Return the text with its first letter in upper case, unless that is two letters (``ß``)."""
    first = text[:1].upper()
    return first + text[1:] if len(first) == 1 else text


def decode_title_references(text: str) -> str:
    """Return the text with character references decoded, and in NFC if there were any."""
    decoded = decode_references(text)
    return decoded if decoded == text else unicodedata.normalize("NFC", decoded)
