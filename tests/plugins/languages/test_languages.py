from __future__ import annotations

import logging

import pytest

from wikiapi.languages import LanguageConverter
from wikiapi_plugins.languages import DECLARATIONS, chinese
from wikiapi_plugins.shared.facts import facts

CONVERTERS: dict[str, LanguageConverter] = {entry.name: entry for entry in DECLARATIONS}


def test_every_language_with_variants_has_them_all() -> None:
    variants = {name: set(converter.by_code) for name, converter in CONVERTERS.items()}
    assert variants == {name: set(ways) for name, ways in facts("languagevariants").items()}


@pytest.mark.parametrize(
    ("variant", "text", "converted"),
    [
        ("sr", "Њива", "Њива"),
        ("sr-el", "Њива, ЉУБАВ, Џак", "Njiva, LjUBAV, Džak"),
        ("sr-ec", "Njiva, LJUBAV, Dzak, Džak", "Њива, ЉУБАВ, Дзак, Џак"),
        ("sr-ec", "in!jekcija nad!živeti", "инјекција надживети"),
        ("sr-ec", "Luj XIV, CD, Ivan", "Луј XIV, CD, Иван"),
        ("sr-el", "Čačak је", "Čačak је"),
        ("sh-cyrl", "Njiva", "Њива"),
        ("sh-latn", "Njiva Њива", "Njiva Њива"),
        ("iu", "inuktitut", "inuktitut"),
        ("ike-latn", "ᐃᓄᒃᑎᑐᑦ", "inuktitut"),
        ("ike-cans", "inuktitut nunavuumi", "ᐃᓄᒃᑎᑐᑦ ᓄᓇᕘᒥ"),
        ("shi-latn", "ⵜⴰⵛⵍⵃⵉⵜ", "taclḥit"),
        ("shi-tfng", "Taclḥit", "ⵜⴰⵛⵍⵃⵉⵜ"),
        ("zgh-latn", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "tamaziɣt"),
        ("tg-latn", "Тоҷикӣ", "Toçikī"),
        ("tly-cyrl", "Tolışi İ I", "Толыши И Ы"),
        ("uz-latn", "Ўзбекча шаҳар, бу ер", "Oʻzbekcha shahar, bu yer"),
        ("uz-cyrl", "Oʻzbekcha o'g'il, bu elda", "Ўзбекча ўғил, бу элда"),
        ("ku-arab", "kurdî û azad", "کوردی ئوو ئازاد"),
        ("ku-latn", "ئازاد", "azad"),
    ],
)
def test_text(variant: str, text: str, converted: str) -> None:
    converter = next(entry for entry in DECLARATIONS if variant in entry.by_code)
    assert converter.convert(text, variant) == converted


@pytest.mark.skipif(not chinese.has_dictionaries(), reason="the extra chinese is not installed")
@pytest.mark.parametrize(
    ("variant", "text", "converted"),
    [
        ("zh", "头发和發展", "头发和發展"),
        ("zh-hans", "頭髮和發展", "头发和发展"),
        ("zh-hant", "头发和发展", "頭髮和發展"),
        ("zh-tw", "软件里", "軟體裡"),
        ("zh-tw", "軟件", "軟體"),
        ("zh-hk", "软件", "軟件"),
        ("zh-cn", "軟體", "软件"),
        ("zh-sg", "頭髮", "头发"),
        ("gan-hans", "贛語", "赣语"),
        ("wuu-hant", "吴语", "吳語"),
    ],
)
def test_chinese(variant: str, text: str, converted: str) -> None:
    converter = next(entry for entry in DECLARATIONS if variant in entry.by_code)
    assert converter.convert(text, variant) == converted


def test_chinese_without_dictionaries(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(chinese, "has_dictionaries", lambda: False)
    chinese._warn_of_missing_dictionaries.cache_clear()
    converter = chinese.converter("zh")
    with caplog.at_level(logging.WARNING):
        for variant in converter.by_code:
            assert converter.convert("头发", variant) == "头发"
    assert len(caplog.records) == 1
    assert "wikiapi-server[chinese]" in caplog.text
