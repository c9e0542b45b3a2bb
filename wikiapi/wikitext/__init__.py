"""The public interface of the parser: declarations for plugins, and the objects passed to them."""

from __future__ import annotations

from wikiapi.wikitext.comment import format_comments
from wikiapi.wikitext.declarations import (
    BehaviorSwitch,
    ContentModel,
    Expansion,
    ExtensionTag,
    ParserFunction,
    SpecialPage,
    Variable,
)
from wikiapi.wikitext.expand.call import FunctionCall, SpecialCall, TagCall
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.html.attributes import (
    checked_attributes,
    decode_attributes,
    encode_attribute,
    encode_attributes,
)
from wikiapi.wikitext.html.entities import escape_all, escape_attribute, escape_text
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import LanguageLink, ParserOutput, Section
from wikiapi.wikitext.parser import Parser
from wikiapi.wikitext.pipeline import finish as finish_fragment
from wikiapi.wikitext.pipeline import parse_fragment
from wikiapi.wikitext.presave import Signature
from wikiapi.wikitext.state import ParseState, PluginState

__all__ = [
    "BehaviorSwitch",
    "ContentModel",
    "Expansion",
    "ExtensionTag",
    "Frame",
    "FunctionCall",
    "LanguageLink",
    "ParseState",
    "Parser",
    "ParserFunction",
    "ParserOptions",
    "ParserOutput",
    "PluginState",
    "Section",
    "Signature",
    "SpecialCall",
    "SpecialPage",
    "TagCall",
    "Target",
    "Variable",
    "checked_attributes",
    "decode_attributes",
    "encode_attribute",
    "encode_attributes",
    "escape_all",
    "escape_attribute",
    "escape_text",
    "finish_fragment",
    "format_comments",
    "parse_fragment",
]
