"""Names that cannot be written in wikitext are reported when their plugin is registered."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.testing import make_site
from wikiapi.wikitext import ExtensionTag, ParserFunction, Variable


class Plugin:
    def __init__(self, declaration: Any) -> None:
        self.declaration = declaration

    def _of(self, kind: type) -> list[Any]:
        return [self.declaration] if isinstance(self.declaration, kind) else []

    @hookimpl
    def register_parser_functions(self) -> list[Any]:
        return self._of(ParserFunction)

    @hookimpl
    def register_variables(self) -> list[Any]:
        return self._of(Variable)

    @hookimpl
    def register_extension_tags(self) -> list[Any]:
        return self._of(ExtensionTag)


def nothing(_: object) -> str:
    return ""


WRONG: list[tuple[Any, str]] = [
    (ExtensionTag("<tea>", nothing), "name '<tea>' has '<': write it without < and >"),
    (ExtensionTag("green tea", nothing), "name 'green tea' has ' ': write it without"),
    (ExtensionTag("Tea", nothing), "name 'Tea' has capitals: write 'tea'; pages may use any case"),
    (ExtensionTag("", nothing), "name is '', which is not a text"),
    (ExtensionTag(("tea",), nothing), r"name is \('tea',\), which is not a text"),  # type: ignore[arg-type]
    (ExtensionTag("tea", "x"), "function is 'x', which cannot be called"),  # type: ignore[arg-type]
    (ParserFunction("{{#cups}}", nothing), "name '{{#cups}}' has '{': write it as between"),
    (ParserFunction("#cups:", nothing), "name '#cups:' has ':': write it as between {{ and the"),
    (ParserFunction(" #cups", nothing), "name ' #cups' has ' '"),
    (ParserFunction("#cups", nothing, ("#a|b",)), "name '#a|b' has '|'"),
    (ParserFunction("#cups", nothing, "#tea"), "aliases are '#tea', which is not a tuple of texts"),  # type: ignore[arg-type]
    (ParserFunction("#cups", None), "function is None, which cannot be called"),  # type: ignore[arg-type]
    (Variable("{{TEA}}", nothing), "name '{{TEA}}' has '{'"),
]
RIGHT: list[Any] = [
    ExtensionTag("tea-2", nothing),
    ExtensionTag("чай", nothing),
    ParserFunction("#cups", nothing, ("#чашки", "cups of")),
    ParserFunction("ns/x", nothing),
    Variable("TEA", nothing, ("ЧАЙ",)),
]


@pytest.mark.parametrize(("declaration", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_names(declaration: Any, message: str) -> None:
    with pytest.raises(PluginError) as caught:
        make_site(plugins=[Plugin(declaration)])
    assert message.replace("\\", "") in str(caught.value)
    assert type(declaration).__name__ in str(caught.value)


@pytest.mark.parametrize("declaration", RIGHT, ids=lambda value: value.name)
def test_right_names(declaration: Any) -> None:
    make_site({"A": "x"}, plugins=[Plugin(declaration)])
