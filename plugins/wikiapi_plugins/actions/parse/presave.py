"""``pst`` and ``onlypst``: the text of a request as saving it would leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.result import Obj
from wikiapi.wikitext.presave import without_trailing_blanks

if TYPE_CHECKING:
    from wikiapi.api.module import Module
    from wikiapi_plugins.actions.parse.source import Source

_TRANSFORMED = frozenset({"wikitext", "css", "javascript", "vue"})
"""Content models in whose texts templates are substituted and signatures filled in."""


def saved_text(module: Module, source: Source) -> str | None:
    """The transformed text; ``None`` where none is asked for, or the text is stored already."""
    if source.is_stored or not (module.p["pst"] or module.p["onlypst"]):
        return None
    if source.model in _TRANSFORMED:
        return module.site.parser.saved(source.text, source.title, module.context.user.name)
    return without_trailing_blanks(source.text)


def saved_answer(source: Source, text: str, props: frozenset[str]) -> Obj:
    """The whole answer to ``onlypst``."""
    answer = Obj({"text": text}, subelements=("text", "wikitext"))
    if "wikitext" in props:
        answer["wikitext"] = source.text
    return answer
