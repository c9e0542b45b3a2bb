"""Extension tags: called, and their HTML put aside under a strip marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.expand.call import TagCall
from wikiapi.wikitext.html.attributes import decode_attributes
from wikiapi.wikitext.options import Target

if TYPE_CHECKING:
    from wikiapi.wikitext.declarations import Expansion
    from wikiapi.wikitext.expand.expander import Expander
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.preprocess.nodes import Extension


def expand_extension(expander: Expander, node: Extension, frame: Frame) -> str:
    """The marker that stands for a tag; without a plugin for it, the tag as it is."""
    attributes = decode_attributes(node.attributes)
    return call_tag(expander, node.name.lower(), attributes, node, frame)


def call_tag(
    expander: Expander,
    name: str,
    attributes: dict[str, str],
    node: Extension,
    frame: Frame,
) -> str:
    """Call a tag with attributes that are read already."""
    state = expander.state
    state.draw(node.inner)
    if state.options.target in (Target.WIKITEXT, Target.SAVED):
        return state.strip.add_general(node.source, name)
    tag = state.registries.tags.get(name)
    if tag is None:
        return state.strip.add_general(node.source, name)
    call = TagCall(name, attributes, node.inner, frame, state, node.source)
    return kept_aside(tag.function(call), expander, name)


def kept_aside(result: str | Expansion, expander: Expander, name: str) -> str:
    """A tag's answer as it goes back into the wikitext."""
    strip = expander.state.strip
    if isinstance(result, str):
        return strip.add_general(result, name)
    if result.nowiki:
        return strip.add_nowiki(result.text, name)
    return strip.add_general(result.text, name) if result.html else result.text
