"""``action=expandtemplates``: wikitext with its templates expanded, or its parse tree."""

from __future__ import annotations

import json
from typing import Any

from wikiapi.api import (
    Action,
    Arr,
    KeyValues,
    Obj,
    boolean,
    enum,
    integer,
    string,
    text,
    valid_title,
)
from wikiapi.errors import ApiError
from wikiapi.store.queries import pages, revisions
from wikiapi.title import Title
from wikiapi.wikitext import ParserOptions, Revision, Target, tree_xml

_DEFAULT_TITLE = "API"
_PROPS = (
    "wikitext",
    "categories",
    "properties",
    "volatile",
    "ttl",
    "modules",
    "jsconfigvars",
    "encodedjsconfigvars",
    "parsetree",
)
_VARIABLES = frozenset({"jsconfigvars", "encodedjsconfigvars"})


class ExpandTemplates(Action):
    """Expands all templates within wikitext."""

    name = "expandtemplates"
    position = 10
    params = (
        string("title", "Title of the page to which the text belongs."),
        text("text", "Wikitext to expand.", required=True),
        integer("revid", "Revision id, for variables such as ``REVISIONID``."),
        enum(
            "prop",
            *_PROPS,
            multi=True,
            help="What to return; without it, the wikitext in a deprecated form.",
        ),
        boolean("includecomments", "Keep the HTML comments of the text."),
        boolean("showstrategykeys", "Include merge strategies in jsconfigvars."),
        boolean(
            "generatexml", "Return the parse tree; use prop=parsetree instead.", deprecated=True
        ),
    )
    examples = (
        ("action=expandtemplates&text={{Project:Sandbox}}&prop=wikitext", "Expand a transclusion"),
        ("action=expandtemplates&text={{a|b}}&prop=parsetree", "Show the parse tree of a text"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Parsing_wikitext",)

    def execute(self) -> None:
        """Put the requested properties of the expansion into the result."""
        if not self.p.is_given("prop"):
            self.deprecate("apiwarn-deprecation-missingparam", "prop", feature="!prop")
        elif self.p.flag("generatexml"):
            raise ApiError("invalidparammix", "apierror-invalidparammix", "prop and generatexml")
        name = self.p.text_or_none("title") or _DEFAULT_TITLE
        title = valid_title(self.site, name)
        revision = self.p.number_or_none("revid")
        if revision is not None:
            page = pages.by_revision_ids(self.db, [revision]).get(revision)
            if page is None:
                raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision)
            if self.p.is_given("title") and page.key != title.key:
                self.warn("apierror-revwrongpage", revision, title.prefixed_text)
            title = self.site.titles.make(*page.key)
        props = frozenset(self.p.texts("prop"))
        answer = Obj(subelements=("encodedjsconfigvars",), content=None if props else "wikitext")
        if "parsetree" in props:
            answer["parsetree"] = self._tree()
        elif self.p.flag("generatexml"):
            root = self.result.root
            root["parsetree"] = self._tree()
            root.subelements |= {"parsetree"}
        if not self.p.is_given("prop"):
            answer |= self._expansion(title, frozenset({"wikitext"}))
        elif props - {"parsetree"}:
            answer |= self._expansion(title, props)
        self.result.set((), self.name, answer)

    def _tree(self) -> str:
        return tree_xml(self.site.parser.preprocessor.tree(self.p.text("text")))

    def _expansion(self, title: Title, props: frozenset[str]) -> dict[str, Any]:
        """Return the requested data; empty lists of categories or properties are omitted."""
        number = self.p.number_or_none("revid")
        row = revisions.by_ids(self.db, [number]).get(number) if number is not None else None
        options = ParserOptions(
            target=Target.WIKITEXT,
            limit_report=False,
            remove_comments=not self.p.flag("includecomments"),
            language=self.context.language,
            user=self.context.user.name,
            revision=Revision.of(row),
        )
        wikitext, output = self.site.parser.expand_output(self.p.text("text"), title, options)
        data: dict[str, Any] = {}
        if "categories" in props and output.categories:
            data["categories"] = Arr(
                (
                    Obj({"sortkey": key, "category": name}, content="category")
                    for name, key in output.categories.items()
                ),
                "category",
            )
        if "properties" in props and output.properties:
            data["properties"] = KeyValues(output.properties, element="property")
        if "volatile" in props:
            data["volatile"] = output.volatile
        if "ttl" in props and output.cache_expiry is not None:
            data["ttl"] = output.cache_expiry
        if "wikitext" in props:
            data["wikitext"] = wikitext
        if "modules" in props:
            data["modules"] = Arr(output.modules, "m")
            data["modulescripts"] = Arr((), "m")
            data["modulestyles"] = Arr(output.module_styles, "m")
            if not props & _VARIABLES:
                self.warn("apiwarn-moduleswithoutvars")
        if "jsconfigvars" in props:
            data["jsconfigvars"] = Obj(output.js_config_vars)
        if "encodedjsconfigvars" in props:
            variables: object = output.js_config_vars or []
            data["encodedjsconfigvars"] = json.dumps(variables, ensure_ascii=False)
        return data
