"""The requests of the load benchmark: reads of many kinds, and hostile requests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from urllib.parse import urlencode

from babel.localedata import locale_identifiers

from bench.load_client import Request

_PARSED = (
    "'''Bold''' [[Main Page]] {{PAGENAME}} {{lc:ABC}}\n\n== Head ==\n* one\n* two\n",
    "{| class=wikitable\n! a !! b\n|-\n| 1 || [[File:Foobar.jpg|thumb|text]]\n|}\n",
    "{{#if:a|{{#expr:1+2}}|c}} <nowiki>[[x]]</nowiki> https://example.org\n" * 20,
)
_LANGUAGES = sorted(code.replace("_", "-") for code in locale_identifiers())
_BOMB = "{{#ifeq:a|a|" * 40 + "x" + "}}" * 40
_WRONG: Sequence[dict[str, str]] = (
    {"action": "<script>alert(1)</script>"},
    {"action": "query", "prop": "info", "titles": "\x00|\ud7ff|<|" + "x" * 300},
    {"action": "query", "list": "allpages", "aplimit": "9" * 5000},
    {"action": "query", "list": "allpages", "apcontinue": "x' OR 1=1--"},
    {"action": "query", "list": "search", "srsearch": '"' + "%" * 3000},
    {"action": "query", "titles": "|".join(map(str, range(600)))},
    {"action": "parse", "text": _BOMB, "title": "X"},
    {"action": "compare", "fromtext": "a", "totitle": "No such page"},
    {"action": "query", "prop": "revisions", "rvprop": "content", "revids": "1|2|3|-4"},
)


def requests(titles: Sequence[str], seed: int) -> Iterator[Request]:
    """Yield an endless sequence of requests for one client, determined by the seed."""
    chance = random.Random(seed)
    kinds = [*_reads(titles, chance), *_hostile(chance)]
    weights = [weight for weight, _ in kinds]
    makers = [make for _, make in kinds]
    while True:
        yield chance.choices(makers, weights)[0]()


def _reads(
    titles: Sequence[str], chance: random.Random
) -> Iterator[tuple[float, Callable[[], Request]]]:
    number = count()

    def some(most: int) -> str:
        return "|".join(chance.sample(titles, chance.randint(1, most)))

    def cold() -> dict[str, str]:
        text = f"{chance.choice(_PARSED)} {chance.random()} {next(number)}"
        return {"action": "parse", "text": text, "title": some(1)}

    for weight, kind, params in (
        (12, "info", lambda: _query(prop="info", titles=some(10))),
        (8, "links", lambda: _query(prop="links", pllimit="max", titles=some(5))),
        (8, "categorymembers", lambda: _members(chance)),
        (4, "search", lambda: _search(chance)),
        (10, "parse, cached", lambda: {"action": "parse", "page": some(1)}),
        (5, "parse, cold", cold),
        (3, "parse, Lua", lambda: _lua(chance)),
        (6, "siteinfo", lambda: _query(meta="siteinfo", siprop="general|namespaces|interwikimap")),
        (6, "imageinfo", lambda: _images(chance)),
        (4, "revisions", lambda: _query(prop="revisions", rvprop="content|ids", titles=some(3))),
        (6, "checktoken", lambda: {"action": "checktoken", "type": "csrf", "token": "x"}),
    ):
        yield weight, partial(_request, kind, params)


def _request(kind: str, params: Callable[[], dict[str, str]]) -> Request:
    return Request(kind, get(params()))


def _query(**params: str) -> dict[str, str]:
    return {"action": "query", "formatversion": "2", **params}


def _members(chance: random.Random) -> dict[str, str]:
    name = chance.choice(("Numbered", "User_Documentation", "Command_Reference"))
    return _query(list="categorymembers", cmtitle=f"Category:{name}", cmlimit="max")


def _search(chance: random.Random) -> dict[str, str]:
    return _query(list="search", srsearch=chance.choice(("page", "wiki", "text template")))


def _images(chance: random.Random) -> dict[str, str]:
    name = chance.choice(("Foobar.jpg", "Anim.gif", "Thumb.png", "Duplicate A.png"))
    return _query(prop="imageinfo", titles=f"File:{name}", iiprop="url|size|metadata|timestamp")


def _lua(chance: random.Random) -> dict[str, str]:
    text = f"{{{{#invoke:Greeter|hello|{chance.random()}|name=x}}}}"
    return {"action": "parse", "text": text * 5, "title": "X"}


def _languages(chance: random.Random) -> Request:
    """Return a request for dates in a few of about a thousand languages."""
    codes = chance.sample(_LANGUAGES, 5)
    text = " ".join(f"{{{{#time:j F Y|now|{code}}}}} {{{{#dir:{code}}}}}" for code in codes)
    return Request("languages", get({"action": "parse", "text": text, "uselang": codes[0]}))


def _unknown(chance: random.Random) -> Request:
    """Return a request with new texts wherever a cache might use them as keys.

    There are many at a time, so that all caches are full before the second half of the run.
    """
    words = [f"{chance.random()}{'x' * chance.randint(1, 100)}" for _ in range(50)]
    if chance.random() < 0.5:
        return Request("unknown titles", get(_query(prop="info", titles="|".join(words))))
    words.append("x" * chance.randint(1, 3_000))
    text = " ".join(f"{{{{#dir:{word}}}}}{{{{#time:Y|now|{word}}}}}" for word in words)
    params = {"action": "parse", "text": text, "uselang": words[0][:60].replace(".", "")}
    return Request("unknown words", get(params))


def _hostile(chance: random.Random) -> Iterator[tuple[float, Callable[[], Request]]]:
    large = urlencode({"action": "parse", "title": "X", "text": "word " * 20_000}).encode()
    reading = get(_query(meta="siteinfo", siprop="general|interwikimap|namespaces"))
    fixed: Sequence[tuple[float, Request]] = (
        (2, Request("not found", get({}, "/nothing/here"), is_hostile=True)),
        (0.3, Request("large post", post(large), is_hostile=True)),
        (0.5, Request("too large post", post(b"", 1_000_000_000), is_hostile=True)),
        (1, Request("garbage", b"\x16\x03\x01\x02\x00\r\n\r\n", is_hostile=True)),
        (1, Request("bad head", b"GET / HTTP/1.1\r\nA : b\r\n\r\n", is_hostile=True)),
        (0.5, Request("long head", get({"a": "b" * 70_000}), is_hostile=True)),
        (2, Request("half-closed", reading, is_hostile=True, is_half_closed=True)),
        (2, Request("gone before the answer", reading, is_hostile=True, is_abandoned=True)),
    )
    for weight, request in fixed:
        yield weight, partial(_same, request)
    yield 8, lambda: Request("wrong parameters", get(chance.choice(_WRONG)))
    yield 1, lambda: _languages(chance)
    yield 1, lambda: _unknown(chance)


def _same(request: Request) -> Request:
    return request


def get(params: dict[str, str], path: str = "/w/api.php") -> bytes:
    """Return a GET request for JSON."""
    query = urlencode({**params, "format": "json"}, errors="surrogatepass")
    head = f"GET {path}?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n"
    return head.encode()


def post(body: bytes, announced: int | None = None) -> bytes:
    """Return a POST request with a form, which may announce more bytes than it sends."""
    length = len(body) if announced is None else announced
    head = (
        "POST /w/api.php?format=json HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n"
    )
    return head.encode() + body
