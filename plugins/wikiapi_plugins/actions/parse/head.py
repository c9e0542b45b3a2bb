"""The head of an HTML document for a rendering, as ``headhtml``, and the modules it loads."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any
from urllib.parse import urlencode

from wikiapi.languages import (
    Message,
    Plain,
    declared_separators,
    direction,
    html_code,
    localize_digits,
)
from wikiapi.languages.dates import calendar_name
from wikiapi.store.queries import pages
from wikiapi.wikitext import escape_attribute, escape_text
from wikiapi_plugins.actions.parse.facts import Facts
from wikiapi_plugins.shared.interface.skins import Skin
from wikiapi_plugins.shared.resources.declared import declared_modules
from wikiapi_plugins.shared.resources.names import packed_names
from wikiapi_plugins.shared.resources.wikipages import revisions_of, site_modules

_TAGS = re.compile(r"<[^<>]*>")
_NOT_IN_CLASSES = re.compile(r"[\x00-,./:-@\[-^`{-\x7f]+")
_MONTHS = (
    *("january", "february", "march", "april", "may_long", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NO_TOKENS = {"patrolToken": "+\\", "watchToken": "+\\", "csrfToken": "+\\"}
_EVERY_PAGE = ("site", "mediawiki.page.ready")
"""Script modules that every page with a skin loads."""


def skin_modules(skin: Skin) -> tuple[str, ...]:
    """Return the script modules that a skin adds to those of the content."""
    return (*_EVERY_PAGE, *skin.scripts)


def head_html(facts: Facts, heading: str, language: str, skin: Skin, *, has_skin: bool) -> str:
    """Return the document up to and including the start tag of its body. Three queries.

    Args:
        facts: the data about the rendering.
        heading: the display title, as HTML.
        language: the interface language.
        skin: the skin.
        has_skin: whether the request names the skin; its modules are loaded only then.
    """
    site = facts.site
    title = Plain(unescape(_TAGS.sub("", heading)))
    name = escape_text(site.messages.text(Message("pagetitle", (title,)), language))
    classes = escape_attribute(" ".join(("client-nojs", *skin.html_classes)))
    head = _Head(facts, language, skin, has_skin=has_skin)
    lines = [
        "<!DOCTYPE html>",
        f'<html class="{classes}" lang="{html_code(language)}" dir="{direction(language)}">',
        '<head>\n<meta charset="UTF-8">',
        f"<title>{name}</title>",
        *head.loading(),
        f'<meta name="generator" content="{escape_attribute(site.config.site.generator)}">',
        '<meta name="robots" content="max-image-preview:standard">',
        '<meta name="format-detection" content="telephone=no">',
        *facts.output.head_items.values(),
        *head.links(),
        "</head>",
        f'<body class="{_body_classes(facts, direction(language), skin)}">',
    ]
    return "\n".join(lines)


class _Head:
    """The elements in the head of one rendering."""

    def __init__(self, facts: Facts, language: str, skin: Skin, *, has_skin: bool) -> None:
        self._site = facts.site
        self._facts = facts
        self._language = language
        self._skin = skin
        declared = facts.site.derived(declared_modules)
        own = (*facts.output.module_styles, *(skin.styles if has_skin else ()))
        self._styles = list(dict.fromkeys(name for name in own if name in declared))
        scripts = (*facts.output.modules, *(skin_modules(skin) if has_skin else ()))
        self._scripts = list(dict.fromkeys(scripts))

    def loading(self) -> Iterable[str]:
        """Yield the elements that load style sheets and scripts."""
        classes = " ".join(("client-js", *self._skin.html_classes))
        states = {"site.styles": "ready", "user.styles": "ready", "user": "ready"}
        states |= {"user.options": "loading"} | dict.fromkeys(self._styles, "ready")
        yield (
            '<script>document.documentElement.className="'
            f'{classes}";RLCONF={_script_json(self._config_values())};'
            f"RLSTATE={_script_json(states)};RLPAGEMODULES={_script_json(self._scripts)};</script>"
        )
        yield (
            "<script>(RLQ=window.RLQ||[]).push(function(){mw.loader.impl(function(){return["
            '"user.options@",function($,jQuery,require,module){'
            f"mw.user.tokens.set({_script_json(_NO_TOKENS)});}}];}});}});</script>"
        )
        if self._styles:
            yield self._stylesheet(self._styles)
        startup = escape_attribute(self._address(["startup"], "scripts", raw=True))
        yield f'<script async="" src="{startup}"></script>'
        yield '<meta name="ResourceLoaderDynamicStyles" content="">'
        of_wiki = site_modules(self._site, self._skin.code)
        stored = revisions_of(self._site, of_wiki.values())
        exist = {n for n, m in of_wiki.items() if any(title.key in stored for title in m.pages)}
        if "site.styles" in exist:
            yield self._stylesheet(["site.styles"])
        if "noscript" in exist:
            yield f"<noscript>{self._stylesheet(['noscript'])}</noscript>"

    def links(self) -> Iterable[str]:
        """Yield the links to the description of the API and to the licence."""
        site = self._site.config.site
        rsd = f"{site.server.partition(':')[2]}{site.script_path}/api.php?action=rsd"
        yield f'<link rel="EditURI" type="application/rsd+xml" href="{escape_attribute(rsd)}">'
        if site.rights_url:
            yield f'<link rel="license" href="{escape_attribute(site.rights_url)}">'

    def _stylesheet(self, names: Iterable[str]) -> str:
        return f'<link rel="stylesheet" href="{escape_attribute(self._address(names, "styles"))}">'

    def _address(self, names: Iterable[str], only: str, *, raw: bool = False) -> str:
        query = {"lang": self._language, "modules": packed_names(names), "only": only}
        query |= {"raw": "1"} if raw else {}
        query["skin"] = self._skin.code
        return f"{self._site.config.site.script_path}/load.php?{urlencode(query)}"

    def _config_values(self) -> Mapping[str, Any]:
        """Return the values of ``mw.config``. At most two queries."""
        source, output = self._facts.source, self._facts.output
        title, messages = source.title, self._site.messages
        months = (calendar_name(key, self._language, messages) for key in _MONTHS)
        row = pages.by_titles(self._site.db, [title.key]).get(title.key)
        canonical = title.namespace.canonical.replace(" ", "_")
        language, digits = self._site.language, string.digits
        values: dict[str, Any] = {
            "wgBreakFrames": False,
            "wgSeparatorTransformTable": _changes(",.", declared_separators(language)),
            "wgDigitTransformTable": _changes(digits, localize_digits(digits, language)),
            "wgDefaultDateFormat": "dmy",
            "wgMonthNames": [
                "",
                *months,
            ],
            "wgCanonicalNamespace": canonical,
            "wgCanonicalSpecialPageName": False,
            "wgNamespaceNumber": title.ns,
            "wgPageName": title.prefixed_dbkey,
            "wgTitle": title.text,
            "wgCurRevisionId": row.latest if row else 0,
            "wgRevisionId": 0,
            "wgArticleId": row.page_id if row else 0,
            "wgIsArticle": False,
            "wgIsRedirect": bool(row and row.is_redirect),
            "wgAction": "view",
            "wgUserName": None,
            "wgUserGroups": ["*"],
            "wgCategories": [name.replace("_", " ") for name in output.categories],
            "wgPageViewLanguage": self._site.language,
            "wgPageContentLanguage": self._site.language,
            "wgPageContentModel": source.model,
            "wgRelevantPageName": title.prefixed_dbkey,
            "wgRelevantArticleId": row.page_id if row else 0,
            "wgIsProbablyEditable": False,
            "wgRelevantPageIsProbablyEditable": False,
        }
        return values | output.js_config_vars


def _script_json(value: object) -> str:
    """Return a value as JSON that can be embedded in a ``script`` element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04X}")
    return text


def _body_classes(facts: Facts, way: str, skin: Skin) -> str:
    site, title = facts.site, facts.source.title
    root = title.prefixed_text
    if title.namespace.subpages:
        root = root.partition("/")[0]
    kind = "ns-talk" if title.namespace.is_talk else "ns-subject"
    names = [
        *skin.body_classes,
        *("mediawiki", way, f"sitedir-{direction(site.language)}", "mw-hide-empty-elt"),
        *(f"ns-{title.ns}", kind, _escaped(f"page-{title.prefixed_text}")),
        *(_escaped(f"rootpage-{root}"), f"skin-{skin.code}", "action-view"),
        *skin.body_ending,
    ]
    return escape_attribute(" ".join(names))


def _escaped(name: str) -> str:
    """Return a name for use in a CSS class; runs of illegal characters become an underscore."""
    return _NOT_IN_CLASSES.sub("_", name)


def _changes(before: str, after: str) -> list[str]:
    """Return characters and those that replace them, separated by tabs; empty if none does."""
    return ["", ""] if before == after else ["\t".join(before), "\t".join(after)]
