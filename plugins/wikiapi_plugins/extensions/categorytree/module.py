"""``action=categorytree``."""

from __future__ import annotations

import json
from typing import Any

from wikiapi.api import Action, CacheMode, Obj, string
from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi_plugins.extensions.categorytree.options import TreeOptions
from wikiapi_plugins.extensions.categorytree.tree import Tree, category_title


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
        given = self._given()
        title = category_title(self.p["category"], self.site)
        if title is None:
            message = "apierror-invalidtitle"
            raise ApiError.of("invalidtitle", message, Plain(self.p["category"]))
        options = TreeOptions.read(given, self.site)
        tree = Tree(self.site, options, self.context.language)
        html = tree.children(title, options.depth(given.get("depth")))
        self.result.set((), self.name, Obj({"html": html}, content="html"))

    def _given(self) -> dict[str, Any]:
        text = self.p["options"]
        if text is None:
            return {}
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            message = "apierror-categorytree-invalidjson"
            raise ApiError.of("invalidjson", message, Plain(self.prefix))
        return given
