from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.shared.facts import facts


def query(site: Site, **params: str) -> Any:
    answer = ask(site, {"action": "query", "meta": "languageinfo", **params})
    assert answer.codes == ""
    return answer


def test_everything_about_some_languages(query_site: Site) -> None:
    props = "code|bcp47|dir|autonym|name|variantnames|fallbacks|variants"
    answer = query(query_site, licode="he|zh-hans|simple", liprop=props)
    languages = answer.data["query"]["languageinfo"]
    assert list(languages) == ["he", "simple", "zh-hans"]
    assert languages["he"] == {
        "code": "he",
        "bcp47": "he",
        "dir": "rtl",
        "autonym": "עברית",
        "name": "עברית",
        "variantnames": {"he": "עברית"},
        "fallbacks": [],
        "variants": ["he"],
    }
    assert languages["zh-hans"]["fallbacks"] == ["zh-cn", "zh", "zh-hant"]
    assert languages["simple"]["variants"] == ["en"]


def test_all_languages(query_site: Site) -> None:
    languages = query(query_site).data["query"]["languageinfo"]
    assert list(languages) == sorted(facts("languages"))


def test_unknown_codes_warn(query_site: Site) -> None:
    answer = query(query_site, licode="nope|en")
    assert answer.warned == ["apiwarn-unrecognizedvalues"]
    assert answer.data["query"]["languageinfo"] == {"en": {"code": "en"}}
    assert query(query_site, licode="nope").version1["query"]["languageinfo"] == {}


def test_continues_where_the_answer_was_full(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"http": {"result_size_limit": 300}})
    codes: list[str] = []
    more: dict[str, str] = {}
    while True:
        answer = query(site, **more).data
        codes += answer["query"]["languageinfo"]
        if "continue" not in answer:
            break
        more = answer["continue"]
    assert codes == sorted(facts("languages"))


@pytest.mark.parametrize("value", ["zzzz", "'; --", "\x00"])
def test_hostile_continuation_is_harmless(query_site: Site, value: str) -> None:
    assert isinstance(query(query_site, licontinue=value).data["query"]["languageinfo"], dict)
