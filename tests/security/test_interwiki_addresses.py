"""Interwiki prefixes that lead to what is no address of the web: nothing ever links there."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.security.everyrequest import api_reply, api_requests, web_reply, web_requests
from tests.unit.importing.tables.sqldump import sql_dump
from wikiapi.cli.doctor.store import check_interwiki
from wikiapi.errors import ConfigError, DumpError, PluginError
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.importing.siteinfo import config_text, default_interwiki, read_interwiki
from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables.loader import load_table
from wikiapi.importing.xml.records import SiteInfo
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.testing.client import ELSEWHERE, ApiClient
from wikiapi.title.interwiki import Interwiki

EVIL = {
    "javascript": "javascript:evil//$1",
    "in capitals": "JaVaScRiPt:evil//$1",
    "data": "data:text/html,evil$1",
    "vbscript": "vbscript:evil($1)",
    "a blank before": " javascript:evil//$1",
    "a tab within": "java\tscript:evil//$1",
    "a line feed within": "java\nscript:evil//$1",
    "a control character before": "\x01javascript:evil//$1",
    "a control character of another set": "\x9bjavascript:evil//$1",
    "NUL": "java\0script:evil//$1",
    "a header more": "https://evil.example/\r\nSet-Cookie: evil=$1",
    "file": "file:///evil/$1",
    "ftp": "ftp://evil.example/$1",
    "mail": "mailto:evil@$1",
    "blob": "blob:https://evil.example/$1",
    "the page is the scheme": "$1evil",
    "the page ends the scheme": "java$1evil",
    "no server": "http:evil/$1",
    "view-source": "view-source:https://evil.example/$1",
    "a path of Windows": "c:\\evil\\$1",
    "nothing": "",
}
GOOD = {
    "good-https": "https://good.example/wiki/$1",
    "good-http": "HTTP://good.example/$1",
    "good-relative": "/good/$1",
    "good-either": "//good.example/$1",
    "good-script": "good.php?title=$1",
    "good-port": "https://good.example:8080/$1?a:b",
}
LOCAL = Interwiki("near", "/$1", local=True)


def prefix(name: str) -> str:
    return name.lower().replace(" ", "-")


def wiki(addresses: dict[str, str]) -> Site:
    """Return a wiki with a page that links to each of the prefixes in every possible way."""
    names = [prefix(name) for name in addresses]
    ways = (
        "[[{0}:Page]] [[:{0}:Page|label]] {{{{#interwikilink:{0}|Page|label}}}} "
        "{{{{#interlanguagelink:{0}|Page}}}} {{{{fullurl:{0}:Page}}}} "
        "[[File:Photo.png|link={0}:Page]] {{{{canonicalurl:{0}:Page}}}} {{{{localurl:{0}:Page}}}}"
    )
    text = "\n".join(ways.format(name) for name in names)
    rows = [
        Interwiki(prefix(name), url, api=url, wiki_id="w", local=bool(number % 2), trans=True)
        for number, (name, url) in enumerate(addresses.items())
    ]
    # Languages are prefixes, too.
    rows.append(Interwiki("de", next(iter(addresses.values())), local=True))
    redirects = {f"Redirect {name}": f"#REDIRECT [[{name}:Page]]" for name in names}
    site = make_site(
        {"Page": f"{text}\n[[de:Seite]]", **redirects},
        files=["Photo.png"],
        interwiki=[*rows, LOCAL],
        config={"http": {"secret_key": "k"}},
    )
    ids = dict(site.db.execute_sql("SELECT page_title, page_id FROM page"))
    for name in (*names, "de"):
        site.db.execute_sql(
            "INSERT OR IGNORE INTO iwlinks VALUES (?, ?, 'Page')", (ids["Page"], name)
        )
        site.db.execute_sql(
            "INSERT OR IGNORE INTO langlinks VALUES (?, ?, 'Page')", (ids["Page"], name)
        )
    for name in names:
        page_id = ids[f"Redirect_{name}"]
        site.db.execute_sql("UPDATE page SET page_is_redirect = 1 WHERE page_id = ?", (page_id,))
        site.db.execute_sql(
            "INSERT OR REPLACE INTO redirect VALUES (?, 0, 'Page', ?, '')", (page_id, name)
        )
    return site


@pytest.fixture(scope="module")
def evil() -> Iterator[Site]:
    site = wiki(EVIL)
    yield site
    site.db.close()


def replies(site: Site) -> Iterator[tuple[object, str]]:
    """Yield every answer of a wiki with its request."""
    app = make_app(site)
    client, wsgi = ApiClient(app), InProcess(app, ELSEWHERE)
    texts = ("Page", "javascript:Page", "Redirect javascript", "good-https:Page", "near:/x")
    for params in api_requests(site, texts):
        yield params, str(api_reply(client, params))
    for titles in texts:
        params = {"action": "query", "titles": titles, "iwurl": "1", "redirects": "1"}
        yield params, str(api_reply(client, params))
    for path, query in web_requests(texts):
        yield (path, query), str(web_reply(wsgi, path, query))


def test_nothing_that_is_said_leads_there(evil: Site) -> None:
    requests = [asked for asked, reply in replies(evil) if "evil" in unquote(reply)]
    assert requests == []


def test_a_name_of_a_page_is_no_server(evil: Site) -> None:
    """With the address ``/$1``, a page that begins with a slash would be one."""
    assert Interwiki("near", "/$1").page_url("/evil.example") == "/%2Fevil.example"
    assert evil.page_path(evil.titles.parse("near:/x")) == "/%2Fx"


def test_the_same_requests_tell_of_good_addresses() -> None:
    """Otherwise the other would prove nothing."""
    site = wiki(GOOD)
    text = "".join(reply for _, reply in replies(site))
    site.db.close()
    for url in GOOD.values():
        assert url.replace("$1", "Page") in text
        assert url in text


@pytest.mark.parametrize("name", EVIL)
def test_the_prefix_is_left_out_when_it_is_read(evil: Site, name: str) -> None:
    assert evil.interwiki.get(prefix(name)) is None
    assert not evil.titles.parse(f"{prefix(name)}:Page").interwiki


def test_the_doctor_reports_it(evil: Site) -> None:
    findings = list(check_interwiki(evil))
    assert len(findings) == len(EVIL) + 1
    assert "the interwiki prefix 'ftp' is ignored" in "".join(f.problem for f in findings)


def test_an_api_that_is_no_address_is_not_shown() -> None:
    site = make_site(interwiki=[Interwiki("a", "https://a.example/$1", "javascript:evil")])
    assert [entry.api for entry in site.interwiki] == [""]
    site.db.close()


@pytest.mark.parametrize("name", [name for name in EVIL if EVIL[name]])
def test_imports_refuse_it(make_site: Callable[..., Site], tmp_path: Path, name: str) -> None:
    path = tmp_path / "map.json"
    for entry in (
        {"prefix": "x", "url": EVIL[name]},
        {"prefix": "x", "url": "https://x.example/$1", "api": EVIL[name]},
    ):
        path.write_text(json.dumps([entry]))
        with pytest.raises(ConfigError, match="the interwiki prefix 'x' leads to") as caught:
            read_interwiki(path)
        assert str(caught.value).isprintable()
    site = make_site(interwiki={"before": "https://before.example/$1"})
    columns = "iw_prefix iw_url iw_api iw_wikiid iw_local iw_trans"
    url = f"0x{EVIL[name].encode().hex()}"
    for row in (f"('x',{url},'','',0,0)", f"('x','https://x.example/$1',{url},'',0,0)"):
        data = sql_dump("interwiki", columns, row)
        source = DumpSource(io.BytesIO(data), "test", len(data))
        with pytest.raises(
            DumpError, match=r"rows 1 to 1 of the table 'interwiki': .*neither an http"
        ):
            load_table(site.db, source)
    assert site.db.execute_sql("SELECT iw_prefix FROM interwiki") == [("before",)]


@pytest.mark.parametrize("url", GOOD.values())
def test_imports_take_addresses_of_the_web(
    make_site: Callable[..., Site], tmp_path: Path, url: str
) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps([{"prefix": "x", "url": url}]))
    assert [row.url for row in read_interwiki(path)] == [url]
    site = make_site()
    columns = "iw_prefix iw_url iw_api iw_wikiid iw_local iw_trans"
    data = sql_dump("interwiki", columns, f"('x','{url}','','',0,0)")
    load_table(site.db, DumpSource(io.BytesIO(data), "test", len(data)))
    assert site.db.execute_sql("SELECT iw_url FROM interwiki") == [(url,)]


@pytest.mark.parametrize(
    "base",
    [
        "javascript://evil.example/wiki/Main_Page",
        "data://x/wiki/Main_Page",
        "https://a@evil.example/wiki/Main_Page",
        'https://a"onclick=evil/wiki/Main_Page',
        "https://good.example//evil.example/Main_Page",
        "https://good.example/\nevil/Main_Page",
        "https://[evil/wiki/Main_Page\x00",
        "http://[",
        "evil",
    ],
)
def test_a_dump_names_no_such_server(base: str) -> None:
    """The configuration that is written for a dump takes no address from it that is none."""
    info = SiteInfo("W", "w\nSet-Cookie: evil", base, "x", "../evil", True, ())
    text = config_text(info, "sqlite:///x.sqlite", "images")
    assert "evil" not in text
    assert default_interwiki(base)


def test_a_farm_names_no_such_server() -> None:
    wikis = [{"url": "javascript:evil", "dbname": "x"}]
    with pytest.raises(PluginError, match="not an http or https address"):
        make_site(config={"extensions": {"sitematrix": {"wikis": wikis}}})


def test_whatever_a_database_has_in_the_place_of_texts(
    make_site: Callable[..., Site],
) -> None:
    site = make_site()
    site.db.execute_sql("PRAGMA ignore_check_constraints = 1")
    for values in ("(1, 2, 3, 4, 'x', 'y')", "(x'ff', x'ff', x'00', '', 0, 0)"):
        site.db.execute_sql(f"INSERT INTO interwiki VALUES {values}")
    again = open_site(site.config, database=site.db)
    assert all(isinstance(entry.url, str) for entry in again.interwiki)
