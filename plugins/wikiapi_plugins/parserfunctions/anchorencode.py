"""``{{anchorencode:text}}``: a heading's id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi.wikitext.html.entities import decode_references
from wikiapi.wikitext.html.ids import escape_id_for_link, section_name

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_LINK = re.compile(r"\[\[:?([^\[|\]]+)(?:\|([^\[\]]*))?\]\]")
_TAGS = re.compile(r"<[^<>]*>")


def anchorencode(call: FunctionCall) -> str:
    """The text as the id of a heading that reads like it."""
    text = StripState.kill(call.first)
    text = _LINK.sub(lambda match: match[2] or match[1], text).replace("''", "")
    text = section_name(decode_references(_TAGS.sub("", text))).strip()
    return encode_attribute(escape_id_for_link(text))


DECLARATIONS = (ParserFunction("anchorencode", anchorencode),)
