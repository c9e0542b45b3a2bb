"""``#time`` and its variants: parsing, formatting and expiry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from wikiapi.site import Site
from wikiapi.timetexts import time_of

NOW = datetime(2024, 2, 14, 10, 20, 30, tzinfo=UTC)
_DAYS = ("{{#time:d}}", "{{#timel:d}}", "{{CURRENTDAY}}", "{{LOCALDAY}}")
ERROR = '<strong class="error">Error: Invalid time.</strong>'


pytestmark = pytest.mark.wiki({"Page": "x"})


@pytest.fixture
def expiry_of(make_site):
    """Return how long a rendering of that day is valid."""
    site = make_site({}, clock=lambda: NOW)
    return lambda text: site.parser.parse(text, site.titles.parse("Page")).cache_expiry


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", "2024-02-14T10:20:30"),
        ("now", "2024-02-14T10:20:30"),
        ("today", "2024-02-14T00:00:00"),
        ("yesterday noon", "2024-02-13T12:00:00"),
        ("tomorrow", "2024-02-15T00:00:00"),
        ("today + 2 days", "2024-02-16T00:00:00"),
        ("today - 2 days", "2024-02-12T00:00:00"),
        ("today -- 2 days", "2024-02-16T00:00:00"),
        ("2001-01-15 + 1 month", "2001-02-15T00:00:00"),
        ("12:00 - 1 hour", "2024-02-14T11:00:00"),
        ("20010115123456", "2001-01-15T12:34:56"),
        ("2001-01-15T12:34:56Z", "2001-01-15T12:34:56"),
        ("2001-01-15 12:34", "2001-01-15T12:34:00"),
        ("2001-01-15 12:34 +02:00", "2001-01-15T10:34:00"),
        ("2011-11-12 23:00 Europe/Paris", "2011-11-12T22:00:00"),
        ("2011-11-12 23:00 America/New_York", "2011-11-13T04:00:00"),
        ("2011-11-12 23:00 America/Argentina/Buenos_Aires", "2011-11-13T02:00:00"),
        ("2011-11-12 23:00 Etc/GMT+5", "2011-11-13T04:00:00"),
        ("2011-11-12_23:00", "2011-11-12T23:00:00"),
        ("12:34, 5 January 2001 (UTC)", "2001-01-05T12:34:00"),
        ("15 Jan 2001 3:30 pm", "2001-01-15T15:30:00"),
        ("January 15, 2001", "2001-01-15T00:00:00"),
        ("January 2001", "2001-01-01T00:00:00"),
        ("2009-02-30", "2009-03-02T00:00:00"),
        ("2005", "2005-02-14T00:00:00"),
        ("+1 day", "2024-02-15T10:20:30"),
        ("-2 weeks", "2024-01-31T10:20:30"),
        ("3 days ago", "2024-02-11T10:20:30"),
        ("31 January 2023 +1 month", "2023-03-03T00:00:00"),
        ("monday", "2024-02-19T00:00:00"),
        ("last wednesday", "2024-02-07T00:00:00"),
        ("next wednesday", "2024-02-21T00:00:00"),
        ("last monday", "2024-02-12T00:00:00"),
        ("last day of next month", "2024-03-31T10:20:30"),
        ("first monday of January 2024", "2024-01-01T00:00:00"),
        ("last friday of 2024-03", "2024-03-29T00:00:00"),
        ("@86400", "1970-01-02T00:00:00"),
    ],
)
def test_moments(text, read):
    assert time_of(text, NOW).astimezone(UTC).isoformat() == f"{read}+00:00"


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("{{#time:Y|15 January 2001}}", "2001"),
        ("{{#time:d F Y|1988-02-28|nl}}", "28 februari 1988"),
        ("{{#time:c|15 January 2001}}", "2001-01-15T00:00:00+00:00"),
        ("{{#time:r|15 January 2001}}", "Mon, 15 Jan 2001 00:00:00 +0000"),
        ("{{#time:D l N w z W t L o y|2024-12-30}}", "Mon Monday 1 1 364 01 31 1 2025 24"),
        ("{{#time:a A g h G H i s|2001-01-15 15:04:05}}", "pm PM 3 03 15 15 04 05"),
        ('{{#time:"Y:" Y \\Y xx xrY|2001}}', "Y: 2001 Y x MMI"),
        ("{{#time:e I O P T Z|2001-01-15}}", "UTC 0 +0000 +00:00 UTC 0"),
        ("{{#time:U|@86400}}", "86400"),
        ("{{#time:xg|2001-05-01|ru}}", "мая"),
        ("{{#timel: Y-m-d H:i | 16 January 2001}}", "2001-01-16 00:00"),
        ("{{#timef:15 January 2001}}", "00:00, 15 January 2001"),
        ("{{#timef:15 January 2001|pretty}}", "15 January"),
        ("{{#timef:15 January 2001|both|ja}}", "2001年1月15日 (月) 00:00"),
        ("{{#timefl:17 January 2001|date}}", "17 January 2001"),
        ("{{#time:Y|99999999 years}}", ERROR),
        ("{{#time:Y|-99999 years}}", ERROR),
        ("{{#time:Y|no such thing}}", ERROR),
        ("{{#time:Y|../../etc/passwd}}", ERROR),
        ("{{#time:Y|\u0662\u0660\u0660\u0661}}", ERROR),
    ],
)
def test_times(site, text, expanded):
    assert site.parser.expand(text, site.titles.parse("Page")) == expanded


def test_formats_have_a_limit_together(site):
    pattern = "Y" * 2999
    text = f"{{{{#time:{pattern}|2001-01-15}}}}" * 2 + "{{#time:YYY|2001-01-15}}"
    expanded = site.parser.expand(text, site.titles.parse("Page"))
    assert expanded.endswith("in total.</strong>")
    assert expanded.count("error") == 1


@pytest.mark.parametrize(
    ("pattern", "seconds"),
    [
        ("s", 1),
        ("c", 1),
        ("H:i", 30),
        ("g", 2370),
        ("j F Y", 49_170),
        ("a", 49_170),
        ("xij", 49_170),
        ("W", 394_770),
        ("F Y", 1_345_170),
        ("Y", 27_783_570),
        ("xnY", 27_783_570),
        (r'"as it is" \s', None),
        ("e", None),
        ("", None),
    ],
)
def test_the_present_goes_stale_when_what_is_shown_of_it_changes(expiry_of, pattern, seconds):
    assert expiry_of(f"{{{{#time:{pattern}}}}}") == seconds
    assert expiry_of(f"{{{{#time:{pattern}|}}}}") == seconds


@pytest.mark.parametrize("moment", ["2001-01-15", "now", "+1 day", "12:00", "today + 2 days"])
def test_a_moment_that_is_named_does_not_go_stale(expiry_of, moment):
    assert expiry_of(f"{{{{#time:U|{moment}}}}}") is None


def test_a_local_day_ends_at_local_midnight(make_site):
    site = make_site({}, config={"site": {"timezone": "Asia/Kolkata"}}, clock=lambda: NOW)
    page = site.titles.parse("Page")
    ends = [site.parser.parse(text, page).cache_expiry for text in _DAYS]
    assert ends == [49_170, 29_370, 49_170, 29_370]


@pytest.mark.parametrize(
    ("pattern", "moment", "language", "text"),
    [
        ("xij xiF xiY", "2024-03-20", "en", "1 Farvardin 1403"),
        ("xij/xin/xiy xit xiz", "2024-03-19", "en", "29/12/02 29 364"),
        ("xit xiz", "2025-03-20", "en", "30 365"),
        ("xit xiz", "2024-10-21", "en", "30 215"),
        ("xij xiF xiY", "1979-02-11", "fa", "۲۲ بهمن ۱۳۵۷"),
        ("xmj xmF xmY", "2024-03-11", "en", "1 Ramadan 1445"),
        ("xmj/xmn", "2023-07-19", "en", "1/1"),
        ("xjj xjF xjY", "2024-03-24", "en", "14 Adar II 5784"),
        ("xjj xjF xjn xjt", "2024-02-23", "en", "14 Adar I 13 30"),
        ("xjn xjt", "2024-03-24", "en", "14 29"),
        ("xjj xjx xjn", "2023-03-07", "en", "14 Adar 6"),
        ("xjj xjF xjn", "2023-09-16", "en", "1 Tishrei 1"),
        ("xjj xjF xjn", "2024-04-23", "en", "15 Nisan 7"),
        ("xhxjj xjF xhxjY", "2024-04-23", "he", 'ט"ו ניסן ה\'תשפ"ד'),
        ("xhY", "2000-01-01", "en", "ב'"),
        ("xhj", "2000-01-01", "en", "א'"),
        ("xhj", "2000-01-16", "en", 'ט"ז'),
        ("xkY xoY", "2024-01-01", "en", "2567 113"),
        ("xtY", "2019-04-30", "en", "平成31"),
        ("xtY", "2019-05-01", "en", "令和元"),
        ("xtY", "2026-11-21", "en", "令和8"),
        ("xtY", "1926-12-24", "en", "大正15"),
        ("xtY", "1926-12-25", "en", "昭和元"),
        ("xtY", "1912-07-29", "en", "明治45"),
        ("xtY", "1873-01-01", "en", "明治6"),
        ("xtY", "1872-12-31", "en", "1872"),
        ("xtY Y", "2026-11-21", "hi", "令和8 २०२६"),
        ("F Y", "2026-05-21", "xx", "May 2026"),
        ("F Y", "2026-05-21", "NO CODE", "May 2026"),
        ("xrY", "1994-01-01", "en", "MCMXCIV"),
        ("xrxtY", "2026-11-21", "en", "令和8"),
        ("j xg", "2024-01-01", "ru", "1 января"),
        ("xnY Y", "2024-01-01", "fa", "2024 ۲۰۲۴"),
        ("xNY Y xN Y", "2024-01-01", "fa", "2024 2024  ۲۰۲۴"),
        ("xx xz xi xiQ", "2024-01-01", "en", "x xz xi xiQ"),
    ],
)
def test_other_calendars_and_numerals(site, pattern, moment, language, text):
    wikitext = f"{{{{#time:{pattern}|{moment}|{language}}}}}"
    assert site.parser.expand(wikitext, site.titles.parse("Page")) == text


@pytest.mark.parametrize("text", ["+1 month 2 days", "last day of next month", "noon", "may 5"])
def test_the_same_words_mean_another_moment_later(text: str) -> None:
    early, late = datetime(2001, 1, 15, tzinfo=UTC), datetime(2003, 8, 20, tzinfo=UTC)
    first = time_of(text, early)
    assert time_of(text, late) != first
    assert time_of(text, early) == first


def test_english_stands_in_for_languages_that_do_not_exist(make_site: Callable[..., Site]) -> None:
    site = make_site({}, language="he")
    page = site.titles.parse("Page")
    assert site.parser.expand("{{#time:F|2026-05-01|xx}}", page) == "May"
    assert site.parser.expand("{{#time:F|2026-05-01|he}}", page) == "מאי"
    assert site.parser.expand("{{#time:F|2026-05-01|X}}", page) == "מאי"
