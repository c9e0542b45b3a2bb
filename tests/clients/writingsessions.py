"""Random sessions of writing, played on any wiki over HTTP, with answers that can be compared.

``tests/fixtures/clients/writing.json`` describes them. A text may contain ``‹word›``, which stands
for one of the texts listed under that word; ``‹answer edit.newrevid›`` stands for a value in the
answer to an earlier step with that action, ``{token csrf}`` for a token. The name of a parameter
may be several names, one of which is chosen, and end with how often it is sent: ``minor 10%``.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.cookiejar import CookieJar
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from werkzeug.datastructures import FileStorage

from wikiapi.http.wsgiclient import multipart

MATERIAL: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "clients" / "writing.json").read_text("utf-8")
)
BOT_PASSWORD = "0123456789abcdef0123456789abcdef"
ACCOUNTS: Mapping[str, tuple[str, ...]] = {
    "Ada": ("sysop", "bureaucrat", "interface-admin", "suppress"),
    "Bob": (),
    "Robot": ("bot",),
    "Newton": (),
}
"""The groups of each account. Its password is its name followed by ``-password``."""
_WORD = re.compile(r"‹([^‹›]+)›")
_ANSWER = re.compile(r"\{answer (\d+) ([^{}]+)\}")
_TOKEN = re.compile(r"\{token (\w+)\}")
_PERCENT = re.compile(r" (\d+)%$")
_CHANGING = [
    (re.compile(r"\b[0-9a-z]{8,}\.[0-9a-z]{4,8}\.\d+\.\w+"), "FILEKEY"),
    (re.compile(r"\b20\d{12}!\w+"), "ARCHIVED"),
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "MOMENT"),
    (re.compile(r"\b20\d{12}\b"), "MOMENT"),
    (re.compile(r"\d\d:\d\d(:\d\d)?(, | on )\d{1,2} \w+ 20\d\d|\d{1,2} \w+ 20\d\d"), "DATE"),
    (re.compile(r"^\d\d:\d\d$"), "DATE"),
]


@dataclass(frozen=True)
class Step:
    """A request by somebody: the name of an account, or one of a browser that is not logged in."""

    by: str
    params: Mapping[str, str]
    file: Mapping[str, str] | None = None


def session(seed: int, length: int) -> list[Step]:
    """Return a session of some random actions, and requests that read what is there then."""
    maker = _Maker(Random(seed))
    for name in ("edit", "edit", "edit"):
        maker.add(MATERIAL["actions"][name])
    actions = list(MATERIAL["actions"].values())
    for action in maker.random.choices(actions, [each["weight"] for each in actions], k=length):
        maker.add(action)
    for reader in MATERIAL["readers"]:
        maker.add(reader)
    return maker.steps


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.steps: list[Step] = []

    def add(self, description: Mapping[str, Any]) -> None:
        """Append a step with random values."""
        params = {}
        for names, value in description["params"].items():
            if percent := _PERCENT.search(names):
                names = names[: percent.start()]
                if self.random.random() * 100 >= int(percent[1]):
                    continue
            params[self.random.choice(names.split("|"))] = self._text(value)
        file = description.get("file")
        if file is not None:
            file = {key: self._text(value) for key, value in file.items()}
        self.steps.append(Step(self._text(description["as"]), params, file))

    def _text(self, value: str | Sequence[str]) -> str:
        text = value if isinstance(value, str) else self.random.choice(value)
        return _WORD.sub(lambda match: self._replaced(match[1]), text)

    def _replaced(self, word: str) -> str:
        if not word.startswith("answer "):
            return self._text(MATERIAL["words"][word])
        action, _, path = word.removeprefix("answer ").partition(".")
        earlier = [n for n, step in enumerate(self.steps) if step.params["action"] == action]
        return f"{{answer {self.random.choice(earlier)} {action}.{path}}}" if earlier else "1"


class Browser:
    """A client of the API of a wiki, with cookies of its own."""

    def __init__(self, api: str) -> None:
        self._api = api
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def post(self, params: Mapping[str, str], file: Mapping[str, str] | None = None) -> Any:
        """Return the answer to a request, in format version 2."""
        fields: dict[str, Any] = {"format": "json", "formatversion": "2", **params}
        body, kind = urlencode(fields).encode(), "application/x-www-form-urlencoded"
        if file is not None:
            content = file["content"]
            data = content.encode() if file["field"] == "xml" else base64.b64decode(content)
            # PHP overlooks what follows an empty field as Werkzeug writes it.
            fields = {name: value for name, value in fields.items() if value}
            fields[file["field"]] = FileStorage(BytesIO(data), file["name"])
            body, kind = multipart(fields)
        request = Request(self._api, body, {"Content-Type": kind})
        try:
            with self._opener.open(request) as reply:
                return json.load(reply)
        except HTTPError as error:
            return {"status": error.code, **json.load(error)}

    def token(self, kind: str) -> str:
        """Return a token of this client's session."""
        answer = self.post({"action": "query", "meta": "tokens", "type": kind})
        return str(answer["query"]["tokens"][f"{kind}token"])

    def login(self, account: str) -> None:
        """Log in: Robot with its bot password, others with the password of the account."""
        if account == "Robot":
            fields = {"action": "login", "lgname": "Robot@test", "lgpassword": BOT_PASSWORD}
            answer = self.post({**fields, "lgtoken": self.token("login")})
            assert answer["login"]["result"] == "Success", answer
        else:
            fields = {"action": "clientlogin", "username": account, "loginreturnurl": self._api}
            fields |= {"password": f"{account}-password", "logintoken": self.token("login")}
            answer = self.post(fields)
            assert answer["clientlogin"]["status"] == "PASS", answer


def play(api: str, steps: Sequence[Step]) -> Iterator[Any]:
    """Yield the answer to each step of a session."""
    browsers: dict[str, Browser] = {}
    answers: list[Any] = []
    for step in steps:
        if step.by not in browsers:
            browsers[step.by] = browser = Browser(api)
            account = step.by.removesuffix(" main")
            if account in ACCOUNTS:
                browser.login(account)
        browser = browsers[step.by]
        params = {name: _filled(text, browser, answers) for name, text in step.params.items()}
        answers.append(browser.post(params, step.file))
        yield answers[-1]


def _filled(text: str, browser: Browser, answers: Sequence[Any]) -> str:
    def value(match: re.Match[str]) -> str:
        answer = answers[int(match[1])]
        for key in match[2].split("."):
            try:
                answer = answer[int(key) if isinstance(answer, list) else key]
            except (KeyError, IndexError):
                return "unavailable"
        return str(answer)

    text = _TOKEN.sub(lambda match: browser.token(match[1]), text)
    return _ANSWER.sub(value, text)


def differences(theirs: Any, ours: Any, place: str = "") -> Iterator[str]:
    """Yield the places in which two answers differ, as ``edit.newrevid``, and how."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            below = f"{place}.{key}" if place else key
            if key not in ours:
                yield f"{below} missing"
            elif key not in theirs:
                yield f"{below} extra"
            else:
                yield from differences(theirs[key], ours[key], below)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for number, (first, second) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(first, second, f"{place}[{number}]")
    elif _stable(theirs, place) != _stable(ours, place):
        yield f"{place}: {_short(theirs)} != {_short(ours)}"


def _stable(value: Any, place: str) -> Any:
    """Return a value without what depends on the time or on chance."""
    if not isinstance(value, str):
        return value
    if place.endswith("token"):
        return "TOKEN"
    for pattern, name in _CHANGING:
        value = pattern.sub(name, value)
    return value


def _short(value: Any) -> str:
    return f"{len(value)} items" if isinstance(value, list) else json.dumps(value)[:80]
