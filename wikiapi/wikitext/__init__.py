"""The public interface of the parser: declarations for plugins, and the objects passed to them."""

from __future__ import annotations

from wikiapi.texts import byte_length, trim
from wikiapi.wikitext import report
from wikiapi.wikitext.block.headingform import HeadingForm
from wikiapi.wikitext.block.paragraphs import wrap_blocks
from wikiapi.wikitext.block.sections import sections_in_toc
from wikiapi.wikitext.comment import format_comments
from wikiapi.wikitext.contentmodels import ContentModel, content_models
from wikiapi.wikitext.declarations import (
    Expansion,
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    SpecialCall,
    SpecialPage,
    TagCall,
    Variable,
)
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.expand.strip import MARKER, PREFIX, StripState, outside_markers
from wikiapi.wikitext.hooks import notify_rendering_ended
from wikiapi.wikitext.html.attributes import (
    checked_attributes,
    decode_attributes,
    encode_attribute,
    encode_attributes,
)
from wikiapi.wikitext.html.container import wrap_output
from wikiapi.wikitext.html.css import check_css
from wikiapi.wikitext.html.direction import isolated
from wikiapi.wikitext.html.entities import (
    escape_all,
    escape_attribute,
    escape_text,
    finished_attributes,
    serialized_attributes,
)
from wikiapi.wikitext.html.ids import section_name
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.html.tidy import balanced, tidy
from wikiapi.wikitext.inline.linkholders import known_link
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.inline.switches import BehaviorSwitch
from wikiapi.wikitext.options import NO_REVISION, ParserOptions, Revision, Target
from wikiapi.wikitext.output import DEFAULT_SORT, LanguageLink, LimitFigure, ParserOutput, Section
from wikiapi.wikitext.pagecache import StoredRevision, footprint
from wikiapi.wikitext.pagelinks import PageLinks
from wikiapi.wikitext.parser import Parser
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.elements import error_element
from wikiapi.wikitext.parsoid.entities import without_entities
from wikiapi.wikitext.pipeline import finish as finish_fragment
from wikiapi.wikitext.pipeline import parse_fragment
from wikiapi.wikitext.preprocess import nodes
from wikiapi.wikitext.preprocess.xml import tree_xml
from wikiapi.wikitext.presave import is_well_formed, without_trailing_blanks
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS, Protocols, protocols
from wikiapi.wikitext.registries import WikitextRegistries
from wikiapi.wikitext.sitemessages import SiteMessages
from wikiapi.wikitext.source import section_text
from wikiapi.wikitext.state import ParseState, PluginState
from wikiapi.wikitext.variants.page import PageConverter

__all__ = [
    "DEFAULT_SORT",
    "MARKER",
    "NO_REVISION",
    "PREFIX",
    "USUAL_PROTOCOLS",
    "BehaviorSwitch",
    "ContentModel",
    "Expansion",
    "ExtensionTag",
    "Frame",
    "FunctionCall",
    "HeadingForm",
    "LanguageLink",
    "LimitFigure",
    "PageConverter",
    "PageLinks",
    "ParseState",
    "Parser",
    "ParserFunction",
    "ParserOptions",
    "ParserOutput",
    "PluginState",
    "Protocols",
    "Revision",
    "Section",
    "SiteMessages",
    "SpecialCall",
    "SpecialPage",
    "StoredRevision",
    "StripState",
    "TagCall",
    "Target",
    "TemplateText",
    "Variable",
    "WikitextRegistries",
    "as_json",
    "balanced",
    "byte_length",
    "check_css",
    "checked_attributes",
    "content_models",
    "decode_attributes",
    "encode_attribute",
    "encode_attributes",
    "error_element",
    "escape_all",
    "escape_attribute",
    "escape_text",
    "escape_wikitext",
    "finish_fragment",
    "finished_attributes",
    "footprint",
    "format_comments",
    "format_quotes",
    "is_well_formed",
    "isolated",
    "known_link",
    "nodes",
    "notify_rendering_ended",
    "outside_markers",
    "parse_fragment",
    "protocols",
    "report",
    "sanitize_tags",
    "section_name",
    "section_text",
    "sections_in_toc",
    "serialized_attributes",
    "tidy",
    "tree_xml",
    "trim",
    "without_entities",
    "without_trailing_blanks",
    "wrap_blocks",
    "wrap_output",
]
