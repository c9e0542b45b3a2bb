"""Checks whether the configuration fits the titles in the store, and the dump they come from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from peewee import fn

from wikiapi.cli.doctor.installation import note, warning
from wikiapi.importing.origin import load_origin
from wikiapi.importing.siteinfo import differences
from wikiapi.languages.casing import capitals, with_capital
from wikiapi.site import Site
from wikiapi.store.check.finding import Finding
from wikiapi.store.database import Database
from wikiapi.store.models import Page
from wikiapi.texts import counted
from wikiapi.title.namespaces import Namespace

_CONTENT = "content"
_ENOUGH = 100
"""Pages of a namespace among which, if titles are case-sensitive, some begin with a small
letter."""
_CODE_POINTS = 0x110000


class _Small(NamedTuple):
    """The pages of a namespace that begin with a small letter: their number, and one of them."""

    number: int
    example: str


def check_dump(site: Site) -> Iterator[Finding]:
    """Check that the configuration says what the head of the dump said."""
    origin = load_origin(site.db)
    for text in differences(origin, site.config.site, site.namespaces):
        advice = "Change or remove the setting in wikiapi.toml, unless this is intended."
        yield warning(_CONTENT, text, advice)


def check_capitals(site: Site) -> Iterator[Finding]:
    """Check that the first letters of titles are as the configuration says."""
    query = Page.select(Page.page_namespace, fn.COUNT(Page.page_id)).group_by(Page.page_namespace)
    for number, pages in site.db.execute(query):
        namespace = site.namespaces.get(number)
        if namespace is None:
            continue
        small = _small_titles(site.db, number, site.language)
        if namespace.first_letter and small.number:
            begin = counted(small.number, "title begins", "titles begin")
            text = (
                f"{begin} with a small letter in {_name(namespace)}, such as"
                f" {small.example.replace('_', ' ')!r}, but titles are capitalised here, so that"
                " nobody can reach these pages"
            )
            advice = f"To make titles case-sensitive, {_setting(namespace, 'false')}."
            yield warning(_CONTENT, text, advice)
        elif not namespace.first_letter and not small.number and pages >= _ENOUGH:
            text = (
                f"none of {pages} titles in {_name(namespace)} begins with a small letter, although"
                " they are case-sensitive"
            )
            advice = f"If this is not intended, {_setting(namespace, 'true')}."
            yield note(_CONTENT, text, advice)


def _name(namespace: Namespace) -> str:
    return f"the namespace {namespace.name!r}" if namespace.name else "the main namespace"


def _setting(namespace: Namespace, value: str) -> str:
    if namespace.name:
        return f"set first_letter = {value} in [[namespaces]] with id = {namespace.id}"
    return f"set capital_links = {value} in [site]"


def _small_titles(db: Database, namespace: int, language: str) -> _Small:
    """Return how many titles begin with a letter that is capitalised in a language.

    The next title from each of these letters on is looked up, and those in between are skipped, so
    that this takes as many queries as there are first letters of titles beside them.
    """
    letters = _small_letters(language)
    place, count, example = 0, 0, ""
    in_namespace = Page.page_namespace == namespace
    while place < len(letters):
        letter = letters[place]
        title = db.scalar(
            Page.select(Page.page_title)
            .where(in_namespace, Page.page_title >= letter)
            .order_by(Page.page_title)
            .limit(1)
        )
        if title is None:
            break
        first = str(title)[:1]
        if first == letter:
            example = example or str(title)
            until = Page.page_title < chr(ord(letter) + 1)
            beginning = (in_namespace, Page.page_title >= letter, until)
            count += int(db.scalar(Page.select(fn.COUNT(Page.page_id)).where(*beginning)))
            place += 1
        else:
            place = max(place + 1, bisect_left(letters, first))
    return _Small(count, example)


@lru_cache(maxsize=4)
def _small_letters(language: str) -> tuple[str, ...]:
    """Return the letters of all scripts that titles do not begin with if they are capitalised."""
    own: Mapping[str, str] = capitals(language)
    letters = map(chr, range(_CODE_POINTS))
    return tuple(each for each in letters if each.isalpha() and with_capital(each, own) != each)
