"""The values of a list's parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC
from itertools import islice
from typing import Any

from wikiapi.site import Site
from wikiapi.timetexts import time_of
from wikiapi.title import CATEGORY, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import trim
from wikiapi_plugins.extensions.dynamicpagelist import parameters
from wikiapi_plugins.wikitext import patterns
from wikiapi_plugins.wikitext.patterns import MissingLibraryError, Pattern

DELIMITERS = "/#~|%@!"
_LISTED = re.compile(
    r"\s*+(?P<item>([/#~|%@!])(?:\\.|(?!\2).)++\2[imsSuUx]*+|[^,]*+)\s*+(?:,|\Z)", re.DOTALL
)


def read_pattern(text: str) -> Pattern | None:
    """Return the pattern that a text contains; ``None`` if it is not a valid one.

    Raises:
        BadOptions: the text is written like a pattern, but RE2 is not installed.
    """
    try:
        return patterns.parse_pattern(text, DELIMITERS)
    except MissingLibraryError:
        raise BadOptions("dpl-no-patterns") from None


def read_patterns(name: str, text: str, number: int) -> list[Pattern | None]:
    """Return the first patterns of a parameter, ``number`` of them, with ``None`` for missing ones.

    They are separated by commas; a place between these may be empty.

    Raises:
        BadOptions: one of them is not a valid pattern, or RE2 is not installed.
    """
    patterns: list[Pattern | None] = []
    for match in islice(_LISTED.finditer(text.strip()), number):
        written = match["item"].strip()
        pattern = read_pattern(written) if written else None
        if written and pattern is None:
            raise BadOptions("dpl-wrong-value", name, written)
        patterns.append(pattern)
    return [*patterns, *[None] * (number - len(patterns))]


_MAX_VALUES = 50
_MAX_WARNED_NAMES = 10
_MAX_DEPTH = 2
"""How many levels of subcategories a category may include."""
_PARTS = {"d": "j", "m": "F", "y": "Y"}
"""The signs of a date's day, month and year in the formats of ``{{#time:}}``."""


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
        depths: how many levels of subcategories count as well, by name, for those of the categories
            that include any.
        article_categories: names of categories, of which the article with the page's title must be
            in one.
        uncategorised: whether only pages without categories are shown.
        namespaces: ids of the namespaces to search, empty for all.
        not_namespaces: ids of the namespaces to leave out.
        titles: groups of titles by parameter, each used as in ``categories``.
        people: names of users by parameter.
        patterns: patterns of titles with ``%``, by parameter.
        category_counts: the minimum and maximum number of a page's categories.
        moments: timestamps of 14 digits, by parameter.
        texts: other parameters with their escapes resolved.
        choices: parameters with fixed values that were given.
        sorted_column: the number of the column by which a table is sorted, negative for descending
            order, 0 for none.
        unknown: names of unknown parameters.
        ignored: names of parameters that are known but ignored, some with their values.
    """

    categories: list[list[str]] = field(default_factory=list)
    not_categories: list[str] = field(default_factory=list)
    depths: dict[str, int] = field(default_factory=dict)
    article_categories: list[str] = field(default_factory=list)
    uncategorised: bool = False
    namespaces: list[int] = field(default_factory=list)
    has_namespaces: bool = False
    not_namespaces: list[int] = field(default_factory=list)
    titles: dict[str, list[list[Title]]] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, list[str]] = field(default_factory=dict)
    category_counts: tuple[int | None, int | None] = (None, None)
    moments: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    choices: dict[str, str] = field(default_factory=dict)
    sorted_column: int = 0
    unknown: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    flags: dict[str, bool] = field(default_factory=dict)
    mode: str = ""
    order_methods: list[str] = field(default_factory=list)
    descending: bool = False

    @property
    def selects(self) -> bool:
        """Whether any parameter selects pages."""
        return bool(
            self.categories
            or self.not_categories
            or self.article_categories
            or self.uncategorised
            or self.has_namespaces
            or self.not_namespaces
            or any(self.titles.values())
            or self.people
            or self.patterns
        )

    @property
    def redirects(self) -> str:
        """Whether redirects are listed: ``exclude``, ``include`` or ``only``."""
        return self.choices.get("redirects", "exclude")

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
        name = parameters.ALIASES.get(name, name)
        _Reader(options, site, most).read(name, trim(value).replace("¦", "|"))
    if options.article_categories and not options.has_namespaces:
        # The index by title begins with the namespace.
        options.namespaces += [one.id for one in site.titles.namespaces if one.id >= 0]
    return options


class _Reader:
    def __init__(self, options: Options, site: Wiki, most: int) -> None:
        self._options = options
        self._site = site
        self._most = most

    def read(self, name: str, value: str) -> None:
        """Read one parameter, or record its name as ignored or unknown."""
        options = self._options
        if name in ("category", "notcategory"):
            self._category(name, value)
        elif name == "articlecategory":
            options.article_categories += self._category_names(value)
        elif name in ("namespace", "notnamespace"):
            numbers = []
            for one in value.split("|")[:_MAX_VALUES]:
                number = self._namespace_number(trim(one))
                if number is None:
                    raise BadOptions("dpl-wrong-value", name, one)
                numbers.append(number)
            if name == "namespace":
                options.namespaces += numbers
                options.has_namespaces = True
            else:
                options.not_namespaces += numbers
        elif name in parameters.TITLE_LISTS:
            namespace = parameters.TITLE_LISTS[name]
            parsed = (self._site.titles.try_parse(one, namespace) for one in _values(value))
            titles = [title for title in parsed if title and title.dbkey and not title.interwiki]
            if name not in ("title", "nottitle") and any("%" in title.dbkey for title in titles):
                # The extension reads it as a pattern. To follow that would be to read whole tables.
                self._note(options.ignored, f"{name}=%")
            options.titles.setdefault(name, []).append(titles)
        elif name in parameters.PEOPLE:
            options.people[name] = value.replace("_", " ")
        elif name in parameters.PATTERNS:
            patterns = [one.replace(" ", "_") for one in _values(value)]
            options.patterns.setdefault(name, []).extend(patterns)
        elif name in parameters.TEXTS:
            options.texts[name] = unescaped(value)
        elif name in parameters.MOMENTS:
            options.moments[name] = self._moment(name, value)
        elif name in parameters.NUMBERS:
            if not (value.isascii() and value.isdigit() and len(value) < 10):
                raise BadOptions("dpl-wrong-value", name, value)
            options.numbers[name] = min(
                int(value), self._most if name == "count" else parameters.NUMBERS[name]
            )
        else:
            self._read_word(name, value.lower())

    def _read_word(self, name: str, value: str) -> None:
        options = self._options
        if name == "addfirstcategorydate" and value and not set(value) - _PARTS.keys():
            # Wikimedia's extension takes the parts of the date in their order.
            pattern = "F j, Y" if value == "mdy" else " ".join(map(_PARTS.__getitem__, value))
            options.flags[name], options.texts["userdateformat"] = True, f"{pattern}:"
        elif name in parameters.FLAGS:
            options.flags[name] = value in parameters.TRUE
        elif name in parameters.CHOICES:
            options.choices[name] = self._one_of(name, value, parameters.CHOICES[name])
        elif name == "mode":
            options.mode = self._one_of(name, value, parameters.MODES)
        elif name == "ordermethod":
            methods: list[str] = []
            for one in filter(None, map(trim, value.split(","))):
                if one in parameters.IGNORED_ORDERS:
                    self._note(self._options.ignored, f"ordermethod={one}")
                else:
                    methods.append(self._one_of("ordermethod", one, parameters.ORDERS))
            options.order_methods = methods
        elif name == "order":
            options.descending = value.startswith("desc")
        elif name == "categoriesminmax":
            least, _, most = value.partition(",")
            options.category_counts = (self._bound(name, least), self._bound(name, most))
        elif name == "tablesortcol":
            column = self._bound(name, value.removeprefix("-")) or 0
            options.sorted_column = -column if value.startswith("-") else column
        elif name == "allowcachedresults":
            options.flags[name] = value not in parameters.FALSE
        else:
            # A parameter without effect is noted, unless that changes nothing.
            if name in parameters.IGNORED:
                if name == "debug" and value == "0":
                    options.flags["suppresserrors"] = True
                if not {trim(one) for one in value.split(",")} <= parameters.IGNORED[name]:
                    self._note(options.ignored, name)
            elif name not in parameters.WITHOUT_EFFECT:
                self._note(options.unknown, name)

    def _note(self, names: list[str], name: str) -> None:
        if name not in names and len(names) < _MAX_WARNED_NAMES:
            names.append(name)

    def _one_of(self, name: str, value: str, choices: Iterable[str]) -> str:
        if value not in choices:
            raise BadOptions("dpl-wrong-value", name, value)
        return value

    def _category(self, name: str, value: str) -> None:
        options = self._options
        if value.lower() in ("", "_none_"):
            options.uncategorised = options.uncategorised or name == "category"
        elif name == "category":
            options.categories += map(self._category_names, value.split("<&>")[:_MAX_VALUES])
        else:
            options.not_categories += self._category_names(value)

    def _category_names(self, value: str) -> list[str]:
        """Return names of categories, and record those that are given as ``*Name``."""
        names = []
        for one in _values(value):
            bare = one.lstrip("+-*")
            title = self._site.titles.try_parse(bare, CATEGORY)
            if title and title.ns == CATEGORY:
                names.append(title.dbkey)
                if depth := one[: len(one) - len(bare)].count("*"):
                    self._options.depths[title.dbkey] = min(depth, _MAX_DEPTH)
        return names

    def _namespace_number(self, name: str) -> int | None:
        if name.lower() in ("", "main", "(main)"):
            return 0
        if name.isascii() and name.lstrip("-").isdigit() and len(name) < 9:
            return int(name)
        title = self._site.titles.try_parse(f"{name}:x")
        return title.ns if title and title.ns else None

    def _moment(self, name: str, value: str) -> str:
        """Return a timestamp from one that may be incomplete or punctuated, or from words."""
        digits = "".join(filter(str.isdigit, value)) if value.isascii() else ""
        if 8 <= len(digits) <= 14 and not any(map(str.isalpha, value)):
            return digits.ljust(14, "0")
        try:
            moment = time_of(value, self._site.clock()) if value else None
        except (ValueError, OverflowError):
            moment = None
        if moment is None:
            raise BadOptions("dpl-wrong-value", name, value)
        return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S").rjust(14, "0")

    def _bound(self, name: str, value: str) -> int | None:
        text = trim(value)
        if text and not (text.isascii() and text.isdigit() and len(text) < 9):
            raise BadOptions("dpl-wrong-value", name, value)
        return int(text) if text else None


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
