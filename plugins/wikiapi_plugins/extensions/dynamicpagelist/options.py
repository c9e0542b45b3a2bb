"""The parameters of a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wikiapi.site import Site
from wikiapi.title import CATEGORY, FILE, TEMPLATE, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.syntax import trim

MODES = frozenset({"unordered", "ordered", "none", "inline", "category", "definition", "gallery",
                   "userformat"})  # fmt: skip
ORDERS = frozenset({"none", "title", "titlewithoutnamespace", "fulltitle", "sortkey", "category",
                    "categoryadd", "categorysortkey", "lastedit", "firstedit", "created", "size",
                    "length", "pagetouched", "pagesel", "user", "popularity",
                    "counter"})  # fmt: skip
_NUMBERS = {"count": 500, "offset": 100_000, "titlemaxlength": 255, "includemaxlength": 1_000_000,
            "columns": 20, "randomcount": 500}  # fmt: skip
_FLAGS = ("addeditdate", "adduser", "addpagesize", "addcategories", "addfirstcategorydate",
          "shownamespace", "skipthispage", "suppresserrors", "escapelinks",
          "showcurid", "includesubpages")  # fmt: skip
_TRUE = frozenset({"true", "yes", "1", "on"})
_TITLE_LISTS = {
    "linksto": 0,
    "notlinksto": 0,
    "linksfrom": 0,
    "notlinksfrom": 0,
    "uses": TEMPLATE,
    "notuses": TEMPLATE,
    "usedby": 0,
    "imageused": FILE,
    "imagecontainer": 0,
    "title": 0,
    "title=": 0,
}
_PEOPLE = ("createdby", "notcreatedby", "modifiedby", "notmodifiedby", "lastmodifiedby",
           "notlastmodifiedby")  # fmt: skip
_PATTERNS = ("titlematch", "nottitlematch", "categorymatch", "notcategorymatch")
_TEXTS = ("format", "listseparators", "inlinetext", "resultsheader", "resultsfooter",
          "noresultsheader", "noresultsfooter", "oneresultheader", "include", "includepage",
          "multisecseparators", "secseparators", "table", "tablerow", "userdateformat",
          "titlegt", "titlelt", "replaceintitle", "listattr", "itemattr")  # fmt: skip
_NOT_HERE = frozenset({"addauthor", "addcontribution", "addexternallink", "addlasteditor",
    "addpagecounter", "addpagetoucheddate", "allowcachedresults", "allrevisionsbefore",
    "allrevisionssince", "articlecategory", "cacheperiod", "categoryregexp", "debug", "deleterules",
    "distinct", "dominantsection", "dplcache", "dplcacheperiod", "dplcachestorage", "eliminate",
    "execandexit", "firstrevisionsince", "fixcategory", "goal", "headingcount", "headingmode",
    "hiddencategories", "hitemattr", "hlistattr", "ignorecase", "includematch",
    "includematchparsed", "includenotmatch", "includenotmatchparsed", "includetrim",
    "lastrevisionbefore", "linkstoexternal", "linkstoexternaldomain", "linkstoexternalpath",
    "maxrevisions", "minoredits", "minrevisions", "notcategoryregexp", "nottitle",
    "nottitleregexp", "oneresultfooter", "openreferences", "ordercollation", "qualitypages",
    "reset", "rowcolformat", "rows", "rowsize", "scroll", "stablepages", "suppresspurge",
    "tablesortcol", "titleregexp", "updaterules", "warncachedresults"})  # fmt: skip
"""Parameters of the original extension that this plugin ignores without a warning."""
_MAX_VALUES = 50
_MAX_UNKNOWN_NAMES = 10


class BadOptions(Exception):
    """Parameters that cannot give a list; holds the key and parameters of the error message."""

    def __init__(self, key: str, *params: str) -> None:
        """Store the key and parameters of the error message."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


@dataclass
class Options:
    """The parameters of a list.

    Attributes:
        categories: groups of names; a page must be in one category of each group.
        not_categories: names of categories that a page must not be in.
        uncategorised: whether only pages without categories are shown.
        namespaces: ids of the namespaces to search, empty for all.
        not_namespaces: ids of the namespaces to leave out.
        titles: groups of titles by parameter, each used as in ``categories``.
        people: names of users by parameter.
        patterns: patterns of titles with ``%``, by parameter.
        category_counts: the minimum and maximum number of a page's categories.
        texts: other parameters with their escapes resolved.
        unknown: names of unknown parameters.
    """

    categories: list[list[str]] = field(default_factory=list)
    not_categories: list[str] = field(default_factory=list)
    uncategorised: bool = False
    namespaces: list[int] = field(default_factory=list)
    has_namespaces: bool = False
    not_namespaces: list[int] = field(default_factory=list)
    titles: dict[str, list[list[Title]]] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, list[str]] = field(default_factory=dict)
    category_counts: tuple[int | None, int | None] = (None, None)
    texts: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    mode: str = ""
    order_methods: list[str] = field(default_factory=list)
    descending: bool = False
    redirects: str = "exclude"

    @property
    def selects(self) -> bool:
        """Whether any parameter selects pages."""
        return bool(
            self.categories
            or self.not_categories
            or self.uncategorised
            or self.has_namespaces
            or self.not_namespaces
            or any(self.titles.values())
            or self.people
            or self.patterns
        )

    def text(self, name: str) -> str:
        """Return a text parameter with its escapes resolved; empty if it is missing."""
        return self.texts.get(name, "")

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a boolean parameter."""
        return self.flags.get(name, default)


def read_options(lines: Iterable[str], site: Wiki, *, most: int) -> Options:
    """Return the parameters in lines of the form ``name = value``.

    Raises:
        BadOptions: a value is invalid.
    """
    options = Options()
    for line in lines:
        name, mark, value = line.partition("=")
        name = trim(name).lower()
        if not mark or not name or name.startswith("#"):
            continue
        _Reader(options, site, most).read(name, trim(value).replace("¦", "|"))
    return options


class _Reader:
    def __init__(self, options: Options, site: Wiki, most: int) -> None:
        self._options = options
        self._site = site
        self._most = most

    def read(self, name: str, value: str) -> None:
        """Read one parameter, or record its name as unknown."""
        options = self._options
        if name in ("category", "notcategory"):
            self._category(name, value)
        elif name in ("namespace", "notnamespace"):
            self._namespace(name, value)
        elif name in _TITLE_LISTS:
            titles = self._titles(value, _TITLE_LISTS[name])
            options.titles.setdefault(name.rstrip("="), []).append(titles)
        elif name in _PEOPLE:
            options.people[name] = value.replace("_", " ")
        elif name in _PATTERNS:
            found = [one.replace(" ", "_") for one in _values(value)]
            options.patterns.setdefault(name, []).extend(found)
        elif name in _TEXTS:
            options.texts[name] = unescaped(value)
        elif name in _NUMBERS:
            options.numbers[name] = self._number(name, value)
        elif name in _FLAGS:
            options.flags[name] = value.lower() in _TRUE
        else:
            self._read_other(name, value.lower())

    def _read_other(self, name: str, value: str) -> None:
        options = self._options
        if name == "mode":
            options.mode = self._one_of(name, value, MODES)
        elif name == "ordermethod":
            methods = [trim(one) for one in value.split(",")]
            options.order_methods = [self._one_of(name, one, ORDERS) for one in methods if one]
        elif name == "order":
            options.descending = value.startswith("desc")
        elif name == "redirects":
            options.redirects = self._one_of(name, value, {"exclude", "include", "only"})
        elif name == "categoriesminmax":
            least, _, most = value.partition(",")
            options.category_counts = (self._bound(name, least), self._bound(name, most))
        elif name not in _NOT_HERE and len(options.unknown) < _MAX_UNKNOWN_NAMES:
            options.unknown.append(name)

    def _one_of(self, name: str, value: str, known: Iterable[str]) -> str:
        if value not in known:
            raise BadOptions("dpl-wrong-value", name, value)
        return value

    def _category(self, name: str, value: str) -> None:
        options = self._options
        if value.lower() in ("", "_none_"):
            options.uncategorised = options.uncategorised or name == "category"
            return
        titles = [self._site.titles.try_parse(one.lstrip("+*-"), CATEGORY) for one in
                  _values(value)]  # fmt: skip
        names = [title.dbkey for title in titles if title and title.ns == CATEGORY]
        if name == "category":
            options.categories.append(names)
        else:
            options.not_categories += names

    def _namespace(self, name: str, value: str) -> None:
        numbers = []
        for one in value.split("|")[:_MAX_VALUES]:
            number = self._namespace_number(trim(one))
            if number is None:
                raise BadOptions("dpl-wrong-value", name, one)
            numbers.append(number)
        if name == "namespace":
            self._options.namespaces += numbers
            self._options.has_namespaces = True
        else:
            self._options.not_namespaces += numbers

    def _namespace_number(self, name: str) -> int | None:
        if name.lower() in ("", "main"):
            return 0
        if name.isascii() and name.lstrip("-").isdigit() and len(name) < 9:
            return int(name)
        title = self._site.titles.try_parse(f"{name}:x")
        return title.ns if title and title.ns else None

    def _titles(self, value: str, namespace: int) -> list[Title]:
        found = (self._site.titles.try_parse(one, namespace) for one in _values(value))
        return [title for title in found if title and title.dbkey and not title.interwiki]

    def _bound(self, name: str, value: str) -> int | None:
        text = trim(value)
        if text and not (text.isascii() and text.isdigit() and len(text) < 9):
            raise BadOptions("dpl-wrong-value", name, value)
        return int(text) if text else None

    def _number(self, name: str, value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 9):
            raise BadOptions("dpl-wrong-value", name, value)
        return min(int(value), self._most if name == "count" else _NUMBERS[name])


def _values(text: str) -> list[str]:
    return [value for one in text.split("|")[:_MAX_VALUES] if (value := trim(one))]


def unescaped(text: str) -> str:
    r"""Return a text with its escapes for line breaks, braces and angle brackets resolved."""
    for sign, meaning in _SIGNS.items():
        text = text.replace(sign, meaning)
    return text


_SIGNS = {"\\n": "\n", "¶": "\n", "²{": "{{", "}²": "}}", "«": "<", "»": ">"}


def settings_of(site: Wiki | Site) -> dict[str, Any]:
    """Return the wiki's settings for this extension."""
    return dict(site.config.extensions.get("dynamicpagelist", {}))
