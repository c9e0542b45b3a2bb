"""RandomSelection: ``<choose>`` and ``{{#choose:}}``, one of several texts at random.

A page shows the same choice as long as it is cached; ``<choose uncached>`` chooses on each view.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.wikitext import (
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    TagCall,
    decode_attributes,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension

_OPTION = re.compile(r"<(/?)option\b([^<>]*)>", re.IGNORECASE)
_TEMPLATE_START = re.compile(r"<choicetemplate\b[^<>]*>", re.IGNORECASE)
_TEMPLATE_END = re.compile(r"</choicetemplate\s{0,9}>", re.IGNORECASE)
_WEIGHT = re.compile(r"[0-9]{1,6}")
_UNCACHED = "uncached"
_RANDOM = random.SystemRandom()


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "RandomSelection",
            description="One of several texts at random",
            tags=(ExtensionTag("choose", choose),),
            functions=(ParserFunction("#choose", choose_argument),),
        ),
    )


class Option(NamedTuple):
    """A text that may be chosen, the more often the higher its weight."""

    text: str
    weight: int


def choose(call: TagCall) -> str:
    """Return one of the options, between the texts in ``before`` and ``after``."""
    state, attributes = call.state, call.attributes
    state.expander.note_place_dependent()
    if _UNCACHED in attributes:
        state.output.expire_after(0)
    inner = call.inner or ""
    choices = list(options(inner))
    weights = [option.weight for option in choices]
    text = _RANDOM.choices(choices, weights)[0].text if any(weights) else ""
    # The option is called as a template, if the content names one.
    start = _TEMPLATE_START.search(inner)
    end = _TEMPLATE_END.search(inner, start.end()) if start else None
    template = trim(inner[start.end() : end.start()]) if start and end else ""
    if template:
        text = f"{{{{{template}|{text}}}}}"
    return call.parse(attributes.get("before", "") + text + attributes.get("after", ""))


def options(inner: str) -> Iterator[Option]:
    """Yield the options in the content of a tag; each extends to the next end tag."""
    weight, start = 1, None
    for match in _OPTION.finditer(inner):
        if match[1]:
            if start is not None:
                yield Option(inner[start : match.start()], weight)
            start = None
        elif start is None:
            number = decode_attributes(match[2]).get("weight", "1")
            weight, start = int(number) if _WEIGHT.fullmatch(number) else 1, match.end()


def choose_argument(call: FunctionCall) -> str:
    """Return one of the arguments."""
    call.state.expander.note_place_dependent()
    return _RANDOM.choice(call.args)
