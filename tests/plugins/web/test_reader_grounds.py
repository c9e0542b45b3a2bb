"""Style sheets of pages in the dark."""

from __future__ import annotations

import pytest

from wikiapi_plugins.web.darkmode import with_dark_mode_rules


def added_rules(sheet: str) -> str:
    html = with_dark_mode_rules(f'<p>x</p><style data-mw-deduplicate="a">{sheet}</style><p>y</p>')
    return html.partition(sheet)[2].partition("</style>")[0]


@pytest.mark.parametrize(
    ("sheet", "selector"),
    [
        (".a{background:#fff}", ".a"),
        (".a,.b > c{background-color:#EEE;margin:0}", ".a,.b > c"),
        (".a{margin:0}.b{BACKGROUND:red}", ".b"),
        (".a{background:url(x.png) #fff}", ".a"),
    ],
)
def test_letters_are_made_dark_on_a_ground(sheet: str, selector: str) -> None:
    rule = added_rules(sheet)
    assert rule.startswith(f"@media (prefers-color-scheme:dark){{{selector}{{color-scheme:light;")


@pytest.mark.parametrize(
    "sheet",
    [
        ".a{background:#222;color:#fff}",
        ".a{background:none}.b{background:transparent}",
        ".a{background:var(--background-color-base,#fff)}",
        "@media print{.a{background:#fff}}",
        ".a{color:red}",
        "}}{{ a",
    ],
)
def test_other_rules_stay_as_they_are(sheet: str) -> None:
    assert added_rules(sheet) == ""


def test_text_that_looks_like_a_sheet_is_left_alone() -> None:
    html = "<p>&lt;style&gt;.a{background:red}&lt;/style&gt;</p>"
    assert with_dark_mode_rules(html) == html
