"""CategoryTree: categories shown as trees, by a tag, a parser function and an action."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wikiapi.api import Action, CacheMode, Obj, invalid_title, string
from wikiapi.errors import ApiError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Plain
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.categorytree.options import TreeOptions
from wikiapi_plugins.extensions.categorytree.tag import FUNCTION, TAG
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
