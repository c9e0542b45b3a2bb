from __future__ import annotations

import pytest

from wikiapi.errors import (
    ApiError,
    ApiErrors,
    ConfigError,
    DumpError,
    InvalidTitle,
    PluginError,
    StoreError,
    WikiapiError,
    code_of_key,
)
from wikiapi.languages.message import Message, Plain


@pytest.mark.parametrize(
    "cls", [ConfigError, PluginError, StoreError, DumpError, InvalidTitle, ApiError, ApiErrors]
)
def test_every_error_is_ours(cls: type) -> None:
    assert issubclass(cls, WikiapiError)


def test_dump_error_has_the_line() -> None:
    assert str(DumpError("bad", 7)) == "line 7: bad"
    assert DumpError("bad", 7).line == 7
    assert str(DumpError("bad")) == "bad"
    assert DumpError("bad").line is None


def test_invalid_title_keeps_its_reason() -> None:
    message = Message("title-invalid-empty")
    assert InvalidTitle(message).message is message
    assert str(InvalidTitle(message)) == "title-invalid-empty"


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("apierror-badtoken", "badtoken"),
        ("apiwarn-foo", "foo"),
        ("title-invalid-empty", "title-invalid-empty"),
        ("apierror-apierror-x", "apierror-x"),
    ],
)
def test_code_of_key(key: str, code: str) -> None:
    assert code_of_key(key) == code
    assert ApiError(None, key).code == code


def test_api_error_in_full() -> None:
    error = ApiError("outofrange", "apierror-x", Plain("a"), data={"min": 1})
    assert (error.code, error.data, error.status) == ("outofrange", {"min": 1}, 200)
    assert error.message == Message("apierror-x", (Plain("a"),))
    assert str(error) == "outofrange"


def test_several_errors_in_order() -> None:
    errors = [ApiError("b", "apierror-b"), ApiError("a", "apierror-a")]
    assert str(ApiErrors(errors)) == "b, a"
    assert ApiErrors(errors).errors == errors
