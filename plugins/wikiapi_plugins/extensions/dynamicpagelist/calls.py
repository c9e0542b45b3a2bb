"""The functions and tags of the extension."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    FunctionCall,
    ParserFunction,
    ParseState,
    PluginState,
    TagCall,
    Target,
    escape_text,
)
from wikiapi_plugins.extensions.dynamicpagelist.finding import Finder, categories_in
from wikiapi_plugins.extensions.dynamicpagelist.listing import Listing
from wikiapi_plugins.extensions.dynamicpagelist.options import (
    DELIMITERS,
    BadOptions,
    Options,
    read_options,
    read_pattern,
    settings_of,
)
from wikiapi_plugins.wikitext.patterns import is_pattern

_MOST, _CACHE_SECONDS, _HEADER = 500, 300, "Extension DPL"


def dpl(call: FunctionCall) -> str | Expansion:
    """Return the list of ``{{#dpl:category=...|...}}`` as wikitext."""
    call.state.notices.add_tracking_category("dpl-function-category")
    try:
        options = _options(call.args, call.state)
        text = _prologue(options, call.state) + _list(options, call.state)
    except BadOptions as error:
        return _error_text(error, call.state)
    return Expansion(text, preprocess=True)


def dpl_tag(call: TagCall) -> str:
    """Return the list of ``<DPL>``, whose lines are the parameters, as HTML."""
    call.state.notices.add_tracking_category("dpl-tag-category")
    try:
        options = _options((call.inner or "").split("\n"), call.state)
        return call.parse(_prologue(options, call.state) + _list(options, call.state))
    except BadOptions as error:
        return _error_text(error, call.state)


def intersection(call: TagCall) -> str:
    """Return the list of ``<DynamicPageList>`` as HTML, by default with the newest pages first."""
    state = call.state
    lines = (call.expand(call.inner or "")).split("\n")
    try:
        options = read_options(lines, call.site, most=_most(state))
        if not (options.categories or options.namespaces):
            raise BadOptions("dpl-intersection-no-selection")
        if not options.order_methods:
            options.order_methods = ["categoryadd" if options.categories else "lastedit"]
        if not any(line.partition("=")[0].strip().lower() == "order" for line in lines):
            options.descending = True
        named = options.flag("shownamespace", default=True)
        options.flags["shownamespace"] = named
        options.flags.setdefault("skipthispage", False)
        _warn_editors(options, state)
        text = _list(options, state, none="dpl-intersection-no-results")
    except BadOptions as error:
        is_silent = "suppresserrors" in (call.inner or "")
        return "" if is_silent else escape_text(state.messages.text(error.key, *error.params))
    return call.parse(text)


TAGS = (ExtensionTag("dpl", dpl_tag), ExtensionTag("dynamicpagelist", intersection))


def _options(lines: Iterable[str], state: ParseState) -> Options:
    """Return the parameters of a list.

    Raises:
        BadOptions: they select no pages, or contradict each other.
    """
    options = read_options(lines, state.site, most=_most(state))
    if not options.selects:
        raise BadOptions("dpl-no-selection")
    alphabetic = {"sortkey", "title", "titlewithoutnamespace"}
    if options.mode == "category" and not alphabetic & set(options.order_methods):
        raise BadOptions("dpl-category-mode")
    return options


def _list(options: Options, state: ParseState, *, none: str = "dpl-no-results") -> str:
    """Return a list as wikitext, or an empty text if only the links of the page are derived.

    A list depends on the links of all pages, so it cannot be made while these are being derived.

    Raises:
        BadOptions: the page has too many lists.
    """
    if state.options.target is Target.LINKS:
        return ""
    if not state.expensive():
        raise BadOptions("dpl-too-many")
    usual = int(settings_of(state.site).get("cache_seconds", _CACHE_SECONDS))
    is_cached = options.flag("allowcachedresults", default=True)
    state.output.expire_after(options.numbers.get("cacheperiod", usual) if is_cached else 0)
    state.expander.note_volatile()
    finder = Finder(state.site.db, options, state.title)
    limit = options.numbers.get("count", _most(state))
    pages = finder.pages(limit)
    # The number of all pages is only counted if a text shows it.
    is_shown = any("%TOTALPAGES%" in text for text in options.texts.values())
    offset = options.numbers.get("offset", 0)
    is_complete = len(pages) < limit and not offset
    total = finder.total() if is_shown and not is_complete else len(pages)
    if options.choices.get("goal") == "categories":
        ids = [page.page_id for page in pages]
        pages = categories_in(state.site.db, ids, descending=options.descending)
        total = len(pages)
    listing = Listing(options, state, total)
    if entries := listing.entries(pages):
        return listing.text(entries)
    if "noresultsheader" in options.texts or "noresultsfooter" in options.texts:
        return options.text("noresultsheader") + options.text("noresultsfooter")
    if options.flag("suppresserrors"):
        return ""
    text = state.messages.text(none)
    return state.messages.text("dpl-prefix", text) if none == "dpl-no-results" else text


def _most(state: ParseState) -> int:
    return int(settings_of(state.site).get("max_results", _MOST))


def _prologue(options: Options, state: ParseState) -> str:
    """Return the warnings, and the template that the wiki puts before every list, as wikitext."""
    name = str(settings_of(state.site).get("header_template", _HEADER))
    return f"{_warnings(options, state)}{f'{{{{{name}}}}}' if name else ''}"


def _warnings(options: Options, state: ParseState) -> str:
    """Return the warnings about parameters that have no effect, as wikitext.

    If the list is not to show any, editors are warned of them.
    """
    if options.flag("suppresserrors"):
        _warn_editors(options, state)
        return ""
    _track(options, state)
    texts = [
        *(state.messages.text("dpl-unknown", _label_of(name)) for name in options.unknown),
        *(state.messages.text("dpl-ignored", _label_of(name)) for name in options.ignored),
    ]
    return "".join(f"{state.messages.text('dpl-prefix', text)}<br />\n" for text in texts)


def _warn_editors(options: Options, state: ParseState) -> None:
    """Warn those who edit the page of parameters that have no effect."""
    _track(options, state)
    if names := ", ".join(f"'{_label_of(name)}'" for name in (*options.unknown, *options.ignored)):
        state.notices.warn("dpl-ignored-parameters", names)


def _track(options: Options, state: ParseState) -> None:
    if (options.unknown or options.ignored) and state.site.config.site.track_unknown:
        state.notices.add_tracking_category("dpl-ignored-category")


def _label_of(name: str) -> str:
    """Return the name of a parameter as wikitext."""
    return _MARKUP.sub(lambda sign: f"&#{ord(sign[0])};", name[:_LONGEST_NAME])


_LONGEST_NAME = 60
_MAX_REPLACED = 2_000_000
"""The maximum number of characters that `dplreplace` inserts."""
_MARKUP = re.compile(r"[^\w =]", re.ASCII)


def _error_text(error: BadOptions, state: ParseState) -> str:
    text = state.messages.text("dpl-prefix", state.messages.text(error.key, *error.params))
    return escape_text(text)


# Small functions for the texts of lists

_NUMBER = re.compile(r"([0-9][0-9.,]*)")
_LONGEST = 100_000


def dplnum(call: FunctionCall) -> str:
    """Return the integer part of the first number in a text."""
    call.state.notices.add_tracking_category("dpl-dplnum-category")
    match = _NUMBER.search(call.first[:_LONGEST].replace("&nbsp;", "").replace("\xa0", ""))
    if match is None:
        return "0"
    whole = re.sub(r"[.,][0-9]{0,2}\Z", "", match[1])
    return (re.sub(r"[.,]", "", whole) or "0").lstrip("0") or "0"


def dplreplace(call: FunctionCall) -> str:
    """Return a text in which a word, or each match of a pattern ``/.../``, is replaced."""
    call.state.notices.add_tracking_category("dpl-dplreplace-category")
    text, old, new = call.first[:_LONGEST], call.arg(1), call.arg(2)
    if not old:
        return text
    if not is_pattern(old, DELIMITERS):
        fits = (len(text) // len(old) + 1) * len(new) < _MAX_REPLACED
        return text.replace(old, new) if fits else text
    try:
        pattern = read_pattern(old)
    except BadOptions as error:
        return _error_text(error, call.state)
    return pattern.replaced(text, new, _MAX_REPLACED) if pattern else text


_VARIABLES: PluginState[dict[str, str]] = PluginState(lambda state: {})


def dplvar(call: FunctionCall) -> str:
    """Return a variable (``{{#dplvar:name}}``) or set some (``{{#dplvar:set|name|value}}``)."""
    call.state.notices.add_tracking_category("dpl-dplvar-category")
    variables = call.state.plugin(_VARIABLES)
    call.state.expander.note_volatile()
    verb = call.first
    if verb not in ("set", "default"):
        return variables.get(verb, "")
    pairs = zip(call.args[1::2], call.args[2::2], strict=False)
    for name, value in pairs:
        if verb == "set" or not variables.get(name):
            call.state.budget.keep(name)
            call.state.budget.keep(value)
            variables[name] = value
    return ""


_CHAPTER = re.compile(r"^(={1,6})(.+?)\1[ \t]*+$", re.MULTILINE)


def dplchapter(call: FunctionCall) -> str:
    """Return the text below a heading: ``{{#dplchapter:text|heading|maximum length}}``."""
    call.state.notices.add_tracking_category("dpl-dplchapter-category")
    text, heading = call.first, call.arg(1).strip()
    headings = list(_CHAPTER.finditer(text))
    for index, one in enumerate(headings):
        if one[2].strip() == heading:
            later = (two.start() for two in headings[index + 1 :] if len(two[1]) <= len(one[1]))
            chapter = text[one.end() : next(later, len(text))].strip()
            most = call.arg(2)
            return (
                chapter[: int(most)]
                if most.isascii() and most.isdigit() and most[8:] == ""
                else chapter
            )
    return ""


FUNCTIONS = (
    ParserFunction("#dpl", dpl),
    ParserFunction("#dplnum", dplnum),
    ParserFunction("#dplreplace", dplreplace),
    ParserFunction("#dplvar", dplvar),
    ParserFunction("#dplchapter", dplchapter),
)
