"""Row 51 of the hostile inputs: what Lua makes the server keep counts against the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.http.app import make_app
from wikiapi.testing import ApiClient

pytest.importorskip("lupa")

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.site import Site

EXCEEDED = "internal_api_error_BudgetExceeded"
SMALL = {"limits": {"request_bytes": 3_000_000}}
MODULE = """
    local p = {}
    function p.f(frame)
        for n = 1, tonumber(frame.args.times) do
            %s
        end
        return 'done'
    end
    return p"""
LONG = "string.rep('x', 5000) .. n"
LOOPS = {
    "tags": f"frame:extensionTag('nowiki', {LONG})",
    "footnotes": f"frame:extensionTag('ref', {LONG})",
    "tags by preprocess": f"frame:preprocess('<nowiki>' .. {LONG} .. '</nowiki>')",
    "tags by parser function": f"frame:callParserFunction('#tag:nowiki', {LONG})",
    "child frames": f"frame:newChild{{title = 'T', args = {{{LONG}}}}}:preprocess('')",
}


@pytest.fixture
def client(make_site: Callable[..., Site], request: pytest.FixtureRequest) -> ApiClient:
    pages = {"Module:M": MODULE % LOOPS[request.param]}
    site = make_site(pages, config=SMALL, namespaces=[NamespaceConfig(828, "Module")])
    return ApiClient(make_app(site))


@pytest.mark.parametrize("client", [*LOOPS], indirect=True)
def test_row_51_what_the_host_keeps_is_counted(client: ApiClient) -> None:
    def ask(times: int) -> str:
        text = f"{{{{#invoke:M|f|times={times}}}}}"
        answer = client.get(action="parse", title="X", contentmodel="wikitext", text=text)
        if "error" in answer:
            return str(answer["error"]["code"])
        return "done" if "done" in answer["parse"]["text"] else "script error"

    assert ask(10) == "done"
    assert ask(2_000) == EXCEEDED
    assert ask(10) == "done", "the next request has a budget of its own"
