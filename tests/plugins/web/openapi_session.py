"""Requests made up by schemathesis from the OpenAPI description, and what has to hold of answers.

The tests send a few of each operation; ``python -m tests.plugins.web.openapi_session --minutes 10``
goes on with ever new ones until the time is over, and says what it found.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.plugins.historywiki import history_wiki
from tests.plugins.querywiki import query_wiki
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi_plugins.web.openapi.document import OpenApi
from wikiapi_plugins.web.openapi.restdocument import RestOpenApi

if TYPE_CHECKING:
    from schemathesis import APIOperation, BaseSchema, Case


ALWAYS = [not_a_server_error, status_code_conformance]
AS_DESCRIBED = [
    *ALWAYS,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CHECKS = {GenerationMode.POSITIVE: AS_DESCRIBED, GenerationMode.NEGATIVE: ALWAYS}
"""Requests that break the description may ask for any format, so any form may be answered."""
EXISTING_TEXTS = (
    "Main Page", "Alpha", "Alpha|Beta|Missing page", "Template:Infobox", "Category:Letters",
    "File:Photo.png", "Special:Version", "de:Alpha", "Talk:Alpha", "User:Ada", "Ada", "192.0.2.7",
    "de>A[b", "#1", "1", "1|2|3", "0", "-1", "max", "99999999999999999999", "20240101000000", "now",
    "20240101", "", "|", "\x1fa\x1fb", "*", "Alpha|1", "0|Alpha|1", "1|0|Alpha",
    "Alpha|0|20240101000000",
    "{{Infobox}} [[Alpha]] {{#expr:1/0}}", "<ref>", "file.png", "A" * 300, "\ufffd\u202e",
)  # fmt: skip
"""What the wiki knows, and what is often wrong with values."""
INTERNAL = "internal_api_error"
_PLAIN = {"compress": False}
"""The client that schemathesis calls applications by does not unpack what is packed."""


def wiki() -> Site:
    """Return a wiki for requests of visitors; the caller closes its store."""
    return query_wiki({"http": _PLAIN})


def open_wiki() -> Site:
    """Return a wiki with deleted pages, logs and recent changes that visitors may see."""
    rights = ["read", "edit", "deletedhistory", "deletedtext", "patrolmarks", "apihighlimits"]
    return history_wiki(
        {"http": {**_PLAIN, "debug_info": "on"}, "permissions": {"anonymous_rights": rights}}
    )


def schema_of(site: Site, *, rest: bool = False) -> BaseSchema:
    """Return the description of one of a site's APIs, ready to make requests of its application."""
    text = site.derived(RestOpenApi).text if rest else site.derived(OpenApi).whole()
    assert text
    schema = schemathesis.openapi.from_dict(json.loads(text))
    schema.app = make_app(site)
    return schema


def operations(schema: BaseSchema) -> Iterator[APIOperation]:
    """Yield every operation."""
    return (result.ok() for result in schema.get_all_operations())


def try_operation(operation: APIOperation, mode: GenerationMode, count: int, number: int) -> None:
    """Send some requests.

    Args:
        operation: what to ask.
        mode: whether the requests keep to the description.
        count: how many.
        number: which requests they are: the same number makes the same ones.

    Raises:
        Exception: an answer is not as described; it names the request.
    """

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def run(case: Case, data: st.DataObject) -> None:
        _use_existing_texts(case, data)
        check(case, mode)

    run()


def check(case: Case, mode: GenerationMode) -> None:
    """Send a request and look at the answer.

    Raises:
        Exception: it is not as described.
    """
    reply = case.call()
    case.validate_response(reply, checks=CHECKS[mode])
    assert INTERNAL not in reply.headers.get("mediawiki-api-error", [""])[0], case.as_curl_command()
    assert INTERNAL not in reply.text, case.as_curl_command()


def _use_existing_texts(case: Case, data: st.DataObject) -> None:
    """Let some of the texts be ones that the wiki knows: made up ones hardly ever are."""
    for values in (case.query, case.body, case.path_parameters):
        if not isinstance(values, dict):
            continue
        for name in [name for name, value in values.items() if isinstance(value, str)]:
            if name not in ("action", "format", "formatversion"):
                _replace(values, name, data)


def _replace(values: dict[str, Any], name: str, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        values[name] = data.draw(st.sampled_from(EXISTING_TEXTS))


def main() -> None:
    """Run until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--first", type=int, default=1, help="number of the first round")
    parser.add_argument("--count", type=int, default=5, help="requests per operation and round")
    options = parser.parse_args()
    until = time.monotonic() + options.minutes * 60
    schemas = [schema_of(wiki()), schema_of(open_wiki()), schema_of(wiki(), rest=True)]
    number, sent, failed = options.first, 0, 0
    while time.monotonic() < until:
        for operation in operations(schemas[number % len(schemas)]):
            for mode in CHECKS:
                failed += _failed(operation, mode, options.count, number)
                sent += options.count
        print(f"round {number}: {sent} requests, {failed} failures", flush=True)
        number += 1


def _failed(operation: APIOperation, mode: GenerationMode, count: int, number: int) -> bool:
    try:
        try_operation(operation, mode, count, number)
    except (Exception, FailureGroup):
        print(f"--- {operation.label} {mode.value}, round {number}")
        traceback.print_exc(limit=-1)
        return True
    return False


if __name__ == "__main__":
    main()
