"""``<categorytree>``: the tree of the category that it names."""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.i18n import Plain
from wikiapi.store.queries.pages import existing
from wikiapi.title import Title
from wikiapi.wikitext import (
    ExtensionTag,
    ParseState,
    TagCall,
    checked_attributes,
    encode_attributes,
    escape_text,
)
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.categorytree.options import TreeOptions, is_true
from wikiapi_plugins.extensions.categorytree.tree import Tree, category_title


def categorytree(call: TagCall) -> str:
    """Return the tree of the tag's content."""
    return tree_html(trim(call.inner or ""), call.attributes, call.state)


def tree_html(name: str, given: Mapping[str, str], state: ParseState) -> str:
    """Return the HTML of a category's tree; an empty text if the name is empty or invalid."""
    if not name:
        return ""
    state.output.module_styles.setdefault("ext.categoryTree.styles")
    state.output.modules.setdefault("ext.categoryTree")
    title = category_title(name, state.site)
    if title is None:
        return ""
    options = TreeOptions.read(given, state.site)
    attributes = checked_attributes(given, "div")
    attributes["class"] = f"{attributes.get('class', '')} CategoryTreeTag".strip()
    attributes["data-ct-options"] = options.encoded()
    return f"<div{encode_attributes(attributes)}>{_content(title, given, options, state)}</div>"


def _content(
    title: Title, given: Mapping[str, str], options: TreeOptions, state: ParseState
) -> str:
    if not existing(state.site.db, [title.key]):
        return _not_found(title, state)
    tree = Tree(state.site, options, state.site.language)
    depth = 0 if is_true(given.get("onlyroot")) else options.depth(given.get("depth"))
    if is_true(given.get("hideroot")):
        return tree.children(title, depth)
    return tree.root(title, depth)


def _not_found(title: Title, state: ParseState) -> str:
    place = "\ufffc"
    text = escape_text(state.messages.text("categorytree-not-found", Plain(place)))
    shown = text.replace(place, f"<i>{escape_text(title.text)}</i>")
    return f'<span class="CategoryTreeNotice">{shown}</span>'


DECLARATION = ExtensionTag("categorytree", categorytree)
