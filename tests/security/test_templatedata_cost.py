"""Row 49 of the hostile inputs: what parameters inherit costs no more than what they hold."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.extensions.templatedata.checks import Mistake
from wikiapi_plugins.extensions.templatedata.normal import LARGEST, _inherited, encoded, parse

MANY = 5000
"""Parameters of a chain. In cubic time they would take minutes."""


class Counted(dict[str, Any]):
    """A parameter that counts how often it is looked at."""

    looks = 0

    def get(self, *args: Any) -> Any:
        Counted.looks += 1
        return super().get(*args)

    def __ror__(self, other: Any) -> Any:
        Counted.looks += 1
        return {**other, **self}


def chain(number: int, end: dict[str, Any]) -> dict[str, Any]:
    """Return each parameter inherits from the next one, the last one has these properties."""
    return {f"p{n}": {"inherits": f"p{n + 1}"} for n in range(number)} | {f"p{number}": end}


def normal(params: dict[str, Any]) -> dict[str, Any]:
    return parse(json.dumps({"params": params}), "en")["params"]


@pytest.mark.parametrize("last", ["p0", f"p{MANY // 2}", f"p{MANY}", ""])
def test_long_chains_and_circles_end(last: str) -> None:
    end = {"label": "x"} | ({"inherits": last} if last else {})
    params = normal(chain(MANY, end))
    assert len(params) == MANY + 1
    assert all(param["label"] == {"en": "x"} for param in params.values())


@pytest.mark.parametrize("circle", [False, True])
def test_a_chain_is_walked_once(circle: bool) -> None:
    looks = []
    for number in (100, 200, 400):
        end = {"label": "x"} | ({"inherits": "p0"} if circle else {})
        params = {name: Counted(param) for name, param in chain(number, end).items()}
        Counted.looks = 0
        assert len(_inherited(params)) == number + 1
        looks.append(Counted.looks)
    assert looks[0] > 0
    assert looks[2] - looks[1] == 2 * (looks[1] - looks[0]), "as many for each parameter"


def test_along_a_circle_the_nearest_counts() -> None:
    params = normal(
        {
            "a": {"inherits": "b", "label": "A"},
            "b": {"inherits": "c", "example": "B"},
            "c": {"inherits": "a", "label": "C", "required": True},
            "into": {"inherits": "b", "default": "I"},
            "self": {"inherits": "self", "label": "S"},
        }
    )
    texts = {
        name: [(param[key] or {}).get("en") for key in ("label", "example", "default")]
        for name, param in params.items()
    }
    assert texts == {
        "a": ["A", "B", None],
        "b": ["C", "B", None],
        "c": ["C", "B", None],
        "into": ["C", "B", "I"],
        "self": ["S", None, None],
    }
    assert [param["required"] for param in params.values()] == [True] * 4 + [False]


def test_a_large_text_is_not_inherited_by_many() -> None:
    params = {"large": {"description": "x" * 1_000_000}}
    params |= {f"p{number}": {"inherits": "large"} for number in range(MANY)}
    tracemalloc.start()
    with pytest.raises(Mistake, match="invalid-length"):
        normal(params)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50_000_000
    few = {"large": {"description": "x" * (LARGEST // 10)}}
    few |= {f"p{number}": {"inherits": "large"} for number in range(8)}
    assert len(encoded(normal(few))) > 9 * LARGEST // 10


def test_the_page_says_that_it_is_too_much(make_site: Callable[..., Site]) -> None:
    site = make_site()
    params = {"large": {"description": "x" * 100_000}}
    params |= {f"p{number}": {"inherits": "large"} for number in range(1000)}
    text = f"<templatedata>{json.dumps({'params': params})}</templatedata>"
    output = site.parser.parse(text, site.titles.parse("Template:X"), ParserOptions())
    assert "mw-message-box-error" in output.html
    assert len(output.html) < 10_000
    assert "templatedata" not in output.properties
