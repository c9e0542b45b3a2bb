"""``wikiapi update`` from a wiki that means harm: it succeeds, or ends with one clear error."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import apsw
import pytest
from click.testing import CliRunner

from tests.security import hostilewiki
from tests.security.hostilewiki import GONE, SINCE, Answers, places, raw_server, replaced
from tests.security.impossibletimes import IMPOSSIBLE
from wikiapi.cli import main
from wikiapi.errors import DumpError, WikiapiError
from wikiapi.fetching import MAX_BYTES, HttpClient
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.remote import Remote
from wikiapi.importing.live.update import LiveUpdate, UpdateReport
from wikiapi.site import Site
from wikiapi.store.check.references import check_references

API = "http://wiki.example/w/api.php"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ZEROS = gzip.compress(b"0" * (64 << 20))
ENDLESS = 1 << 40


def whole(body: bytes, head: bytes = OK) -> list[bytes]:
    return [head + b"Content-Length: %d\r\n\r\n" % len(body) + body]


def redirect(place: bytes, status: bytes = b"302 Found") -> list[bytes]:
    return [b"HTTP/1.1 " + status + b"\r\nLocation: " + place + b"\r\nContent-Length: 0\r\n\r\n"]


class Repeated:
    """The same bytes again and again, after others, each time that it is read."""

    def __init__(self, head: bytes, piece: bytes) -> None:
        self._head, self._piece = head, piece

    def __iter__(self) -> Iterator[bytes]:
        yield self._head
        while True:
            yield self._piece


class Dripping(Repeated):
    """A byte each tenth of a second."""

    def __iter__(self) -> Iterator[bytes]:
        from time import sleep

        for piece in super().__iter__():
            for byte in piece:
                sleep(0.1)
                yield bytes([byte])


REPLIES: dict[str, tuple[Any, str]] = {
    "another host": (redirect(b"http://192.0.2.1/w/api.php"), "redirects to 'http://192.0.2.1"),
    "another scheme": (redirect(b"ftp://127.0.0.1/x"), "redirects to 'ftp://"),
    "a file": (redirect(b"file:///etc/passwd", b"301 Moved Permanently"), "redirects to 'file:"),
    "308": (redirect(b"https://127.0.0.1/", b"308 Permanent Redirect"), "redirects to"),
    "303": (redirect(b"//192.0.2.1/", b"303 See Other"), "redirects to"),
    "a place that is none": (redirect(b"http://[::1"), "redirects to"),
    "no place": ([b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"], "redirects to ''"),
    "escapes for terminals": (
        redirect(b"http://x/\x1b[31m\x9b\x07red"),
        "redirects to 'http://x/ ",
    ),
    "gzip bomb": (whole(ZEROS, OK + b"Content-Encoding: gzip\r\n"), "more than 32 MiB"),
    "gzip bomb in pieces": (
        [
            CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: GZIP\r\n\r\n"),
            b"%x\r\n" % len(ZEROS) + ZEROS + b"\r\n0\r\n\r\n",
        ],
        "more than 32 MiB",
    ),
    "half of a gzip": (whole(ZEROS[:999], OK + b"Content-Encoding: gzip\r\n"), "is incomplete"),
    "no gzip": (whole(b"\x1f\x8bxx", OK + b"Content-Encoding: gzip\r\n"), "cannot be decompressed"),
    "deflate": (
        whole(zlib.compress(b"{}"), OK + b"Content-Encoding: deflate\r\n"),
        "compresses its answer in a way that was not requested",
    ),
    "endless body": (
        Repeated(OK + b"Content-Length: %d\r\n\r\n" % ENDLESS, b" " * 65536),
        "more than 32 MiB",
    ),
    "endless body of no length": (Repeated(OK + b"\r\n", b" " * 65536), "more than 32 MiB"),
    "endless chunks": (Repeated(CHUNKED, b"10000\r\n" + b" " * 65536 + b"\r\n"), "32 MiB"),
    "endless headers": (Repeated(OK, b"X: y\r\n"), "did not answer after 2 tries"),
    "a long header": (Repeated(OK + b"X: ", b"y" * 65536), "did not answer after 2 tries"),
    "endlessly going on": (Repeated(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "within 2 seconds"),
    "dripping body": (Dripping(OK + b"\r\n", b" "), "does not send its answer within 2 seconds"),
    "dripping headers": (Dripping(b"HTTP/1.1 200 OK\r\n", b"X"), "within 2 seconds"),
    "silence": (Repeated(b"HTTP/1.1 200", b""), "within 2 seconds"),
    "half of a body": ([OK + b"Content-Length: 99\r\n\r\n{}"], "is incomplete"),
    "half of a chunk": ([CHUNKED + b"99\r\n{}"], "did not answer after 2 tries"),
    "no size of a chunk": ([CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n"], "did not answer after 2 tries"),
    "another protocol": ([b"SSH-2.0-OpenSSH_9.6\r\n"], "did not answer after 2 tries"),
    "nothing": ([], "did not answer after 2 tries"),
    "no status": ([b"HTTP/1.1 \r\n\r\n"], "did not answer after 2 tries"),
    "teapot": ([b"HTTP/1.1 418 \xff\r\nContent-Length: 0\r\n\r\n"], "answers HTTP 418"),
    "empty": (whole(b""), "does not answer with"),
    "a page": (whole(b"<!DOCTYPE html>"), r"does not answer with JSON: is it an api.php\?"),
    "a list": (whole(b"[]"), "does not answer with a JSON object"),
    "a number": (whole(b"1"), "does not answer with a JSON object"),
    "deep": (whole(b'{"query":' * 100_000), "does not answer with"),
    "deep and closed": (whole(b"[" * 5_000 + b"]" * 5_000), "does not answer with"),
    "not a number": (whole(b'{"query": NaN}'), "does not answer with"),
    "5000 digits": (whole(b'{"query": ' + b"9" * 5_000 + b"}"), "does not answer with"),
    "half a character": (whole(b'{"query": "\\ud800"}'), "does not answer with"),
    "no UTF-8": (whole(b'{"query": "\xff"}'), "does not answer with"),
    "UTF-16": (whole('{"query": {}}'.encode("utf-16")), "does not answer with"),
    "an error of no form": (whole(b'{"error": ["x"]}'), "answers None"),
    "an error over lines": (
        whole(json.dumps({"error": {"code": "x\ny\x1b[2J", "info": "a\r\nb" * 999}}).encode()),
        r"answers x y \[2J: a b",
    ),
    "no object to go on from": (
        whole(b'{"continue": 1, "query": {}}'),
        "continue is not an object",
    ),
    "a parameter that is not its own": (
        whole(b'{"continue": {"action": "logout"}, "query": {}}'),
        "'action' is not a valid value to continue from",
    ),
    "a value of no kind": (
        whole(b'{"continue": {"x": [1]}}'),
        "'x' is not a valid value to continue from",
    ),
    "a value without end": (
        whole(b'{"continue": {"x": "' + b"9" * 5_000 + b'"}}'),
        "'x' is not a valid value to continue from",
    ),
    "the same again": (whole(b'{"continue": {"x": "1"}, "query": {}}'), "repeats a value"),
    "no query": (whole(b'{"query": [1]}'), "query is not an object"),
}
"""What a server sends, byte for byte, and what is told of it."""


@pytest.mark.parametrize("name", REPLIES)
def test_any_bytes_end_with_one_clear_error(name: str) -> None:
    reply, problem = REPLIES[name]
    with raw_server(reply) as url:
        api = LiveApi(f"{url}/api.php", timeout=5, tries=2, wait=lambda _: None, total_timeout=2)
        with pytest.raises(DumpError, match=problem) as caught:
            list(api.query({"list": "x"}))
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 500


def test_a_bomb_is_not_unpacked() -> None:
    bomb = whole(gzip.compress(b"0" * (512 << 20), 1), OK + b"Content-Encoding: gzip\r\n")
    with raw_server(bomb) as url:
        api = LiveApi(f"{url}/api.php", tries=1)
        tracemalloc.start()
        with suppress(DumpError):
            api.ask({})
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 4 * MAX_BYTES


@pytest.mark.parametrize("name", ["another host", "gzip bomb", "deep", "empty", "teapot"])
def test_the_command_tells_what_to_do(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with raw_server(REPLIES[name][0]) as url:
        result = CliRunner().invoke(main, ["update", f"{url}/api.php"])
    assert result.exit_code == 1
    first, *hints = result.output.splitlines()
    assert first.startswith("Error: ")
    assert [hint[:6] for hint in hints] == ["Hint: "]
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://a b/api.php",
        "http://a:x/api.php",
        "http://a:99999/",
        "http://a:0/",
        "http://user:secret@a.example/",
        "http:///api.php",
        "//a.example/api.php",
        "file:///etc/passwd",
        "http://a.example/api.php#x",
        "http://a\\@b/",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(DumpError, match=r"is not the address of an api\.php"):
        LiveApi(url)


# What stands in the JSON


@pytest.fixture(scope="module")
def honest() -> Iterator[Answers]:
    """Return an honest wiki's answers to an update that contains all kinds of changes."""
    with hostilewiki.honest_wiki() as wiki:
        yield Answers(wiki)


class Copy:
    """A store with a copy of the wiki as it was before it was changed."""

    def __init__(self, site: Site, file: Path, answers: Answers) -> None:
        self.site, self.answers = site, answers
        self._file = file
        self._kept = apsw.Connection(":memory:")

    def keep(self) -> None:
        """Keep the store as it is now, for :meth:`restore`."""
        self._copy(apsw.Connection(str(self._file)), self._kept)

    def restore(self) -> None:
        """Undo everything since the store was kept."""
        self._copy(self._kept, apsw.Connection(str(self._file)))

    @staticmethod
    def _copy(source: apsw.Connection, target: apsw.Connection) -> None:
        with target.backup("main", source, "main") as backup:
            backup.step()

    def close(self) -> None:
        self._kept.close()
        self.site.db.close()

    def update(self, since: str | None = None) -> UpdateReport:
        self.answers.asked.clear()
        self.batches: list[UpdateReport] = []
        api = LiveApi(API, tries=2, wait=lambda _: None)
        return LiveUpdate(self.site, Remote(api), API).run(since, self.batches.append)

    def error_after(self, change: Callable[[dict[str, str], Any], Any]) -> str:
        """Return the error after a change of the wiki's answers; empty if there is none.

        Whatever happens, the store holds together, and of the batch that failed there is nothing.
        Afterwards the store is as before.
        """
        self.answers.change = change
        before = self.content()
        problem = ""
        try:
            self.update()
        except WikiapiError as error:
            problem = str(error) or "an error without words"
            assert problem.isprintable()
            assert self.batches or self.content() == before
        assert list(check_references(self.site.db)) == []
        self.restore()
        assert self.content() == before
        self.answers.change = None
        return problem

    def content(self) -> list[Any]:
        tables = ("page", "revision", "archive", "logging", "updatelog", "text")
        return [self.site.db.execute_sql(f"SELECT * FROM {table}") for table in tables]


@pytest.fixture(scope="module")
def copied(honest: Answers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    from wikiapi.testing import make_site

    file = tmp_path_factory.mktemp("copy") / "wiki.sqlite"
    site = make_site(path=file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpClient, "fetch", honest)
        copy = Copy(site, file, honest)
        copy.update(SINCE)
        hostilewiki.change(honest.wiki)
        honest.forget()
        copy.keep()
        yield copy
    copy.close()


def asks(name: str, module: str, change: Callable[[Any], Any]) -> Any:
    """Return a change of the answers to requests with a value of a parameter."""

    def changed(params: dict[str, str], answer: Any) -> Any:
        return change(answer) if params.get(name) == module else answer

    return changed


def setting(*path: str | int, value: Any) -> Callable[[Any], Any]:
    return lambda answer: replaced(answer, path, value)


CHANGES = ("query", "recentchanges")
FIRST = ("query", "pages", 0)
FAR = "9998-01-01T00:00:00Z"


def with_continue(value: Callable[[int], Any], more: Callable[[Any], Any] = lambda x: x) -> Any:
    """Return a change that continues answers without end, each time from another position."""
    count = iter(range(10**6))
    return lambda answer: {**more(answer), "continue": {"thing": value(next(count))}}


def without(*path: str | int) -> Callable[[Any], Any]:
    return setting(*path, value=[])


LIES: dict[str, tuple[Callable[[], Any], str]] = {
    "endless, always on from the same place": (
        lambda: asks("list", "recentchanges", with_continue(lambda _: "1")),
        "repeats a value|come twice",
    ),
    "endless, and nothing comes": (
        lambda: asks("list", "recentchanges", with_continue(str, without(*CHANGES))),
        "without further changes",
    ),
    "endless, and the same comes": (
        lambda: asks("list", "recentchanges", with_continue(str)),
        "come twice",
    ),
    "endless pages": (
        lambda: asks("prop", "info", with_continue(str)),
        "continue without end",
    ),
    "endless revisions": (
        lambda: asks("prop", "revisions", with_continue(str)),
        "continue without end|come twice",
    ),
    "endless history": (
        lambda: asks("rvdir", "newer", with_continue(str, without(*FIRST, "revisions"))),
        "without further revisions",
    ),
    "a history that goes round": (
        lambda: asks("rvdir", "newer", with_continue(str)),
        "revisions come twice",
    ),
    "the time there is far": (
        lambda: asks("meta", "siteinfo", setting("curtimestamp", value=FAR)),
        "one of the clocks is wrong",
    ),
    "a change of the future": (
        lambda: asks("list", "recentchanges", setting(*CHANGES, 6, "timestamp", value=FAR)),
        "one of the clocks is wrong",
    ),
    "another wiki": (
        lambda: asks("meta", "siteinfo", setting("query", "general", "wikiid", value="other")),
        "this is the wiki 'other'",
    ),
    "no namespaces": (
        lambda: asks("meta", "siteinfo", without("query", "namespaces")),
        "no namespaces",
    ),
    "more changes than requested": (
        lambda: asks(
            "list",
            "recentchanges",
            lambda answer: replaced(answer, CHANGES, answer["query"]["recentchanges"] * 99),
        ),
        "more than were requested",
    ),
    "another page": (
        lambda: asks("pageids", "2|4|5|6|7", setting(*FIRST, "pageid", value=77)),
        "either not requested or not answered",
    ),
    "another page's history": (
        lambda: asks("rvdir", "newer", setting(*FIRST, "pageid", value=2)),
        "page 2 was not requested",
    ),
    "a revision that was not requested": (
        lambda: asks("revids", "2|7|8|9|10", setting(*FIRST, "revisions", 0, "revid", value=1)),
        "revision 1 was not requested",
    ),
    "a revision of two pages": (
        lambda: asks(
            "revids",
            "2|7|8|9|10",
            lambda answer: replaced(
                answer, (*FIRST, "revisions"), answer["query"]["pages"][1]["revisions"]
            ),
        ),
        "belongs to two pages",
    ),
    "one newest revision of two pages": (
        lambda: asks(
            "pageids",
            "2|4|5|6|7",
            lambda answer: replaced(
                answer, (*FIRST, "lastrevid"), answer["query"]["pages"][-1]["lastrevid"]
            ),
        ),
        "the same newest revision",
    ),
    "deep parameters": (
        lambda: asks(
            "list",
            "recentchanges",
            setting(*CHANGES, -1, "logparams", value=json.loads("[" * 90 + "]" * 90)),
        ),
        "too deep",
    ),
    "a name of a user without end": (
        lambda: asks("list", "recentchanges", setting(*CHANGES, -1, "user", value="a" * 256)),
        "name of more than 255 bytes",
    ),
    "a slot with a long name": (
        lambda: asks(
            "prop",
            "revisions",
            setting(*FIRST, "revisions", 0, "slots", value={"x" * 99: {"content": ""}}),
        ),
        "is too long",
    ),
    **{
        f"the time {name}": (
            lambda text=text: asks("prop", "revisions", setting(
                *FIRST, "revisions", 0, "timestamp", value=text)),
            "is not a time, but",
        )
        for name, text in IMPOSSIBLE.items()
    },
    **{
        f"a change at {name}": (
            lambda text=text: asks("list", "recentchanges", setting(
                *CHANGES, 0, "timestamp", value=text)),
            "is not a time, but",
        )
        for name, text in IMPOSSIBLE.items()
    },
}  # fmt: skip
"""How the answers are changed, and what is told of it."""


@pytest.mark.parametrize("name", LIES)
def test_lies_are_reported_and_nothing_is_stored(copied: Copy, name: str) -> None:
    lie, problem = LIES[name]
    error = copied.error_after(lie())
    assert error
    assert any(part in error for part in problem.split("|")), error


def test_what_is_requested_has_an_end(copied: Copy) -> None:
    """The wiki that always has more is asked some dozen times, not without end."""
    for name in LIES:
        if "endless" in name:
            copied.error_after(LIES[name][0]())
            assert len(copied.answers.asked) < 150


@pytest.mark.parametrize(
    "title",
    ["", "A|B", "<script>", "A\x07", " A", "A#b", "../a", "a" * 256, "A\u202e", "%41", "::"],
)
def test_titles_that_no_page_can_have(copied: Copy, title: str) -> None:
    """Such a page is left out, and told of; one that the store has is as good as deleted."""
    lie = asks("pageids", "2|4|5|6|7", setting(*FIRST, "title", value=title))
    assert copied.error_after(lie) == ""
    lie = asks("list", "recentchanges", setting(*CHANGES, -1, "title", value=title))
    assert copied.error_after(lie) == ""


def test_histories_that_are_merged(copied: Copy) -> None:
    """A revision that belongs to another page there comes to belong to it here, without holes."""

    def merged(params: dict[str, str], answer: Any) -> Any:
        if params.get("prop") == "revisions" and "2" in params.get("revids", "").split("|"):
            pages = answer["query"]["pages"]
            source = next(page for page in pages if page["pageid"] == 2)
            target = next(page for page in pages if page["pageid"] != 2)
            target["revisions"] += source["revisions"]
            pages.remove(source)
        return answer

    assert copied.error_after(merged) == ""


WRONG: list[Any] = [
    GONE, None, True, False, 0, -1, 1, 10**18, 10**30, 1.5, "", "x", "7", "\0", "a" * 70_000,
    [], ["x"], [[[[]]]], {}, {"x": 1}, [None], "2026-02-30T00:00:00Z", FAR, "<b>\x1b[2J\r\n",
]  # fmt: skip
_EACH = 5
"""Wrong values at least for values of one meaning; those that stand more often get more."""


def test_wrong_types_anywhere(copied: Copy) -> None:
    """Each value of each answer is replaced: the update succeeds, or tells what is wrong."""
    copied.answers.forget()
    assert copied.error_after(lambda _, answer: answer) == ""
    tried = refused = 0
    for group in alike(copied.answers.by_request()):
        for number in range(min(max(len(group), _EACH), len(WRONG))):
            body, path = group[number % len(group)]
            refused += bool(copied.error_after(wrong_in(body, path, WRONG[tried % len(WRONG)])))
            tried += 1
    assert tried > 600
    assert refused > tried // 4


def alike(answers: Mapping[bytes, Any]) -> list[list[tuple[bytes, hostilewiki.Path]]]:
    """Return requests and positions in their answers, grouped if they are equivalent."""
    groups: dict[Any, list[tuple[bytes, hostilewiki.Path]]] = defaultdict(list)
    for body, answer in answers.items():
        for path in places(answer):
            if "general" in path[:-1] and path[-1] != "wikiid":
                continue
            names = tuple(name for name, _ in parse_qsl(body.decode()))
            meaning = tuple("n" if str(step).isdecimal() else step for step in path)
            groups[names, meaning].append((body, path))
    return list(groups.values())


def wrong_in(body: bytes, path: hostilewiki.Path, wrong: Any) -> Any:
    """Return a change of one position in the answer to one request."""

    def change(params: dict[str, str], answer: Any) -> Any:
        is_meant = hostilewiki.body_of(params) == body
        return replaced(answer, path, wrong) if is_meant else answer

    return change


def test_the_honest_wiki_is_followed(copied: Copy) -> None:
    """Otherwise the others would prove nothing."""
    copied.answers.change = None
    report = copied.update()
    assert (report.changes, report.revisions, report.deleted) == (7, 4, 1)
    assert list(check_references(copied.site.db)) == []
