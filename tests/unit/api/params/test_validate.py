from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from wikiapi.accounts.user import User
from wikiapi.api.context import RequestContext
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import (
    Param,
    boolean,
    enum,
    integer,
    limit,
    namespace,
    string,
    timestamp,
    title,
    user,
)
from wikiapi.api.params.validate import ParamSet
from wikiapi.api.request import ApiRequest
from wikiapi.errors import ApiError
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.testing import make_context

ANYBODY = ("name", "ip", "cidr", "interwiki", "id")
PARAMS: tuple[Param, ...] = (
    string("string"),
    boolean("boolean"),
    integer("integer"),
    integer("bounded", minimum=1, maximum=10),
    integer("least", minimum=0),
    integer("most", maximum=10),
    integer("enforced", minimum=1, maximum=10, enforce=True),
    integer("integers", multi=True),
    limit(),
    limit(name="small limit", largest=20, highest=50),
    enum("enum", "a", "b", default="a"),
    enum("old enum", "a", "b", deprecated_values=["a"]),
    enum("choices", choices=lambda site: (site.language, "xx")),
    enum("enums", "a", "b", multi=True, default="a"),
    enum("duplicates", "a", "b", multi=True, allow_duplicates=True),
    enum("all enums", "a", "b", multi=True, all_value="*"),
    enum("old enums", "a", "b", "c", multi=True, deprecated_values=["c", "a"]),
    string("strings", multi=True),
    string("required", required=True),
    string("required values", required=True, multi=True),
    enum("required enum", "a", required=True),
    string("deprecated", deprecated=True),
    boolean("deprecated switch", deprecated=True),
    namespace("namespace"),
    namespace("special namespace", extra=(-1,)),
    namespace("namespaces", multi=True),
    title("title"),
    title("titles", multi=True),
    user("user"),
    user("own user", kinds=("name",)),
    user("anybody", kinds=ANYBODY),
    user("users", multi=True),
    timestamp("timestamp"),
)


class Probe(Action):
    """A module with parameters of every kind."""

    name = "probe"

    def execute(self) -> None:
        """Do nothing."""


def raw_of(case: dict[str, Any]) -> str | None:
    if "numbered" in case:
        return "|".join(map(str, range(case["numbered"])))
    if "repeat" in case:
        part, times = case["repeat"]
        return str(part * times)
    return case.get("raw")


def read(
    site: Site, name: str, raw: str | None, *, high: bool = False, prefix: str = ""
) -> tuple[Any, RequestContext]:
    """Return the value of a text, and the request that it was validated for."""
    rights = frozenset(["apihighlimits"] if high else [])
    context = make_context(site, ApiRequest(), User("192.0.2.1", rights))
    params = ParamSet([param for param in PARAMS if param.name == name], prefix, site)
    request = {} if raw is None else {prefix + name: raw}
    validation = Probe(context).validation()
    return params.read(request, validation, context.used_params)[name], context


@pytest.mark.parametrize("case", cases("api/params.json"))
def test_parameter(empty_site: Site, case: dict[str, Any]) -> None:
    name, raw, high = case["param"], raw_of(case), case.get("high", False)
    if "error" in case:
        with pytest.raises(ApiError) as caught:
            read(empty_site, name, raw, high=high)
        assert caught.value.code == case["error"]
        if "data" in case:
            assert caught.value.data == case["data"]
        return
    value, context = read(empty_site, name, raw, high=high)
    if "length" in case:
        assert len(value) == case["length"]
    else:
        assert (list(value) if isinstance(value, tuple) else value) == case["value"]
        assert type(value) is not int or not isinstance(case["value"], bool)
    assert [warned.code for warned in context.warnings] == case.get("warned", [])


@pytest.mark.parametrize("param", PARAMS, ids=lambda param: param.name)
@given(raw=st.text(st.characters(codec=None)))
def test_any_text_is_a_value_or_an_api_error(empty_site: Site, param: Param, raw: str) -> None:
    try:
        value, _ = read(empty_site, param.name, raw)
    except ApiError as error:
        empty_site.messages.text(error.message, "en").encode()
    else:
        str(value).encode()


@pytest.mark.parametrize("param", PARAMS, ids=lambda param: param.name)
def test_every_type_describes_itself(empty_site: Site, param: Param) -> None:
    assert param.type.describe(empty_site)["type"]


def test_prefix_is_part_of_the_name(empty_site: Site) -> None:
    value, context = read(empty_site, "integer", "3", prefix="ap")
    assert value == 3
    assert context.used_params == {"apinteger"}
    with pytest.raises(ApiError) as caught:
        read(empty_site, "integer", "x", prefix="ap")
    assert "apinteger" in empty_site.messages.text(caught.value.message, "en")


def test_absent_parameter_counts_as_known(empty_site: Site) -> None:
    _, context = read(empty_site, "string", None)
    assert context.used_params == {"string"}


def test_default_may_depend_on_the_site(empty_site: Site) -> None:
    param = string("lang", default=lambda site: site.language)
    context = make_context(empty_site, ApiRequest())
    values = ParamSet([param], "", empty_site).read({}, Probe(context).validation(), set())
    assert values == {"lang": "en"}


def test_default_is_not_subject_to_warnings(empty_site: Site) -> None:
    param = enum("x", "a", "b", multi=True, default="a|b", deprecated_values=["a"])
    context = make_context(empty_site, ApiRequest())
    values = ParamSet([param], "", empty_site).read({}, Probe(context).validation(), set())
    assert values == {"x": ("a", "b")}
    assert context.warnings == []


def test_range_warning_tells_the_bounds(empty_site: Site) -> None:
    _, context = read(empty_site, "limit", "501")
    (warned,) = context.warnings
    assert warned.data == {"min": 1, "curmax": 500, "max": 500, "highmax": 5000}
    bounds = (Plain("limit"), Plain("501"), Num(1), Num(500))
    assert warned.message == Message("paramvalidator-outofrange-minmax", bounds)


@pytest.mark.parametrize(
    ("name", "raw", "key", "params"),
    [
        ("least", "-1", "outofrange-min", (Plain("-1"), Num(0))),
        ("most", "11", "outofrange-max", (Plain("11"), Num(0), Num(10))),
        (
            "enums",
            "x|y",
            "unrecognizedvalues",
            (Plain("x|y"), plain_list(["x", "y"], "comma"), Num(2)),
        ),
        ("deprecated", "x", "param-deprecated", ()),
        ("old enum", "a", "deprecated-value", (Plain("a"),)),
    ],
)
def test_message_of_a_warning(
    empty_site: Site, name: str, raw: str, key: str, params: tuple[Any, ...]
) -> None:
    _, context = read(empty_site, name, raw)
    message = Message(f"paramvalidator-{key}", (Plain(name), *params))
    assert context.warnings[0].message == message


def test_unknown_values_are_data_of_the_warning(empty_site: Site) -> None:
    _, context = read(empty_site, "enums", "x|a|y")
    assert context.warnings[0].data == {"values": ["x", "y"]}


def test_deprecated_feature_is_data_of_the_warning(empty_site: Site) -> None:
    _, context = read(empty_site, "old enum", "a", prefix="p")
    assert context.warnings[0].data == {"feature": "action=probe&pold enum=a"}
    _, context = read(empty_site, "deprecated", "a")
    assert context.warnings[0].data == {"feature": "action=probe&deprecated"}


def test_all_parameters_are_read_for_their_warnings(empty_site: Site) -> None:
    context = make_context(empty_site, ApiRequest())
    params = ParamSet(PARAMS, "", empty_site)
    request = {"integer": "x", "bounded": "99", "namespace": "x"}
    request |= dict.fromkeys(("required", "required values", "required enum"), "a")
    with pytest.raises(ApiError, match="badinteger"):
        params.read(request, Probe(context).validation(), set())
    assert [warning.code for warning in context.warnings] == ["outofrange"]
