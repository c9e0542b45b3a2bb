"""The tree as XML, as ``action=expandtemplates&prop=parsetree`` shows it."""

from __future__ import annotations

from html import escape

from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Ignored,
    Node,
    Part,
    StrayEquals,
    Template,
)

_LINE_START = ' lineStart="1"'


def tree_xml(content: Content) -> str:
    """Return the XML document of a tree."""
    out: list[str] = ["<root>"]
    pending: list[Node | Part | _Literal] = [_Literal("</root>"), *reversed(content)]
    while pending:
        item = pending.pop()
        if isinstance(item, _Literal):
            out.append(item.text)
        elif isinstance(item, StrayEquals):
            out.append(f"<equals>{item}</equals>")
        elif isinstance(item, str):
            out.append(escape(item, quote=False).replace('"', "&quot;"))
        else:
            pending.extend(reversed(_unfolded(item)))
    return "".join(out)


class _Literal:
    """Markup that is ready to be written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _unfolded(node: Node | Part) -> list[Node | Part | _Literal]:
    match node:
        case Comment(text):
            return _element("comment", (text,))
        case Ignored(text):
            return _element("ignore", (text,))
        case Extension():
            return _extension(node)
        case Heading():
            return _element(
                "h" if node.certain else "possible-h",
                node.content,
                f' level="{node.level}" i="{node.index}"',
            )
        case Template(title, parts, at_line_start):
            return _call("template", title, parts, _LINE_START if at_line_start else "")
        case Argument(title, parts, at_line_start):
            return _call("tplarg", title, parts, _LINE_START if at_line_start else "")
    raise TypeError(type(node).__name__)


def _element(name: str, content: Content, attributes: str = "") -> list[Node | Part | _Literal]:
    if not content or content == ("",):
        return [_Literal(f"<{name}{attributes}/>")]
    return [_Literal(f"<{name}{attributes}>"), *content, _Literal(f"</{name}>")]


def _extension(node: Extension) -> list[Node | Part | _Literal]:
    parts = _element("name", (node.name,)) + _element("attr", (node.attributes,))
    if node.inner is not None:
        parts += _element("inner", (node.inner,))
    if node.close:
        parts += _element("close", (node.close,))
    return [_Literal("<ext>"), *parts, _Literal("</ext>")]


def _call(
    name: str, title: Content, parts: tuple[Part, ...], attributes: str
) -> list[Node | Part | _Literal]:
    out = [_Literal(f"<{name}{attributes}>"), *_element("title", title)]
    index = 0
    for part in parts:
        if part.name is None:
            index += 1
            label: list[Node | Part | _Literal] = [_Literal(f'<name index="{index}"/>')]
        else:
            label = [*_element("name", part.name), _Literal("<equals>=</equals>")]
        out += [_Literal("<part>"), *label, *_element("value", part.value), _Literal("</part>")]
    return [*out, _Literal(f"</{name}>")]
