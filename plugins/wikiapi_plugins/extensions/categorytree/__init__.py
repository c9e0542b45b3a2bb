"""CategoryTree: categories shown as trees, by a tag, a parser function and an action."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wikiapi.api import Action, CacheMode, Obj, invalid_title, string
from wikiapi.errors import ApiError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Plain
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.store.queries import pages
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
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.categorytree.options import TreeOptions, is_true
from wikiapi_plugins.extensions.categorytree.tree import Tree, category_title

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "CategoryTree",
            description="Categories shown as trees",
            tags=(TAG,),
            functions=(FUNCTION,),
            actions=(CategoryTree,),
            messages=FOLDER / "messages",
            resources=lambda: (
                *read_modules(FOLDER / "resources"),
                ResourceModule("ext.categoryTree"),
            ),
        ),
    )


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
    if not pages.existing(state.site.db, [title.key]):
        text = state.messages.html("categorytree-not-found", Plain(title.text))
        content = f'<span class="CategoryTreeNotice">{text}</span>'
    else:
        tree = Tree(state.site, options, state.site.language)
        depth = 0 if is_true(attributes.get("onlyroot")) else options.depth(attributes.get("depth"))
        show = tree.children if is_true(attributes.get("hideroot")) else tree.root
        content = show(title, depth)
    return f"<div{encode_attributes(allowed)}>{content}</div>"


TAG = ExtensionTag("categorytree", categorytree)
FUNCTION = ParserFunction("#categorytree", categorytree_function)


class CategoryTree(Action):
    """Internal module for the CategoryTree extension."""

    name = "categorytree"
    is_internal = True
    params = (
        string("category", "Title in the category namespace, without prefix.", required=True),
        string("options", "Options of the tree as a JSON object; depth is 1 if not given."),
    )
    examples = (("action=categorytree&category=Stubs", "The categories below one"),)

    def cache_mode(self) -> CacheMode:
        """Return public for anonymous users, whose answers differ only by language."""
        return CacheMode.ANON_PUBLIC_USER_PRIVATE

    def execute(self) -> None:
        """Add the HTML of the tree below the category."""
        values = self._options()
        title = category_title(self.p["category"], self.site)
        if title is None:
            raise invalid_title(self.p["category"])
        options = TreeOptions.read(values, self.site)
        tree = Tree(self.site, options, self.context.language)
        html = tree.children(title, options.depth(values.get("depth")))
        self.result.set((), self.name, Obj({"html": html}, content="html"))

    def _options(self) -> dict[str, Any]:
        text = self.p["options"]
        if text is None:
            return {}
        try:
            options = json.loads(text)
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict):
            message = "apierror-categorytree-invalidjson"
            raise ApiError("invalidjson", message, Plain(self.prefix))
        return options
