from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.api.probe import ProbePlugin
from wikiapi.api import dispatch
from wikiapi.api.context import RequestContext
from wikiapi.api.request import ApiRequest
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.languages.message import Plain
from wikiapi.site import Site
from wikiapi.testing import make_context

pytestmark = pytest.mark.wiki(plugins=[ProbePlugin()], writable=False)


def context_of(site: Site, **params: str) -> RequestContext:
    return make_context(site, ApiRequest(params={"action": "probe"} | params))


def test_perform_and_render(site: Site) -> None:
    context = context_of(site, format="json", formatversion="2", ptext="é")
    dispatch.perform(context)
    rendered = dispatch.render(context)
    assert rendered.content_type.startswith("application/json")
    assert json.loads(rendered.body) == {"probe": {"text": "é"}}


@pytest.mark.parametrize("params", [{}, {"format": "jsonfm"}, {"format": "<x>"}])
def test_html_where_no_format_or_an_unknown_one_is_named(
    site: Site, params: dict[str, str]
) -> None:
    rendered = dispatch.render(context_of(site, **params))
    assert rendered.content_type.startswith("text/html")


def test_failure_leaves_nothing_of_the_result(site: Site) -> None:
    context = context_of(site, pfail="", curtimestamp="")
    with pytest.raises(ApiError) as caught:
        dispatch.perform(context)
    context.result.set(("probe",), "half", "done")
    assert dispatch.fail(context, caught.value) == "show"
    assert set(context.result.root) == {"curtimestamp", "error"}


def test_codes_of_several_errors_once_each_in_alphabetical_order(site: Site) -> None:
    context = context_of(site)
    errors = [ApiError(code, "apierror-show") for code in ("b", "a", "b")]
    assert dispatch.fail(context, ApiErrors(errors)) == "a, b"
    assert context.headers == [(dispatch.ERROR_HEADER, "a, b")]


def test_warnings_stay_beside_an_error(site: Site) -> None:
    context = context_of(site, pnumber="11", pfail="")
    with pytest.raises(ApiError) as caught:
        dispatch.perform(context)
    dispatch.fail(context, caught.value)
    assert set(context.result.root) == {"warnings", "error"}


def test_error_of_the_format(site: Site) -> None:
    context = context_of(site, format="json", formatversion="3")
    dispatch.perform(context)
    with pytest.raises(ApiError) as caught:
        dispatch.render(context)
    body: Any = json.loads(dispatch.render_after_format_error(context, caught.value).body)
    assert body["error"]["code"] == "badvalue"
    assert body["warnings"] == {
        "json": {"*": "BAD formatversion: 3"},
        "main": {"*": "FALLBACK"},
    }


def test_error_data_is_part_of_the_error(site: Site) -> None:
    context = context_of(site)
    dispatch.fail(context, ApiError("x", "apierror-show", Plain("y"), data={"limit": 5}))
    assert context.result.root["error"]["limit"] == 5
