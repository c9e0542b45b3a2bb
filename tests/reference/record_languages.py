"""``python -m tests.reference.record_languages``: ask MediaWiki what ``languages.json.gz`` lacks.

The file, which is described beside it, holds what MediaWiki 1.45 answered, but has gaps: the first
languages of the alphabet have the facts of French, and a language has no value where its chain of
first fallback languages runs in a circle. This asks the MediaWiki 1.39 of Debian that
``bench/peer/install.sh`` installs, for some minutes, and writes ``language_additions.json``
beside this file, with a language in each line of a section:

``facts``
    The facts of the languages of those gaps in the form of the file, each from the file where it
    has one, else from 1.39. What is missing is as in the language ``base``, for which the same
    holds if it has a gap; its other facts are those of the file.
``stand_ins``
    The languages among them that 1.39 lacks, each with the language whose facts were taken: the
    first of its fallback languages that 1.39 has.
``unknown``
    All languages that 1.39 lacks. About those without a stand-in there are no additions.
``genders``
    The names of the user namespaces for a male and for a female user, both where one of them is
    not the usual name. An empty entry: there are none, although the first fallback language has.
    MediaWiki normalises titles to these names in ``action=query``.
``magic_order``
    Magic words that ``siprop=magicwords`` lists among a language's own although they equal those
    of its base, each with the word before it. The base is the first fallback language, or ``base``
    of a language in ``facts``. A language's own words come first, then the rest as in its base.
``project_talk``
    The name of the project talk namespace for three names of a wiki, where it is not the same
    text around each.
``signature``
    The date that five tildes leave and what ``{{#timef:|both}}`` gave for the same time, where the
    first is not the second with the time zone `` (UTC)``.
``capitals``
    Titles that begin with a small letter, as 1.39 normalises them: all for English, else those that
    are different. (1.45 leaves the Georgian letters as they are.)

The versions differ in details: where both are known, 1.39 has 97 of 100 magic words, 96 names of
special pages and 93 names of namespaces as 1.45. Words that only 1.45 has stay English.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench.peer.emptywiki import EmptyWiki
from bench.peer.httpclient import HttpClient
from bench.peer.run import STATE
from bench.peer.servers import HERE as SETTINGS
from bench.peer.servers import mediawiki_server
from tests.reference import material

ADDITIONS = Path(__file__).with_name("language_additions.json")
ENGLISH = "en"
MISRECORDED_AS = "fr"
TEXTS = ("rtl", "linktrail", "linkprefix", "linkprefixcharset", "mainpage", "fallback8bitEncoding")
TABLES = ("namespaces", "magic", "special")
USER_NAMESPACES = {"2": "User", "3": "User talk"}
PROJECT_TALK = "5"
USERS = {"Adam": "male", "Eva": "female"}
SITE_NAMES = ("Babelwiki", "Wikipedia", "Wiki")
"""Names of wikis; the first is that of the wikis in the file."""
SMALL_TITLES = ("istanbul", "ısparta", "ijsland", "ßa", "ǆa", "ათი", "ŉa", "éa", "ώ")
TIME, PROBED_DATE = "20260305070800", "{{#timef:2026-03-05 07:08|both}}"
TIME_ZONE = " (UTC)"

Facts = dict[str, Any]


@dataclass(frozen=True)
class Wiki:
    """The wiki that is asked."""

    folder: Path
    name: str = SITE_NAMES[0]


class Answer(NamedTuple):
    """What MediaWiki says about a wiki in one language."""

    facts: Facts
    """In the form of ``languages.json.gz``, complete."""
    titles: Mapping[str, str]
    """Titles that were asked for, and what they are normalised to."""
    project_talk: Mapping[str, str]
    """The project talk namespace for each name of the wiki."""
    signature: str
    """The date that five tildes leave."""


@contextmanager
def asking() -> Iterator[HttpClient]:
    """Serve a wiki with a male and a female user until the block is left; yield its client."""
    wiki = Wiki(STATE / "languages")
    scripts = EmptyWiki(STATE, wiki.name).copy(wiki.folder)
    for user in USERS:
        scripts.run("createAndPromote.php", user, f"not secret, {user}")
    with closing(sqlite3.connect(wiki.folder / "data" / "peer.sqlite")) as db, db:
        db.executemany(
            "INSERT INTO user_properties SELECT user_id, 'gender', ? FROM user WHERE user_name = ?",
            [(gender, user) for user, gender in USERS.items()],
        )
    with mediawiki_server(wiki, SETTINGS / "settings-languages.php") as server:
        yield HttpClient(server)


def codes_of(client: HttpClient) -> set[str]:
    """Return the codes of the languages that MediaWiki has."""
    batches = client.walk({"meta": "languageinfo", "liprop": "code"})
    return {code for query in batches for code in query["languageinfo"]}


def ask(client: HttpClient, code: str) -> Answer:
    """Return what MediaWiki says about a wiki in a language."""
    users = [f"{space}:{user}" for space in USER_NAMESPACES.values() for user in USERS]
    about_site = {"action": "query", "meta": "siteinfo", "peerlanguage": code}
    query = client.get(
        {
            **about_site,
            "siprop": "general|namespaces|namespacealiases|magicwords|specialpagealiases",
            "titles": "|".join((*users, *SMALL_TITLES)),
        }
    )["query"]
    talks = {SITE_NAMES[0]: query["namespaces"][PROJECT_TALK]["name"]}
    for name in SITE_NAMES[1:]:
        site = client.get({**about_site, "siprop": "namespaces", "peername": name})["query"]
        talks[name] = site["namespaces"][PROJECT_TALK]["name"]
    signature = client.get(
        {
            "action": "parse",
            "onlypst": "1",
            "contentmodel": "wikitext",
            "text": "~" * 5,
            "peerlanguage": code,
            "peertime": TIME,
        }
    )["parse"]["text"]
    titles = {row["from"]: row["to"] for row in query.get("normalized", ())}
    return Answer(_facts_of(query), titles, talks, signature)


def _facts_of(query: Mapping[str, Any]) -> Facts:
    general = query["general"]
    return {
        "fallback": [row["code"] for row in general["fallback"]],
        **{name: general[name] for name in TEXTS if name in general},
        "namespaces": {number: row["name"] for number, row in query["namespaces"].items()},
        "magic": {
            row["name"]: [int(row["case-sensitive"]), *row["aliases"]]
            for row in query["magicwords"]
        },
        "special": {row["realname"]: row["aliases"] for row in query["specialpagealiases"]},
        "aliases": [[row["id"], row["alias"]] for row in query["namespacealiases"]],
    }


class Place(NamedTuple):
    """The place of a magic word in a list."""

    name: str
    before: str | None
    """The word before it, if it is not the first."""


class Additions:
    """What answers say that the recorded facts do not."""

    def __init__(self, listed: Mapping[str, Facts], answers: Mapping[str, Answer]) -> None:
        """Take the facts of ``languages.json.gz``, and the answer for each language."""
        self._listed = listed
        self._answers = answers
        self._english = listed[ENGLISH]
        self._stand_ins: dict[str, str] = {
            code: next(name for name in listed[code]["fallback"] if name in answers)
            for code in sorted(listed)
            if code not in answers and self._is_circular(code)
        }
        self._bases: dict[str, str] = {}
        self._entered: set[str] = set()
        self._complete_facts: dict[str, Facts] = {}
        self._orders: dict[str, list[str]] = {}
        self._codes = [code for code in sorted(listed) if code in answers and code != ENGLISH]

    def sections(self) -> dict[str, Any]:
        """Return all sections."""
        return {
            "facts": dict(self._facts()),
            "stand_ins": self._stand_ins,
            "unknown": sorted(set(self._listed) - set(self._answers)),
            "genders": dict(self._genders()),
            "magic_order": dict(self._magic_order()),
            "project_talk": dict(self._project_talks()),
            "signature": dict(self._signatures()),
            "capitals": dict(self._capitals()),
        }

    def _is_misrecorded(self, code: str) -> bool:
        names = self._listed[code].get("namespaces")
        return code != MISRECORDED_AS and names == self._listed[MISRECORDED_AS]["namespaces"]

    def _first_fallback(self, code: str) -> str:
        return str(self._listed[code]["fallback"][0])

    def _chain(self, code: str) -> list[str]:
        """Return a language, its first fallback language, that one's, and so on, each once."""
        chain = [code]
        while chain[-1] != ENGLISH:
            first = self._first_fallback(chain[-1])
            if first in chain or first not in self._listed:
                break
            chain.append(first)
        return chain

    def _has_gap(self, code: str) -> bool:
        """Return whether the file does not say, or not simply, all facts of a language.

        A language whose first fallback language is not in the file is complete, and so are those
        that fall back to it; but that is easily overlooked, so that it counts as a gap.
        """
        return self._is_misrecorded(code) or self._chain(code)[-1] != ENGLISH

    def _is_circular(self, code: str) -> bool:
        chain = self._chain(code)
        return chain[-1] != ENGLISH and self._first_fallback(chain[-1]) in chain

    def _is_unknown(self, code: str) -> bool:
        return self._is_misrecorded(code) and code not in self._answers

    def _is_complete(self, code: str) -> bool:
        """Return whether a language has a gap that the file itself fills."""
        return (
            not self._is_misrecorded(code) and self._has_gap(code) and not self._is_circular(code)
        )

    def _base(self, code: str) -> str:
        """Return the language from which a language takes what its own facts do not say.

        In a gap it is the first fallback language that 1.39 has and that does not itself take facts
        from this language, directly or not. For a language without an answer it is its stand-in.
        """
        if code not in self._bases:
            self._bases[code] = (
                self._base_in_gap(code) if self._has_gap(code) else self._first_fallback(code)
            )
        return self._bases[code]

    def _base_in_gap(self, code: str) -> str:
        if code in self._stand_ins:
            return self._stand_ins[code]
        self._entered.add(code)
        candidates = (name for name in self._fallbacks(code) if self._can_be_base(name, code))
        base = next(candidates)
        if base != ENGLISH:
            self._base(base)
        self._entered.remove(code)
        return base

    def _can_be_base(self, name: str, code: str) -> bool:
        if name not in self._listed or name not in self._answers or name in self._entered:
            return False
        # What a complete language says is not to be looked up where it is inherited.
        return self._is_circular(code) or code not in self._chain(name)

    def _fallbacks(self, code: str) -> list[str]:
        source = self._answers[code].facts if self._is_misrecorded(code) else self._listed[code]
        return [name for name in source["fallback"] if name != code]

    def _complete(self, code: str) -> Facts:
        """Return all facts of a language, its own magic words first."""
        if code not in self._complete_facts:
            self._complete_facts[code] = self._merged_facts(code)
        return self._complete_facts[code]

    def _merged_facts(self, code: str) -> Facts:
        if code == ENGLISH:
            return self._english
        base = self._base(code)
        inherited = self._complete(base)
        if not self._has_gap(code):
            return merged(self._listed[code], inherited)
        listed: Facts = {}
        if not self._is_misrecorded(code):
            for name in self._chain(code):
                listed = merged(listed, self._listed[name])
            if self._is_complete(code):
                return listed
        answered = self._updated(self._stand_ins.get(code, code))
        if not (self._is_circular(code) and self._is_circular(base)):
            # What the file says of a base in the same circle is what sets it apart from the others.
            answered = inheriting(answered, self._updated(base), inherited)
        complete = merged(listed, answered)
        for name in TABLES:
            places = placed(list(answered[name]), list(listed.get(name, ())))
            complete[name] = {key: complete[name][key] for key in places if key in complete[name]}
        return complete

    def _updated(self, code: str) -> Facts:
        """Return answered facts with the English words of the file in place of older ones."""
        facts = self._answers[code].facts
        updated = dict(facts)
        older = self._answers[ENGLISH].facts
        for name in ("magic", "special"):
            english = self._english[name]
            updated[name] = {
                key: updated_words(words, older[name][key], english[key])
                for key, words in facts[name].items()
                if key in english
            }
        return updated

    def _facts(self) -> Iterator[tuple[str, Facts]]:
        """Yield the languages of the gaps, and what of their facts is not as in their bases."""
        for code in sorted(self._listed):
            if not self._has_gap(code) or self._is_unknown(code):
                continue
            complete, inherited = self._complete(code), self._complete(self._base(code))
            facts: Facts = {"fallback": self._fallbacks(code), "base": self._base(code)}
            for name in (*TEXTS, "aliases"):
                if complete.get(name) != inherited.get(name):
                    facts[name] = complete[name]
            for name in TABLES:
                entries = {
                    key: value
                    for key, value in complete[name].items()
                    if key in self._english[name] and value != inherited[name].get(key)
                }
                if entries:
                    facts[name] = entries
            yield code, facts

    def _genders(self) -> Iterator[tuple[str, Facts]]:
        names_of = {code: self._gendered(code) for code in (ENGLISH, *self._codes)}
        for code in self._codes:
            if names_of[code] or names_of.get(self._base(code)):
                yield code, names_of[code]

    def _gendered(self, code: str) -> Facts:
        """Return the user namespaces that have names for genders, with these names.

        Names that the file does not have, not even as other names, are those of an older version.
        """
        answer, facts = self._answers[code], self._complete(code)
        spaces = {}
        for number, space in USER_NAMESPACES.items():
            usual, older_usual = facts["namespaces"][number], answer.facts["namespaces"][number]
            names = {}
            for user, gender in USERS.items():
                title = f"{space}:{user}"
                name = answer.titles.get(title, title).removesuffix(f":{user}")
                names[gender] = usual if name == older_usual else name
            others = {name for row, name in facts["aliases"] if row == int(number)}
            if {usual} < {usual, *names.values()} <= {usual, *others}:
                spaces[number] = names
        return spaces

    def _magic_order(self) -> Iterator[tuple[str, list[Place]]]:
        codes = (code for code in sorted(self._listed) if not self._is_unknown(code))
        for code in codes:
            if code != ENGLISH and (places := self._places(code)):
                yield code, places

    def _places(self, code: str) -> list[Place]:
        """Return the words before the end of a language's own that are as in its base."""
        own, base = self._own_words(code), self._base(code)
        if self._is_complete(code):
            names, different = list(self._complete(code)["magic"]), set(own)
        elif code in self._answers:
            words = self._updated(code)["magic"]
            facts = self._updated(base) if base in self._answers else self._complete(base)
            names = list(words)
            different = {name for name in words if words[name] != facts["magic"].get(name)}
        else:
            return []
        places = []
        before = None
        for name in own_part(names, different, self._order(base)):
            # A word that is no longer different has lost its place, too.
            if name in different and name not in own:
                continue
            if name not in own:
                places.append(Place(name, before))
            before = name
        return places

    def _own_words(self, code: str) -> list[str]:
        """Return the names of the magic words that are not as in the base language."""
        if not self._has_gap(code):
            return list(self._listed[code].get("magic", ()))
        words, base_words = self._complete(code)["magic"], self._complete(self._base(code))["magic"]
        return [name for name in words if words[name] != base_words.get(name)]

    def _order(self, code: str) -> list[str]:
        """Return the names of all magic words in the order that follows from the additions."""
        if code == ENGLISH:
            return list(self._english["magic"])
        if code not in self._orders:
            order = self._own_words(code)
            for name, before in self._places(code):
                order.insert(0 if before is None else order.index(before) + 1, name)
            rest = (name for name in self._order(self._base(code)) if name not in order)
            self._orders[code] = [*order, *rest]
        return self._orders[code]

    def _project_talks(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for code in self._codes:
            names = self._answers[code].project_talk
            patterns = {name.replace(site, "$1") for site, name in names.items()}
            if len(patterns) > 1 or "$1" not in patterns.pop():
                yield code, names

    def _signatures(self) -> Iterator[tuple[str, dict[str, str | None]]]:
        for code in self._codes:
            signature, both = self._answers[code].signature, self._probed_date(code)
            if signature != f"{both}{TIME_ZONE}":
                yield code, {"signature": signature, "both": both}

    def _probed_date(self, code: str) -> str | None:
        for name in self._chain(code):
            if dates := self._listed[name].get("probe", {}).get("date"):
                return str(dates[PROBED_DATE])
        return None

    def _capitals(self) -> Iterator[tuple[str, dict[str, str]]]:
        english = self._answers[ENGLISH].titles
        for code in (ENGLISH, *self._codes):
            titles = {small: self._answers[code].titles.get(small, small) for small in SMALL_TITLES}
            different = {
                small: title
                for small, title in titles.items()
                if code == ENGLISH or title != english.get(small, small)
            }
            if different:
                yield code, different


def merged(facts: Facts, others: Facts) -> Facts:
    """Return facts, with others where they say nothing; each entry of a table is a fact."""
    result = {**others, **facts}
    for name in TABLES:
        own = facts.get(name, {})
        rest = {key: value for key, value in others.get(name, {}).items() if key not in own}
        result[name] = {**own, **rest}
    return result


def inheriting(facts: Facts, base: Facts, newer_base: Facts) -> Facts:
    """Return facts with a newer version's value for each that is the same in the base language."""
    result = {
        name: newer_base.get(name, value) if base.get(name) == value else value
        for name, value in facts.items()
    }
    for name in TABLES:
        older, newer = base[name], newer_base[name]
        result[name] = {
            key: newer.get(key, value) if older.get(key) == value else value
            for key, value in facts[name].items()
        }
    return result


def placed(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return names with those that only another list has, each after the one that it follows."""
    result = list(names)
    for before, name in zip((None, *others), others, strict=False):
        if name not in result:
            result.insert(0 if before is None else result.index(before) + 1, name)
    return result


def updated_words(words: Sequence[Any], older: Sequence[Any], newer: Sequence[Any]) -> list[Any]:
    """Return words of a language whose English words have changed.

    The file says how the words changed in languages that it has: new English words come last, and a
    colon that is no part of the English words any more is dropped.
    """
    gone = [word for word in older if word not in newer]
    if any(str(word).removesuffix(":") in newer for word in gone):
        words = [word.removesuffix(":") if isinstance(word, str) else word for word in words]
    return [*words, *(word for word in newer if word not in older and word not in words)]


def own_part(names: Sequence[str], own: Container[str], base: Sequence[str]) -> list[str]:
    """Return the first names, without the last ones that are listed as in a base and not own."""
    place = {name: index for index, name in enumerate(base)}
    end, after = len(names), len(base)
    while end and names[end - 1] not in own and place[names[end - 1]] < after:
        end -= 1
        after = place[names[end]]
    return list(names[:end])


def as_text(sections: Mapping[str, Any]) -> str:
    """Return sections as JSON with a language of a section in each line."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    parts = []
    for name, entries in sections.items():
        if isinstance(entries, dict):
            lines = ",\n".join(f"{encode(code)}:{encode(entry)}" for code, entry in entries.items())
            parts.append(f"{encode(name)}:{{\n{lines}\n}}")
        else:
            parts.append(f"{encode(name)}:{encode(entries)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    """Ask about all languages and write the file."""
    if not material.available():
        print(material.MISSING, file=sys.stderr)
        return 2
    with gzip.open(material.RECORDED / "languages.json.gz") as file:
        listed = json.load(file)
    with asking() as client:
        codes = sorted(codes_of(client) & set(listed))
        answers = {code: ask(client, code) for code in codes}
    ADDITIONS.write_text(as_text(Additions(listed, answers).sections()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
