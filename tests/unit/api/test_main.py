from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.api.probe import Probe, ProbePlugin
from wikiapi.accounts.user import User
from wikiapi.api.context import CacheMode
from wikiapi.api.main import Main
from wikiapi.api.registries import registries
from wikiapi.api.request import ApiRequest
from wikiapi.site import Site
from wikiapi.testing import Answer, ask

PROBE = {"action": "probe"}


@pytest.fixture
def plugin() -> ProbePlugin:
    return ProbePlugin()


@pytest.fixture
def site(make_site: Callable[..., Site], plugin: ProbePlugin) -> Site:
    return make_site(plugins=[plugin])


def code(answer: Answer) -> Any:
    return answer.data.get("error", {}).get("code")


def test_action_is_executed_and_reported(site: Site, plugin: ProbePlugin) -> None:
    answer = ask(site, PROBE | {"ptext": "x"})
    assert answer.data == {"probe": {"text": "x"}}
    assert plugin.executed == [("probe", {"text": "x"})]


@pytest.mark.parametrize("action", ["nope", "", "Probe", "<script>", "probe|query"])
def test_unknown_action(site: Site, action: str) -> None:
    answer = ask(site, {"action": action})
    assert answer.data["error"]["info"] == f"BAD action: {action}"
    assert answer.codes == "badvalue"
    assert answer.context.headers == [("MediaWiki-API-Error", "badvalue")]


def test_missing_action_is_an_error_while_its_default_is_not_installed(site: Site) -> None:
    if "help" not in registries(site).actions:
        assert code(ask(site, {})) == "badvalue"


@pytest.mark.parametrize(
    ("params", "user", "error"),
    [
        ({"assert": "anon"}, None, None),
        ({"assert": "anon"}, User("Ada", frozenset(["read"]), 1), "assertanonfailed"),
        ({"assert": "user"}, None, "assertuserfailed"),
        ({"assert": "user"}, User("Ada", frozenset(["read"]), 1), None),
        ({"assert": "bot"}, User("Ada", frozenset(["read"]), 1), "assertbotfailed"),
        ({"assert": "bot"}, User("Bot", frozenset(["read", "bot"]), 1), None),
        ({"assert": "temp"}, None, "asserttempfailed"),
        ({"assert": "x"}, None, "badvalue"),
        ({"assertuser": "Ada"}, None, "assertnameduserfailed"),
        ({"assertuser": "ada"}, User("Ada", frozenset(["read"]), 1), None),
        ({"assertuser": "Bob"}, User("Ada", frozenset(["read"]), 1), "assertnameduserfailed"),
        ({"assertuser": "192.0.2.1"}, None, "baduser"),
        ({"assertuser": "<"}, None, "baduser"),
    ],
)
def test_assertions(site: Site, params: dict[str, str], user: User | None, error: str) -> None:
    assert code(ask(site, PROBE | params, user=user)) == error


def test_assertions_come_before_the_action(site: Site) -> None:
    assert code(ask(site, {"action": "postedprobe", "assert": "user"})) == "assertuserfailed"


def test_posted_action(site: Site) -> None:
    assert code(ask(site, {"action": "postedprobe"})) == "mustbeposted"
    request = ApiRequest("POST", {"action": "postedprobe"})
    assert code(ask(site, {}, request=request)) is None


@pytest.mark.parametrize(
    ("action", "promise", "codes"),
    [
        ("writingprobe", "true", "promised-nonwrite-api"),
        ("writingprobe", "1", "promised-nonwrite-api"),
        ("writingprobe", "0", "mustbeposted"),
        ("writingprobe", "", "mustbeposted"),
        ("probe", "true", ""),
    ],
)
def test_a_promise_not_to_write_is_checked(
    site: Site, action: str, promise: str, codes: str
) -> None:
    headers = {"promise-non-write-api-action": promise}
    params = {"action": action}
    answer = ask(site, params, request=ApiRequest(params=params, headers=headers))
    assert answer.codes == codes


def test_private_wiki(site: Site) -> None:
    nobody = User("192.0.2.1", frozenset())
    assert code(ask(site, PROBE, user=nobody)) == "readapidenied"
    assert code(ask(site, {"action": "openprobe"}, user=nobody)) is None


def test_extras(site: Site) -> None:
    params = {"requestid": "abc<def>", "servedby": "", "curtimestamp": "", "responselanginfo": ""}
    data = ask(site, PROBE | params).data
    assert data.pop("probe")
    assert data == {
        "requestid": "abc<def>",
        "curtimestamp": "2026-01-01T12:00:00Z",
        "uselang": "en",
        "errorlang": "en",
    }


def test_host_is_named_if_the_wiki_wants_it(
    make_site: Callable[..., Site], plugin: ProbePlugin
) -> None:
    site = make_site(plugins=[plugin], config={"http": {"show_host_name": True}})
    assert ask(site, PROBE | {"servedby": ""}).data["servedby"] == site.host_name
    assert site.host_name in ask(site, PROBE | {"maxlag": "-1"}).data["error"]["info"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"pfail": ""}, "show"),
        ({"assert": "bogus"}, "badvalue"),
        ({"assertuser": "bad["}, "baduser"),
        ({"maxlag": "x"}, "badinteger"),
    ],
)
def test_extras_stay_beside_an_error(site: Site, params: dict[str, str], code: str) -> None:
    data = ask(site, PROBE | {"requestid": "7", "curtimestamp": "", **params}).data
    assert data["requestid"] == "7"
    assert data["curtimestamp"] == "2026-01-01T12:00:00Z"
    assert data["error"]["code"] == code
    assert "probe" not in data


def test_long_request_id(site: Site) -> None:
    assert code(ask(site, PROBE | {"requestid": "é" * 127})) is None
    assert code(ask(site, PROBE | {"requestid": "é" * 128})) == "badvalue"


@pytest.mark.parametrize(
    ("params", "uselang", "errorlang"),
    [
        ({}, "en", "en"),
        ({"uselang": "fr"}, "fr", "en"),
        ({"uselang": "fr", "errorformat": "plaintext"}, "fr", "fr"),
        ({"uselang": "fr", "errorlang": "de"}, "fr", "en"),
        ({"uselang": "fr", "errorlang": "de", "errorformat": "html"}, "fr", "de"),
        ({"uselang": "user"}, "en", "en"),
        ({"uselang": "content"}, "en", "en"),
        ({"uselang": "<b>"}, "en", "en"),
        ({"uselang": "fr", "errorlang": "content", "errorformat": "raw"}, "fr", "en"),
        ({"uselang": "fr", "errorlang": "../x", "errorformat": "raw"}, "fr", "en"),
    ],
)
def test_languages(site: Site, params: dict[str, str], uselang: str, errorlang: str) -> None:
    data = ask(site, PROBE | params | {"responselanginfo": ""}).data
    assert (data["uselang"], data["errorlang"]) == (uselang, errorlang)


def test_unrecognised_parameters(site: Site) -> None:
    data = ask(site, PROBE | {"ptext": "", "foo": "1", "text": "2", "<b>": ""}).data
    warning = data["warnings"]["main"]["warnings"]
    assert warning == "UNRECOGNIZED parameters: foo, text, <b>"


def test_one_unrecognised_parameter(site: Site) -> None:
    data = ask(site, PROBE | {"foo": "1"}).data
    assert data["warnings"]["main"]["warnings"] == "UNRECOGNIZED parameter: foo"


def test_parameters_of_every_format_are_recognised(site: Site) -> None:
    params = dict.fromkeys(registries(site).format_params, "1")
    assert ask(site, PROBE | params).warned == []


def test_array_syntax(site: Site) -> None:
    request = ApiRequest(params=PROBE, array_names=frozenset({"ptext", "foo"}))
    data = ask(site, {}, request=request).data
    assert data["warnings"]["main"]["warnings"] == "ARRAY ptext"


@pytest.mark.parametrize(
    ("params", "mode"),
    [
        ({}, CacheMode.ANON_PUBLIC_USER_PRIVATE),
        ({"uselang": "user"}, CacheMode.ANON_PUBLIC_USER_PRIVATE),
        ({"uselang": "en"}, CacheMode.PUBLIC),
        ({"uselang": "content"}, CacheMode.PUBLIC),
        ({"pfail": "", "uselang": "en"}, CacheMode.PRIVATE),
    ],
)
def test_cache_mode(site: Site, params: dict[str, str], mode: CacheMode) -> None:
    assert ask(site, PROBE | params).context.cache.mode == mode


def test_cache_ages(site: Site) -> None:
    cache = ask(site, PROBE | {"maxage": "10", "smaxage": "20"}).context.cache
    assert (cache.max_age, cache.shared_max_age) == (10, 20)
    answer = ask(site, PROBE | {"maxage": "-1"})
    assert answer.context.cache.max_age == 0
    assert answer.warned == ["paramvalidator-outofrange-min"]


def test_errors_are_never_cached(site: Site) -> None:
    cache = ask(site, PROBE | {"maxage": "10", "smaxage": "20", "pfail": ""}).context.cache
    assert (cache.max_age, cache.shared_max_age, cache.mode) == (0, 0, CacheMode.PRIVATE)


@pytest.mark.parametrize("seconds", ["0", "5", "99999999"])
def test_store_never_lags(site: Site, seconds: str) -> None:
    assert code(ask(site, PROBE | {"maxlag": seconds})) is None


def test_negative_maxlag_is_refused(site: Site) -> None:
    answer = ask(site, PROBE | {"maxlag": "-1"})
    error = answer.data["error"]
    assert {k: error[k] for k in ("code", "host", "lag", "type")} == {
        "code": "maxlag",
        "host": site.host_name,
        "lag": 0,
        "type": "db",
    }
    assert dict(answer.context.headers) == {
        "Retry-After": "5",
        "X-Database-Lag": "0",
        "MediaWiki-API-Error": "maxlag",
    }


def test_limits_tell_what_max_stood_for(site: Site) -> None:
    assert ask(site, PROBE | {"plimit": "max"}).data["limits"] == {"probe": 500}
    high = User("Bot", frozenset(["read", "apihighlimits"]), 1)
    assert ask(site, PROBE | {"plimit": "max"}, user=high).data["limits"] == {"probe": 5000}
    assert "limits" not in ask(site, PROBE | {"plimit": "500"}).data
    assert "limits" not in ask(site, PROBE | {"plimit": "max", "pfail": ""}).data


def test_truncated_result(make_site: Callable[..., Site], plugin: ProbePlugin) -> None:
    site = make_site(plugins=[plugin], config={"http": {"result_size_limit": 1000}})
    answer = ask(site, PROBE | {"pfill": ""})
    assert answer.data["warnings"]["result"]["warnings"] == "TRUNCATED 1,000"


def test_deprecation(site: Site) -> None:
    warnings = ask(site, PROBE | {"pold": "x", "pprop": "b|a"}).data["warnings"]
    assert warnings == {
        "probe": {"warnings": "OLD pold\nOLD b of pprop"},
        "main": {"warnings": "LIST"},
    }


def test_deprecated_default_is_no_deprecation(site: Site) -> None:
    assert ask(site, PROBE).warned == []


def test_main_is_data() -> None:
    names = [param.name for param in Main.params]
    assert names == [
        "action", "format", "maxlag", "smaxage", "maxage", "assert", "assertuser", "requestid",
        "servedby", "curtimestamp", "responselanginfo", "origin", "crossorigin", "uselang",
        "variant", "errorformat", "errorlang", "errorsuselocal",
    ]  # fmt: skip
    assert all(param.help for param in Main.params)
    assert Main.path() == "main"


def test_summary_is_the_first_paragraph() -> None:
    assert Probe.summary() == "Does what its parameters say."
