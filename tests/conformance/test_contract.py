"""The contract of the three actions that only read, sentence by sentence, over HTTP.

A wiki with a foreign repository is served with its default settings. Each test is named after what
it holds.
"""

from __future__ import annotations

import email.message
import json
import re
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from tests.unit.http.servers import running
from wikiapi.config import HttpConfig, NamespaceConfig
from wikiapi.http.app import make_app
from wikiapi.http.serving.server import create_server
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, make_site

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nobody is local elsewhere")

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SIZE = re.compile(r"[\d,]+(\.\d{1,2})? (bytes|KB|MB|GB)")
ENGINE = "wikiVersion"
BATCH = 10
CALLING = 23
"""Number of pages that transclude both templates."""
CEILINGS = {
    "Preprocessor visited node count": "1000000",
    "Revision size": "2097152 bytes",
    "Post\u2010expand include size": "2097152 bytes",
    "Template argument size": "2097152 bytes",
    "Highest expansion depth": "100",
    "Expensive parser function count": "100",
    "Unstrip recursion depth": "20",
    "Unstrip post\u2010expand size": "5000000 bytes",
}
TEXT = "Hi {{PAGENAME}} and {{Alpha}}"


class Answer(NamedTuple):
    """An answer over HTTP."""

    status: int
    headers: email.message.Message
    body: bytes

    @property
    def json(self) -> Any:
        """The result, if the answer is plain JSON."""
        return json.loads(self.body)


class Served:
    """A wiki that is served: sends requests without a body to its api.php."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}/w"

    def ask(self, query: dict[str, str], **headers: str) -> Answer:
        request = urllib.request.Request(f"{self.base}/api.php?{urlencode(query)}", headers=headers)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return Answer(reply.status, reply.headers, reply.read())

    def get(self, **query: str) -> dict[str, Any]:
        return self.ask({"format": "json", **query}).json

    def pages(self, **query: str) -> dict[str, dict[str, Any]]:
        return self.get(action="query", **query)["query"]["pages"]


class Counting:
    """A WSGI application that counts its requests."""

    def __init__(self, site: Site) -> None:
        self.app = make_app(site)
        self.requests = 0

    def __call__(self, environ: Any, start_response: Any) -> Any:
        self.requests += 1
        return self.app(environ, start_response)


@pytest.fixture(scope="module")
def far() -> Iterator[tuple[Counting, int]]:
    site = make_site({"File:Far.png": "A picture."}, files=["Far.png", "Asked.png"])
    app = Counting(site)
    with running(create_server(app, HttpConfig(listen="127.0.0.1:0"))) as port:
        yield app, port
    site.db.close()


@pytest.fixture(scope="module")
def wiki(far: tuple[Counting, int]) -> Iterator[Served]:
    repository = {
        "name": "far",
        "api": f"http://127.0.0.1:{far[1]}/w/api.php",
        "allow_private": True,
    }
    callers = {f"Caller {n:02}": "{{Alpha}}{{Beta}}" for n in range(CALLING)}
    site = make_site(
        {
            **callers,
            "Main Page": "Grüße",
            "Only beta": "{{Beta}}",
            "Template:Alpha": "alpha",
            "Template:Beta": "beta",
            "Template:User": "{{:Main Page}}",
            "Help:Contents": "help",
            "Module:M": "return {}",
        },
        users=[DeclaredUser("Ada")],
        config={"repositories": [repository]},
        namespaces=[NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")],
        writable=True,
    )
    assert site.config.http.debug_info == "auto"
    with running(create_server(make_app(site), HttpConfig(listen="127.0.0.1:0"))) as port:
        yield Served(port)
    site.db.close()


# Result format


def test_without_a_format_the_json_is_wrapped_in_an_html_document(wiki: Served) -> None:
    answer = wiki.ask({"action": "checktoken", "type": "csrf", "token": "x"})
    assert answer.headers.get_content_type() == "text/html"
    html = answer.body.decode()
    assert re.search(r"<title>[^<]*API result[^<]*</title>", html)
    text = " ".join(re.sub(r"<[^>]+>", "", html.partition("</title>")[2]).split())
    assert "debugging" in text
    assert "unsuitable for" in text or "not suitable for" in text
    assert "format=json" in text
    assert "checktoken" in text
    assert "invalid" in text


def test_with_format_json_the_body_is_the_object_itself(wiki: Served) -> None:
    answer = wiki.ask({"action": "checktoken", "type": "csrf", "token": "x", "format": "json"})
    assert answer.status == 200
    assert answer.headers.get_content_type() == "application/json"
    assert isinstance(answer.json, dict)


# Response envelope


def test_batchcomplete_is_empty_and_in_results_of_query(wiki: Served) -> None:
    assert wiki.get(action="query", titles="Main Page")["batchcomplete"] == ""


def test_continue_is_there_only_when_more_results_remain(wiki: Served) -> None:
    assert "continue" not in wiki.get(action="query", titles="Main Page")
    assert "continue" in wiki.get(action="query", generator="alltransclusions")


@pytest.mark.parametrize(
    ("query", "members"),
    [
        ({"action": "query", "titles": "Main Page"}, {"batchcomplete", "query", "debuginfo"}),
        ({"action": "parse", "text": "x", "title": "T"}, {"parse", "debuginfo"}),
        ({"action": "checktoken", "type": "csrf", "token": "x"}, {"checktoken", "debuginfo"}),
    ],
)
def test_every_result_has_the_object_of_its_action_and_debuginfo(
    wiki: Served, query: dict[str, str], members: set[str]
) -> None:
    assert wiki.get(**query).keys() == members


# query.pages


def test_pages_are_keyed_by_their_ids(wiki: Served) -> None:
    pages = wiki.pages(titles="Main Page|Help:Contents")
    assert {str(page["pageid"]) for page in pages.values()} == pages.keys()


def test_a_page_that_does_not_exist_is_keyed_minus_one(wiki: Served) -> None:
    assert wiki.pages(titles="Nowhere") == {"-1": {"ns": 0, "title": "Nowhere", "missing": ""}}


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Main Page", 0),
        ("File:Far.png", 6),
        ("Template:Alpha", 10),
        ("Help:Contents", 12),
        ("Module:M", 828),
    ],
)
def test_ns_is_the_number_and_title_has_the_prefix(wiki: Served, title: str, number: int) -> None:
    (page,) = wiki.pages(titles=title).values()
    assert (page["ns"], page["title"]) == (number, title)


# action=query


def test_titles_are_normalised_and_plus_is_a_space(wiki: Served) -> None:
    with urllib.request.urlopen(
        f"{wiki.base}/api.php?action=query&titles=main_Page|Template:+alpha&format=json"
    ) as reply:
        answer = json.loads(reply.read())["query"]
    assert {page["title"] for page in answer["pages"].values()} == {"Main Page", "Template:Alpha"}
    assert {"from": "main_Page", "to": "Main Page"} in answer["normalized"]


def test_info_gives_the_fields_of_every_resolved_page(wiki: Served) -> None:
    (page,) = wiki.pages(titles="Main Page", prop="info").values()
    assert page["contentmodel"] == "wikitext"
    assert page["pagelanguage"] == page["pagelanguagehtmlcode"] == "en"
    assert page["pagelanguagedir"] == "ltr"
    assert ISO.fullmatch(page["touched"])
    assert isinstance(page["lastrevid"], int)
    assert page["length"] == len("Grüße".encode())


def test_fileusage_of_a_missing_file_gives_no_list(wiki: Served) -> None:
    page = {"ns": 6, "title": "File:Far.png", "missing": "", "known": ""}
    assert wiki.pages(titles="File:Far.png", prop="fileusage") == {"-1": page}


def test_imageinfo_asks_the_foreign_repository(wiki: Served, far: tuple[Counting, int]) -> None:
    before = far[0].requests
    (page,) = wiki.pages(titles="File:Asked.png", prop="imageinfo").values()
    assert far[0].requests == before + 1
    assert page["missing"] == page["known"] == ""
    assert page["imagerepository"] == "far"
    assert "pageid" not in page
    (version,) = page["imageinfo"]
    assert ISO.fullmatch(version["timestamp"])
    assert version["user"] == "far>192.0.2.1"
    assert version["anon"] == ""


def test_alltransclusions_generates_a_bounded_batch_of_transcluding_pages(wiki: Served) -> None:
    answer = wiki.get(action="query", generator="alltransclusions")
    pages = answer["query"]["pages"]
    assert len(pages) == BATCH
    for page in pages.values():
        assert page.keys() == {"pageid", "ns", "title"}
        assert page["title"].startswith("Caller ")


def test_continue_has_two_members_with_which_the_request_is_repeated(wiki: Served) -> None:
    query = {"action": "query", "generator": "alltransclusions", "prop": "info"}
    more: dict[str, str] = {}
    titles: list[str] = []
    while True:
        answer = wiki.get(**query, **more)
        titles += [page["title"] for page in answer["query"]["pages"].values()]
        if "continue" not in answer:
            break
        more = answer["continue"]
        assert more.keys() == {"gatcontinue", "continue"}
        assert re.fullmatch(r"\d+\|\d+", more["gatcontinue"])
        assert more["continue"].endswith("||")
        assert len(titles) <= 3 * CALLING
    callers = {f"Caller {n:02}" for n in range(CALLING)}
    assert set(titles) == {*callers, "Only beta"}


def test_gatfrom_starts_at_a_target_in_the_namespace_of_templates(wiki: Served) -> None:
    def transcluding(start: str) -> set[str]:
        pages = wiki.pages(generator="alltransclusions", gatfrom=start, gatlimit="500")
        return {page["title"] for page in pages.values()}

    assert "Only beta" in transcluding("Beta")
    assert transcluding("Alpha") == transcluding("Beta")
    query = {"action": "query", "generator": "alltransclusions", "gatfrom": "Betb"}
    assert "query" not in wiki.get(**query)


# action=parse


@pytest.fixture(scope="module")
def parsed(wiki: Served) -> dict[str, Any]:
    return wiki.get(action="parse", text=TEXT, title="Some page")["parse"]


def test_title_is_that_under_which_the_text_was_parsed(parsed: dict[str, Any]) -> None:
    assert parsed["title"] == "Some page"


def test_pageid_is_zero_unless_the_title_names_a_page(wiki: Served, parsed: dict[str, Any]) -> None:
    assert parsed["pageid"] == 0
    assert wiki.get(action="parse", text="x", title="Main Page")["parse"]["pageid"] > 0


def test_text_has_one_key_with_the_html(parsed: dict[str, Any]) -> None:
    assert parsed["text"].keys() == {"*"}


def test_the_page_name_in_the_text_expands_to_the_title(parsed: dict[str, Any]) -> None:
    assert "<p>Hi Some page and alpha" in parsed["text"]["*"]


@pytest.mark.parametrize(
    "name",
    [
        *("langlinks", "categories", "links", "templates", "images", "externallinks"),
        *("sections", "iwlinks", "parsewarnings", "properties"),
    ],
)
def test_arrays_are_empty_when_the_text_produces_none(wiki: Served, name: str) -> None:
    assert wiki.get(action="parse", text="x", title="T")["parse"][name] == []


def test_tocdata_is_null_without_a_table_of_contents(wiki: Served, parsed: dict[str, Any]) -> None:
    assert parsed["tocdata"] is None
    headings = "== A ==\n== B ==\n== C ==\n== D =="
    assert isinstance(wiki.get(action="parse", text=headings, title="T")["parse"]["tocdata"], dict)


def test_displaytitle_is_the_title_in_a_span(parsed: dict[str, Any]) -> None:
    assert re.fullmatch(r"<span[^>]*>Some page</span>", parsed["displaytitle"])


def test_html_is_a_container_with_language_direction_and_classes(parsed: dict[str, Any]) -> None:
    html = parsed["text"]["*"]
    opening = re.match(r"<div ([^>]*)>", html)
    assert opening
    assert 'lang="en"' in opening[1]
    assert 'dir="ltr"' in opening[1]
    assert re.search(r'class="mw-content-ltr mw-parser-output"', opening[1])
    assert html.rstrip().endswith("</div>")


def test_paragraphs_are_followed_by_two_comments(parsed: dict[str, Any]) -> None:
    html = parsed["text"]["*"]
    limits, expansion = re.findall(r"<!--(.*?)-->", html, re.DOTALL)
    assert html.index("<p>") < html.index("<!--")
    assert "limit report" in limits
    assert "Transclusion expansion time report" in expansion


@pytest.mark.parametrize(("measure", "ceiling"), CEILINGS.items())
def test_limit_report_writes_used_and_ceiling(
    parsed: dict[str, Any], measure: str, ceiling: str
) -> None:
    report = re.findall(r"<!--(.*?)-->", parsed["text"]["*"], re.DOTALL)[0]
    (line,) = (line for line in report.splitlines() if line.startswith(f"{measure}: "))
    assert re.fullmatch(rf"{measure}: \d+/{ceiling}", line)


def test_limit_report_states_times_and_cache_expiry(parsed: dict[str, Any]) -> None:
    report = re.findall(r"<!--(.*?)-->", parsed["text"]["*"], re.DOTALL)[0]
    assert re.search(r"^CPU time usage: \d+\.\d+ seconds$", report, re.MULTILINE)
    assert re.search(r"^Real time usage: \d+\.\d+ seconds$", report, re.MULTILINE)
    assert re.search(r"^Cached time: \d{14}$", report, re.MULTILINE)
    assert re.search(r"^Cache expiry: 86400$", report, re.MULTILINE)
    assert re.search(r"^Reduced expiry: (true|false)$", report, re.MULTILINE)


# action=checktoken


def test_a_token_that_was_not_issued_is_invalid_and_no_error(wiki: Served) -> None:
    answer = wiki.get(action="checktoken", type="csrf", token="0123456789abcdef+\\")
    assert answer["checktoken"] == {"result": "invalid"}
    assert "error" not in answer


def test_a_token_is_checked_against_the_session(wiki: Served) -> None:
    issued = wiki.ask({"action": "query", "meta": "tokens", "type": "login", "format": "json"})
    token = issued.json["query"]["tokens"]["logintoken"]
    check = {"action": "checktoken", "type": "login", "token": token, "format": "json"}
    cookies = [line.partition(";")[0] for line in issued.headers.get_all("Set-Cookie", [])]
    (session,) = (line for line in cookies if "_session=" in line and "deleted" not in line)
    assert wiki.ask(check, Cookie=session).json["checktoken"]["result"] == "valid"
    assert wiki.ask(check).json["checktoken"]["result"] == "invalid"


def test_checktoken_runs_no_database_queries(wiki: Served) -> None:
    answer = wiki.get(action="checktoken", type="csrf", token="x")
    assert answer["debuginfo"]["queries"] == []


# debuginfo


@pytest.fixture(scope="module")
def block(wiki: Served) -> dict[str, Any]:
    query = {"action": "query", "titles": "Main Page", "format": "json", "requestid": "a b&ü"}
    answer = wiki.ask(query, **{"X-Test": "yes"}).json
    return answer["debuginfo"]


def test_version_of_the_engine_is_dotted(block: dict[str, Any]) -> None:
    assert re.fullmatch(r"1\.45\.\d+", block[ENGINE])


def test_runtime_has_a_name_and_a_version(block: dict[str, Any]) -> None:
    assert block["phpEngine"]
    assert re.match(r"\d+\.\d+", block["phpVersion"])


def test_time_is_a_number_of_seconds(block: dict[str, Any]) -> None:
    assert isinstance(block["time"], float)
    assert block["time"] > 0


def test_log_has_entries_with_msg_type_and_caller(block: dict[str, Any]) -> None:
    assert isinstance(block["log"], list)
    assert all(entry.keys() == {"msg", "type", "caller"} for entry in block["log"])


def test_first_line_of_the_debug_log_is_method_url_and_headers(block: dict[str, Any]) -> None:
    assert all(isinstance(line, str) for line in block["debugLog"])
    first = block["debugLog"][0]
    assert "GET /w/api.php?action=query&titles=Main+Page" in first
    assert "X-TEST: yes" in first


def test_queries_have_sql_function_and_time(block: dict[str, Any]) -> None:
    assert block["queries"]
    for query in block["queries"]:
        assert query.keys() == {"sql", "function", "time"}
        assert query["sql"].lstrip().upper().startswith(("SELECT", "WITH"))
        assert query["function"]
        assert isinstance(query["time"], float)


def test_request_is_echoed(block: dict[str, Any]) -> None:
    request = block["request"]
    assert request.keys() == {"method", "url", "headers", "params"}
    assert request["method"] == "GET"
    assert request["url"].startswith("/w/api.php?action=query&titles=Main+Page")
    assert request["headers"]["X-TEST"] == "yes"


def test_params_maps_each_query_parameter_to_its_decoded_value(wiki: Served) -> None:
    query = {
        "action": "checktoken",
        "type": "csrf",
        "token": "0123456789abcdef+\\",
        "format": "json",
        "requestid": "a b&ü",
        "lgpassword": "shown, since the address shows it too",
    }
    assert wiki.ask(query).json["debuginfo"]["request"]["params"] == query


def test_memory_has_units(block: dict[str, Any]) -> None:
    assert SIZE.fullmatch(block["memory"])
    assert SIZE.fullmatch(block["memoryPeak"])


def test_includes_are_files_with_readable_sizes(block: dict[str, Any]) -> None:
    assert block["includes"]
    for file in block["includes"]:
        assert file.keys() == {"name", "size"}
        assert SIZE.fullmatch(file["size"])


# Common parameters, authentication, versioning


@pytest.mark.parametrize("action", ["query", "parse", "checktoken"])
def test_reading_needs_no_credentials(wiki: Served, action: str) -> None:
    more = {
        "query": {"titles": "Main Page"},
        "parse": {"text": "x", "title": "T"},
        "checktoken": {"type": "csrf", "token": "x"},
    }
    assert action in wiki.get(action=action, **more[action])


def test_a_request_without_a_session_gets_a_new_one(block: dict[str, Any]) -> None:
    assert any("session" in line and "created" in line for line in block["debugLog"])


@pytest.mark.parametrize("cookie", ["wiki_session", "wikiUserID", "wikiToken", "forceHTTPS"])
def test_cookies_are_cleared_with_an_expiry_in_the_past(wiki: Served, cookie: str) -> None:
    answer = wiki.ask({"action": "checktoken", "type": "csrf", "token": "x", "format": "json"})
    lines = answer.headers.get_all("Set-Cookie", [])
    (line,) = (line for line in lines if line.startswith(f"{cookie}="))
    assert re.search(r"expires=\w+, \d\d[ -]Jan[ -]1970", line)


def test_own_language_is_shared_for_visitors_and_private_for_accounts(wiki: Served) -> None:
    query = {"action": "query", "titles": "Main Page", "format": "json", "uselang": "user"}
    ages = {"smaxage": "60", "maxage": "60"}
    assert "public" in wiki.ask(query | ages).headers["Cache-Control"]
    session = {"Cookie": f"wiki_session={'a' * 32}"}
    kept = wiki.ask(query | ages, **session).headers["Cache-Control"]
    assert "private" in kept
    assert "public" not in kept


def test_running_version_is_reported(wiki: Served) -> None:
    answer = wiki.get(action="query", meta="siteinfo")
    assert answer["query"]["general"]["generator"].endswith(answer["debuginfo"][ENGINE])
