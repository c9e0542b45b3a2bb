"""Which calls of a tree have a name that is known without expanding anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.preprocess.nodes import Argument, Comment, Heading, Template

if TYPE_CHECKING:
    from wikiapi.wikitext.preprocess.nodes import Content

_BLANKS = " \t\n\r\0\x0b"


def call_names(content: Content) -> tuple[str, ...]:
    """The names, in order of appearance, each once."""
    names: dict[str, None] = {}
    pending = [content]
    while pending:
        for node in pending.pop():
            if isinstance(node, Heading):
                pending.append(node.content)
            elif isinstance(node, Template | Argument):
                if isinstance(node, Template) and (name := _plain(node.title)):
                    names.setdefault(name)
                pending.append(node.title)
                for part in node.parts:
                    pending.append(part.value)
                    if part.name:
                        pending.append(part.name)
    return tuple(names)


def _plain(title: Content) -> str:
    texts = [node for node in title if not isinstance(node, Comment)]
    if not all(isinstance(node, str) for node in texts):
        return ""
    return "".join(texts).strip(_BLANKS)  # type: ignore[arg-type]
