"""Times that no clock shows: refused where they come in, and read where they are stored already."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.plugins.historywiki import history_wiki
from tests.plugins.linkwiki import link_wiki
from tests.plugins.querywiki import query_wiki
from tests.security.everyrequest import api_reply, api_requests, web_reply, web_requests
from tests.security.impossibletimes import IMPOSSIBLE, STORED
from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.api.module import Module
from wikiapi.api.registries import registries
from wikiapi.errors import DumpError
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables.loader import load_table
from wikiapi.site import Site
from wikiapi.store.fields import DateTime, Timestamp
from wikiapi.store.models import ALL_MODELS
from wikiapi.testing.client import ELSEWHERE, ApiClient

TIME = re.compile(r"(?<=<timestamp>)[^<]*")
UPLOAD = (
    "<upload><timestamp>2024-01-01T00:00:00Z</timestamp><contributor><username>Ada</username>"
    "<id>7</id></contributor><filename>A.png</filename><size>12</size></upload>"
)
LOG_ENTRY = (
    "<logitem><id>3</id><timestamp>2024-01-01T00:00:00Z</timestamp><type>move</type>"
    "<action>move</action><logtitle>A</logtitle></logitem>\n"
)
ITEMS = {
    "revision": page("A", 1, revision(1, "x")),
    "upload": page("File:A.png", 1, UPLOAD, ns=6),
    "log entry": LOG_ENTRY,
}


def source(data: bytes) -> DumpSource:
    return DumpSource(io.BytesIO(data), "test", len(data))


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_dumps_are_refused_with_the_line(
    make_site: Callable[..., Site], name: str, item: str
) -> None:
    data = dump(TIME.sub(IMPOSSIBLE[name], ITEMS[item]))
    with pytest.raises(DumpError, match=r"line \d+: <timestamp> is not a timestamp") as caught:
        DumpImporter(site := make_site()).import_dump(source(data))
    assert caught.value.line is not None
    assert 2 < caught.value.line <= data.count(b"\n")
    assert site.db.execute_sql("SELECT count(*) FROM revision") == [(0,)]
    assert site.db.execute_sql("SELECT count(*) FROM logging") == [(0,)]
    assert site.db.execute_sql("SELECT count(*) FROM image") == [(0,)]


def test_dumps_with_ends_of_the_calendar(make_site: Callable[..., Site]) -> None:
    for moment in ("1000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-02-29T23:59:59.5Z"):
        site = make_site()
        DumpImporter(site).import_dump(source(dump(TIME.sub(moment, ITEMS["revision"]))))
        assert site.db.execute_sql("SELECT count(*) FROM revision") == [(1,)]


SQL_TIMES = {
    "30 February": "20260230000000",
    "month 99": "20269901000000",
    "year 0": "00000101000000",
    "25 hours": "20260101256161",
    "nines": "99999999999999",
    "too short": "2026",
    "words": "yesterday",
    "30 February in MySQL's form": "2026-02-30 00:00:00",
    "digits of another script": "٢٠٢٦٠١٠١٠٠٠٠٠٠",
    "a word of another column": "infinity",
}
CATEGORY = "cl_from cl_sortkey cl_timestamp cl_sortkey_prefix cl_type cl_collation_id cl_target_id"
PROTECTION = "pr_id pr_page pr_type pr_level pr_cascade pr_expiry"


@pytest.mark.parametrize("name", SQL_TIMES)
def test_table_dumps_are_refused_with_the_rows(make_site: Callable[..., Site], name: str) -> None:
    text, site = SQL_TIMES[name], make_site()
    good = page_rows((1, 0, "A"), (2, 0, "B"))
    load_table(site.db, source(sql_dump("page", PAGE, good)))
    before = site.db.execute_sql("SELECT * FROM page")
    bad = good.replace("20260101000000", text, 1)
    with pytest.raises(DumpError, match=r"rows 1 to 2 of the table 'page': .* is not a timestamp"):
        load_table(site.db, source(sql_dump("page", PAGE, bad)))
    assert site.db.execute_sql("SELECT * FROM page") == before
    category = sql_dump("categorylinks", CATEGORY, f"(1,'A','{text}','','page',1,1)")
    with pytest.raises(
        DumpError, match=r"row.* of the table 'categorylinks': .* is not a timestamp"
    ):
        load_table(site.db, source(category))
    if name != "a word of another column":
        protection = sql_dump("page_restrictions", PROTECTION, f"(1,1,'edit','x',0,'{text}')")
        with pytest.raises(DumpError, match=r"row.* of the table 'page_restrictions'"):
            load_table(site.db, source(protection))


def test_what_mysql_writes_for_no_time(make_site: Callable[..., Site]) -> None:
    site = make_site()
    load_table(site.db, source(sql_dump("page", PAGE, page_rows((1, 0, "A")))))
    load_table(
        site.db,
        source(sql_dump("categorylinks", CATEGORY, "(1,'A','0000-00-00 00:00:00','','page',1,1)")),
    )
    assert (
        str(site.db.execute_sql("SELECT cl_timestamp FROM categorylinks")[0][0]) == "19700101000000"
    )
    for text in ("'infinity'", "NULL", "''", "'20300101000000\\0'"):
        rows = f"(1,1,'edit','sysop',0,{text})"
        load_table(site.db, source(sql_dump("page_restrictions", PROTECTION, rows)))
    assert site.db.execute_sql("SELECT pr_expiry FROM page_restrictions") == [("20300101000000",)]


# What a foreign database has already

TRUSTED = {
    "permissions": {
        "anonymous_rights": ["read", "deletedhistory", "deletedtext", "undelete", "patrolmarks"]
    },
    "http": {"secret_key": "k"},
    "site": {"timezone": "Pacific/Kiritimati"},
}
WIKIS = {"links": link_wiki, "history": history_wiki, "query": query_wiki}
TEXTS = ("Suppressed", "Special:Contributions/Ada")


def spoil(site: Site) -> None:
    """Put each of the times that no clock shows into some rows of each column for times."""
    for model in ALL_MODELS:
        table = model._meta.table_name
        for number, column in enumerate(model._meta.sorted_fields):
            if isinstance(column, Timestamp | DateTime):
                texts: tuple[str | None, ...] = (*STORED, *([None] if column.null else []))
                for rest, text in enumerate(texts):
                    site.db.execute_sql(
                        f'UPDATE OR IGNORE "{table}" SET "{column.column_name}" = ?'
                        f" WHERE (rowid + {number}) % {len(texts)} = {rest}",
                        (text,),
                    )


@pytest.fixture(scope="module", params=WIKIS)
def spoilt(request: pytest.FixtureRequest) -> Iterator[Site]:
    site = WIKIS[request.param](TRUSTED)
    spoil(site)
    yield site
    site.db.close()


def test_no_request_fails_over_a_stored_time(spoilt: Site) -> None:
    client = ApiClient(make_app(spoilt))
    failing = [
        (params, reply)
        for params in api_requests(spoilt, TEXTS)
        if (reply := api_reply(client, params))[0] >= 500 or b"internal_api_error" in reply[2]
    ]
    assert failing == []


def test_no_page_fails_over_a_stored_time(spoilt: Site) -> None:
    wsgi = InProcess(make_app(spoilt), ELSEWHERE)
    failing = [
        (asked, reply)
        for asked in web_requests(TEXTS)
        if (reply := web_reply(wsgi, *asked))[0] >= 500 and reply[0] != 501
    ]
    assert failing == []


PARAMETERS = (
    *IMPOSSIBLE.values(),
    *(text for text in STORED if text),
    "0", "now", "-1", "-0", "17044580961704458096", "9" * 400, "-99999999999999", "1e400", "1.5",
    "٤", "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00-23:59", "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59", "Fri, 31 Feb 2026 25:61:61 +9999", "Mon, 1 Jan 1 00:00:00 GMT",
    "1 Jan 99999999999 00:00:00", "00010101T000000Z", "infinity", "\x00", "\ud7ff", "2026-W01-1",
)  # fmt: skip


def timestamp_params(site: Site) -> Iterator[tuple[dict[str, str], str]]:
    """Yield every timestamp parameter of the API, with a request for it."""
    for action in registries(site).actions.values():
        yield from _of(site, action, {"action": action.name})
    for name, module in registries(site).query_modules.items():
        base = {"action": "query", module.group: name}
        yield from _of(site, module, base | ({"titles": "Alpha"} if module.group == "prop" else {}))


def _of(
    site: Site, module: type[Module], base: dict[str, str]
) -> Iterator[tuple[dict[str, str], str]]:
    for param in module.param_set(site).params:
        if param.type.type_name in ("timestamp", "expiry"):
            yield base, module.prefix + param.name


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = history_wiki(TRUSTED)
    yield site
    site.db.close()


def test_any_text_may_be_given_for_a_time(client: ApiClient, site: Site) -> None:
    failing, asked = [], 0
    for base, name in timestamp_params(site):
        for text in PARAMETERS:
            reply = api_reply(client, {**base, name: text})
            asked += 1
            if reply[0] >= 500 or b"internal_api_error" in reply[2]:
                failing.append((base, name, text, reply))
    assert failing == []
    assert asked > 20 * len(PARAMETERS)


def test_a_day_too_many_is_carried_as_in_mediawiki(client: ApiClient) -> None:
    def answer(start: str) -> Any:
        params = {"action": "query", "list": "allrevisions", "arvstart": start, "arvlimit": "max"}
        return api_reply(client, params)

    assert answer("2025-02-30T00:00:00Z") == answer("2025-03-02T00:00:00Z")
    assert answer("2025-01-01T25:61:61Z") == answer("2025-01-02T02:02:01Z")
    assert b"badtimestamp" in answer("99999999999999")[2]
    assert b"badtimestamp" in answer("17044580961704458096")[2]


FORMATS = (
    "Y-m-d H:i:s", "c", "r", "U", "D, d M y N w z W t L o g h G", "xijxinxiFxiYxiyxitxiz",
    "xmjxmFxmnxmY", "xjjxjFxjtxjxxjnxjY", "xkYxoYxtY", "xrYxhY", "xnY", "e I O P T Z",
)  # fmt: skip
MOMENTS = (
    *PARAMETERS,
    "+99999999999 years", "-99999999999 seconds", "+" * 8 + "1 day", "@" + "9" * 15,
    "@-" + "9" * 15,
    "last day of february 0000", "31 February 2026", "first mon of january 9999",
    "tenth sun of december 9999", "1 January 9999 +12 months", "0000", "9999", "24:00", "25:00",
    "2026-02-30 UTC+25", "Pacific/Kiritimati 9999-12-31 23:59:59", "31 december 9999 EST",
    "1 january 0001 CET", "- - - 1 day", "monday tuesday wednesday", "now now now",
)  # fmt: skip


def test_the_parser_function_takes_any_time(client: ApiClient) -> None:
    calls = [
        f"{{{{#{name}:{form}|{text.replace('|', '')}||{local}}}}}"
        for form in FORMATS
        for text in MOMENTS
        for name, local in (("time", ""), ("timel", ""), ("time", "1"))
    ]
    calls += [f"{{{{#timef:{text}|{style}}}}}" for text in MOMENTS for style in ("", "pretty")]
    for start in range(0, len(calls), 60):
        # Each rendering has room for some thousand characters of formats.
        text = "\n".join(calls[start : start + 60])
        params = {"action": "expandtemplates", "text": text, "prop": "wikitext"}
        status, _, body = api_reply(client, params)
        assert status == 200
        assert b'"error":' not in body.replace(b'class=\\"error\\"', b"")
