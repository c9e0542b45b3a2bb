"""``<categorytree>`` and ``{{#categorytree:}}``: the tree of the category that they name."""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.languages import Plain
from wikiapi.store.queries import pages
from wikiapi.title import Title
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    ParseState,
    TagCall,
    checked_attributes,
    encode_attributes,
    trim,
)
from wikiapi_plugins.extensions.categorytree.options import TreeOptions, is_true
from wikiapi_plugins.extensions.categorytree.tree import Tree, category_title


def categorytree(call: TagCall) -> str:
    """Return the tree of the tag's content."""
    return tree_html(trim(call.inner or ""), call.attributes, call.state)


def categorytree_function(call: FunctionCall) -> Expansion:
    """Return the tree as HTML, or the equivalent tag if the text is only preprocessed."""
    options = dict(_option(argument) for argument in call.args[1:])
    if call.state.makes_html:
        return Expansion(tree_html(call.first, options, call.state), html=True)
    return Expansion(f"<categorytree{encode_attributes(options)}>{call.first}</categorytree>")


def _option(argument: str) -> tuple[str, str]:
    """Return the name and value of an option; the value of a name alone is ``1``."""
    name, equals, value = argument.partition("=")
    value = trim(value)
    if value.startswith('"') and value.endswith('"'):
        value = trim(value[1:-1])
    return trim(name).lower(), value if equals else "1"


def tree_html(name: str, attributes: Mapping[str, str], state: ParseState) -> str:
    """Return the HTML of a category's tree; an empty text if the name is empty or invalid."""
    if not name:
        return ""
    state.output.module_styles.setdefault("ext.categoryTree.styles")
    state.output.modules.setdefault("ext.categoryTree")
    title = category_title(name, state.site)
    if title is None:
        return ""
    options = TreeOptions.read(attributes, state.site)
    allowed = checked_attributes(attributes, "div", state.fragments)
    allowed["class"] = f"{allowed.get('class', '')} CategoryTreeTag".strip()
    allowed["data-ct-options"] = options.encoded()
    return f"<div{encode_attributes(allowed)}>{_content(title, attributes, options, state)}</div>"


def _content(
    title: Title, attributes: Mapping[str, str], options: TreeOptions, state: ParseState
) -> str:
    if not pages.existing(state.site.db, [title.key]):
        text = state.messages.html("categorytree-not-found", Plain(title.text))
        return f'<span class="CategoryTreeNotice">{text}</span>'
    tree = Tree(state.site, options, state.site.language)
    depth = 0 if is_true(attributes.get("onlyroot")) else options.depth(attributes.get("depth"))
    show = tree.children if is_true(attributes.get("hideroot")) else tree.root
    return show(title, depth)


TAG = ExtensionTag("categorytree", categorytree)
FUNCTION = ParserFunction("#categorytree", categorytree_function)
