"""Why a link that MediaWiki derived may differ from ours: what its page makes use of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site
    from wikiapi.store.database import Database

    Key = tuple[int, str]

MODULE = 828
LUA = "computed by Lua"
FUNCTION = "parser function that is not installed"
TAG = "extension tag that is not installed"
MODEL = "content model that is not installed"
FILE_LINK = "link= of a picture, which is not read yet"
UNEXPLAINED = "unexplained"

_CALL = re.compile(r"\{\{\s*(?:(?:safe)?subst:\s*)?(#?[\w-]+)\s*[:|}]")
_FILE_LINK = re.compile(r"\[\[\s*(?:File|Image)\s*:[^\]]*\|\s*link\s*=", re.IGNORECASE)
_FILE_LINK_TABLES = frozenset({"pagelinks", "externallinks"})
_TAG = re.compile(r"<([a-z]+)[\s/>]", re.IGNORECASE)
_EXTENSION_TAGS = frozenset(
    [
        "gallery",
        "ref",
        "references",
        "poem",
        "imagemap",
        "inputbox",
        "categorytree",
        "templatedata",
        "templatestyles",
        "syntaxhighlight",
        "source",
        "langconvert",
    ]
)
# Core magic words that take part in what a template yields; a template may have the name of none.
_WORDS = frozenset(
    [
        "int",
        "msg",
        "msgnw",
        "raw",
        "subst",
        "safesubst",
        "numberofarticles",
        "numberofpages",
        "numberoffiles",
        "numberofusers",
        "numberofedits",
        "numberofadmins",
        "numberofactiveusers",
        "pagesincategory",
        "pagesize",
        "numberingroup",
        "plural",
        "grammar",
        "gender",
        "formatnum",
        "fullurl",
        "localurl",
        "canonicalurl",
        "filepath",
        "protectionlevel",
        "protectionexpiry",
        "cascadingsources",
        "bidi",
        "language",
        "contentlanguage",
        "dirmark",
        "pageid",
        "revisionid",
        "displaytitle",
        "defaultsort",
        "ns",
        "nse",
        "lc",
        "uc",
        "ucfirst",
        "lcfirst",
        "urlencode",
        "anchorencode",
        "padleft",
        "padright",
        "special",
        "speciale",
        "tag",
    ]
)

_TEXTS = """
SELECT page_id, page_namespace, page_title, page_content_model, old_text FROM page
JOIN slots ON slot_revision_id = page_latest
JOIN content ON content_id = slot_content_id
JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER)
"""
_CLOSURE = """
SELECT tl_from, lt_namespace, lt_title FROM templatelinks JOIN linktarget ON lt_id = tl_target_id
"""


class Causes:
    """Reads the texts of MediaWiki's own database."""

    def __init__(self, site: Site, reference: Database) -> None:
        self._registries = site.parser.registries
        self._texts: dict[Key, str] = {}
        self._pages: dict[int, tuple[Key, str]] = {}
        for page_id, namespace, title, model, text in reference.raw(_TEXTS):
            self._texts[namespace, title] = text
            self._pages[page_id] = ((namespace, title), model)
        self._closure: dict[int, set[Key]] = {}
        for page_id, namespace, title in reference.raw(_CLOSURE):
            self._closure.setdefault(page_id, set()).add((namespace, title))

    def of(self, page_id: int, table: str) -> set[str]:
        """What a page uses, itself or through its templates, that may change its rows."""
        key, model = self._pages[page_id]
        closure = self._closure.get(page_id, set())
        texts = [self._texts.get(used, "") for used in (key, *closure)]
        causes = set()
        if any(namespace == MODULE for namespace, _ in closure):
            causes.add(LUA)
        if model not in self._registries.content_models:
            causes.add(MODEL)
        if any(self._is_missing_function(name) for name in _found(_CALL, texts)):
            causes.add(FUNCTION)
        if any(
            name in _EXTENSION_TAGS and name not in self._registries.tags
            for name in _found(_TAG, texts)
        ):
            causes.add(TAG)
        if table in _FILE_LINK_TABLES and any(_FILE_LINK.search(text) for text in texts):
            causes.add(FILE_LINK)
        return causes

    def _is_missing_function(self, name: str) -> bool:
        known = self._registries.function(name) or self._registries.variable(name)
        return not known and (name.startswith("#") or name.lower() in _WORDS)


def _found(pattern: re.Pattern[str], texts: Iterable[str]) -> set[str]:
    return {match.lower() for text in texts for match in pattern.findall(text)}
