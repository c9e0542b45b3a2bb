"""The wikitext of a list."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

from wikiapi.languages.dates import format_moment
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi.wikitext import ParseState, escape_attribute, trim
from wikiapi_plugins.extensions.dynamicpagelist.finding import (
    PageRecord,
    categories_of,
    editors_of,
    redirect_targets,
)
from wikiapi_plugins.extensions.dynamicpagelist.including import (
    included,
    included_parts,
    parts_of,
)
from wikiapi_plugins.extensions.dynamicpagelist.options import (
    BadOptions,
    Options,
    read_pattern,
    read_patterns,
    unescaped,
)
from wikiapi_plugins.wikitext.patterns import Pattern

_VARIABLE = re.compile(r"%([A-Z0-9]++)%")
_BETWEEN = "&#160;-&#160;"
_LONGEST_FORMAT = 100
"""The maximum length of a date's format."""
_LONGEST_NAME = 2000
"""Replacements do not make the name of a page longer than this."""
_MAX_REPLACEMENTS = 50
_REPLACEMENT = re.compile(
    r"(?P<old>([/#~%@!])(?:\\.|(?!\2).)++\2[imsSuUx]*+|[^,]*+)(?:,(?P<new>[^|]*+))?(?:\||\Z)",
    re.DOTALL,
)
"""A replacement in titles: ``old,new``, or ``/pattern/flags,new``. Any text matches: what comes
after the last replacement is a match without ``new``."""
_MAX_INCLUDED_CHARACTERS = 2_000_000
"""Once a list has included this many characters, it includes no further pages."""
_PAGES_AT_ONCE = 50
"""Number of pages whose texts are fetched together."""


@dataclass(slots=True)
class Entry:
    """A page of the list, with what is shown beside its name."""

    record: PageRecord
    title: Title
    label: str
    user: str
    number: int = 0
    categories: list[str] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)


class Listing:
    """Renders a list of pages as wikitext."""

    def __init__(self, options: Options, state: ParseState, total: int) -> None:
        """Render lists with these parameters, for the page that ``state`` belongs to.

        ``total`` is how many pages there are besides those that the lists show.

        Raises:
            BadOptions: the replacements in titles cannot be made.
        """
        self._options = options
        self._state = state
        self._total = str(total)
        self._replacements = _replacements(options.text("replaceintitle"))

    def text(self, entries: Sequence[Entry]) -> str:
        """Return the list with its header and footer.

        Raises:
            BudgetExceeded: the parameters, which are repeated for each page, are too long.
        """
        options = self._options
        repeated = sum(map(len, options.texts.values())) * len(entries)
        with self._state.budget.borrow(repeated):
            body = self._body(entries)
        header, footer = options.text("resultsheader"), options.text("resultsfooter")
        if len(entries) == 1:
            header = options.text("oneresultheader") or header
            footer = options.text("oneresultfooter") or footer
        counted = {"PAGES": str(len(entries)), "TOTALPAGES": self._total}
        return f"{_filled(header, counted)}{body}{_filled(footer, counted)}"

    def _chosen(self, pages: Sequence[PageRecord]) -> Sequence[PageRecord]:
        """Return ``randomcount`` pages at random, in their order; all if it is not given."""
        number = self._options.numbers.get("randomcount", 0)
        if not number or number >= len(pages):
            return pages
        self._state.output.expire_after(0)
        places = sorted(random.sample(range(len(pages)), number))
        return [pages[place] for place in places]

    def entries(self, pages: Sequence[PageRecord]) -> list[Entry]:
        """Return the items of the list, with what is shown beside the names of the pages.

        Takes a fixed number of queries.

        Raises:
            BadOptions: a pattern is invalid.
        """
        pages = self._chosen(pages)
        titles = self._state.site.titles
        # Without them, an entry has the user of its revision.
        editors: Mapping[int, str] | None = None
        first = self._options.flag("addauthor")
        if first or self._options.flag("addlasteditor"):
            ids = [page.page_id for page in pages]
            editors = editors_of(self._state.site.db, ids, first=first)
        moved = [page.page_id for page in pages if page.is_redirect]
        targets = redirect_targets(self._state.site.db, moved)
        entries = []
        shows_namespace = self._options.flag("shownamespace", default=True)
        for number, page in enumerate(pages, 1):
            title = titles.make(page.ns, page.dbkey)
            label_title = titles.make(*targets[page.page_id]) if page.page_id in targets else title
            user = editors.get(page.page_id, "") if editors is not None else page.user
            label = label_title.prefixed_text if shows_namespace else label_title.text
            entries.append(Entry(page, title, self._shortened(label), user, number))
        self._state.links.note_existing(entry.title for entry in entries if entry.record.page_id)
        formats = self._options.text("format") + self._options.text("listseparators")
        if self._options.flag("addcategories") or "%CAT" in formats:
            categories = categories_of(self._state.site.db, [page.page_id for page in pages])
            for entry in entries:
                entry.categories = categories.get(entry.record.page_id, [])
        if include := self._options.text("include") or self._options.text("includepage"):
            return self._include(entries, included_parts(include))
        return entries

    def _include(self, entries: Sequence[Entry], include_parts: Sequence[str]) -> list[Entry]:
        """Add the included parts of the pages' texts, which are read with few queries.

        Returns the entries of which a part is as the patterns of the list demand.
        """
        state = self._state
        lists = (
            read_patterns(name, self._options.text(name), len(include_parts))
            for name in ("includematch", "includenotmatch")
        )
        conditions = [_Condition(*pair) for pair in zip(*lists, strict=True)]
        size = 0
        most = self._options.numbers.get("includemaxlength", 0)
        for place, entry in enumerate(entries):
            if size > _MAX_INCLUDED_CHARACTERS:
                break
            if not place % _PAGES_AT_ONCE:
                some = entries[place : place + _PAGES_AT_ONCE]
                state.loader.fetch(one.title for one in some)
            page = state.loader.get(entry.title)
            if page is None:
                continue
            state.output.add_template(entry.title, page.page_id, page.revision_id)
            whole, name = included(page.text, state), entry.title.prefixed_text
            entry.parts = [
                parts_of(whole, one, name, state, condition.accepts)
                for one, condition in zip(include_parts, conditions, strict=True)
            ]
            if self._options.flag("includetrim"):
                entry.parts = [[trim(part) for part in parts] for parts in entry.parts]
            if most:
                entry.parts = [[part[:most] for part in parts] for parts in entry.parts]
            size += sum(len(part) for parts in entry.parts for part in parts)
        if conditions and all(condition.is_given for condition in conditions):
            entries = [entry for entry in entries if any(entry.parts)]
            for number, entry in enumerate(entries, 1):
                entry.number = number
        return list(entries)

    # The list

    def _body(self, entries: Sequence[Entry]) -> str:
        options = self._options
        if options.text("table"):
            return self._table(entries)
        item_format = options.text("format") or options.text("listseparators")
        if item_format or options.mode == "userformat":
            # The form is ``start,before each page,after each page,end``.
            start, before, after, end = (*item_format.split(",", 3), "", "", "", "")[:4]
            total = {"PAGES": str(len(entries)), "TOTALPAGES": self._total}
            items = []
            for entry in entries:
                variables = self._variables(entry, len(entries))
                items.append(
                    _filled(before, variables) + self._parts(entry) + _filled(after, variables)
                )
            between = unescaped(options.text("inlinetext"))
            return f"{_filled(start, total)}{between.join(items)}{_filled(end, total)}"
        if (options.text("include") or options.text("includepage")) and not options.mode:
            return "".join(self._parts(entry) for entry in entries)
        mode = options.mode or "unordered"
        if mode == "category":
            return _by_letter([(entry, self._item(entry)) for entry in entries])
        if mode == "gallery":
            names = [entry.title.prefixed_text for entry in entries if entry.title.ns == FILE]
            opening = f"<gallery{self._gallery_attributes()}>"
            return "\n".join((opening, *names, "</gallery>")) if names else ""
        style = _STYLES[mode]
        between = options.text("inlinetext") or _BETWEEN if mode == "inline" else style.between
        attributes = _attributes(options.text("itemattr"))
        start = style.item_start.replace(">", f"{attributes}>", 1)
        items = [f"{start}{self._item(entry)}{style.item_end}" for entry in entries]
        opening = style.start.replace(">", f"{_attributes(options.text('listattr'))}>", 1)
        return f"{opening}{between.join(items)}{style.end}"

    def _gallery_attributes(self) -> str:
        options = self._options
        sizes = [(name, options.numbers.get(key, 0)) for name, key in _GALLERY_SIZES.items()]
        written = [f' {name}="{number}"' for name, number in sizes if number]
        if mode := options.choices.get("gallerymode"):
            written.append(f' mode="{mode}"')
        if caption := options.text("gallerycaption"):
            written.append(f' caption="{escape_attribute(caption)}"')
        if options.flag("galleryshowfilename"):
            written.append(' showfilename=""')
        return "".join(written)

    def _item(self, entry: Entry) -> str:
        """Return the link to a page, with the details that the parameters ask for."""
        options, page = self._options, entry.record
        is_dated = (
            options.flag("addeditdate")
            or options.flag("addpagetoucheddate")
            or (options.flag("addfirstcategorydate") and page.added)
        )
        before = self._date(page) if is_dated else ""
        if before:
            before += " " if options.text("userdateformat") else ": "
        after = f" [{page.size} B]" if options.flag("addpagesize") else ""
        if entry.user and any(map(options.flag, _USERS)):
            after += f" . . [[User:{entry.user}|{entry.user}]]"
        if options.flag("addcategories") and entry.categories:
            after += f" . . <small>{_category_links(entry.categories, ' | ')}</small>"
        parts = self._parts(entry)
        return f"{before}{self._link(entry)}{after}{f' {parts}' if parts else ''}"

    def _link(self, entry: Entry) -> str:
        """Return a link to a page, as wikitext."""
        name, label = entry.title.prefixed_text, entry.label
        if self._options.flag("showcurid") and entry.record.page_id:
            return f"[{{{{fullurl:{name}|curid={entry.record.page_id}}}}} {label}]"
        return f"[[:{name}|{label}]]"

    def _date(self, page: PageRecord) -> str:
        """Return the date of a page that the parameters ask for, in their format."""
        options = self._options
        stamp = page.timestamp or page.added or page.touched
        if options.flag("addpagetoucheddate"):
            stamp = page.touched
        elif options.flag("addfirstcategorydate") and page.added:
            stamp = page.added
        pattern = options.text("userdateformat")[:_LONGEST_FORMAT]
        if not pattern or len(stamp) < 14:
            if len(stamp) < 12:
                return ""
            return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[8:10]}:{stamp[10:12]}"
        moment = datetime.strptime(stamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return format_moment(pattern, moment, self._state.page_language, self._state.site.messages)

    def _parts(self, entry: Entry) -> str:
        """Return the included parts of a page with their separators."""
        between = _separators(self._options.text("secseparators"))
        repeated = _separators(self._options.text("multisecseparators"))
        out: list[str] = []
        for index, parts in enumerate(entry.parts):
            if not parts:
                continue
            start = between[2 * index] if 2 * index < len(between) else ""
            end = between[2 * index + 1] if 2 * index + 1 < len(between) else ""
            inner = (repeated[index] if index < len(repeated) else "").join(parts)
            out.append(f"{start}{inner}{end}")
        return _filled("".join(out), self._variables(entry, 0))

    def _table(self, entries: Sequence[Entry]) -> str:
        """Return a table with a row for each page: its name and its included parts."""
        attributes, *headings = self._options.text("table").split(",")
        rows = _separators(self._options.text("tablerow"))
        lines = [f"{{|{attributes}"]
        columns = [heading for heading in headings if trim(heading) != "-"]
        lines += [f"!{trim(heading)}" for heading in columns]
        table: list[list[str]] = []
        for entry in entries:
            is_named = not headings or trim(headings[0]) != "-"
            cells = [self._link(entry)] if is_named else []
            for index, parts in enumerate(entry.parts or [[]]):
                form = rows[index] if index < len(rows) else "%%"
                cell = form.replace("%%", "\n".join(parts))
                cells.append(_filled(cell, self._variables(entry, len(entries))))
            table.append(cells)
        if column := self._options.sorted_column:
            place = abs(column) - 1
            table.sort(key=lambda cells: cells[place : place + 1], reverse=column < 0)
        for cells in table:
            lines += ("|-", *(f"|{cell}" for cell in cells))
        return "\n" + "\n".join((*lines, "|}")) + "\n"

    def _variables(self, entry: Entry, number: int) -> Mapping[str, str]:
        page, title = entry.record, entry.title
        escape = self._options.flag("escapelinks", default=True)
        mark = ":" if escape and title.ns in (CATEGORY, FILE) else ""
        return {
            "PAGE": mark + title.prefixed_text,
            "TITLE": self._shortened(title.text),
            "FULLPAGENAME": title.prefixed_text,
            "PAGENAME": title.text,
            "NAMESPACE": title.namespace.name,
            "PAGEID": str(page.page_id),
            "NR": str(entry.number),
            "SIZE": str(page.size),
            "LENGTH": str(page.size),
            "DATE": self._date(page),
            "USER": entry.user,
            "CATLIST": _category_links(entry.categories, " | "),
            "CATNAMES": ", ".join(name.replace("_", " ") for name in entry.categories),
            "CATBULLETS": "".join(f"\n* {_category_links([one], '')}" for one in entry.categories),
            "IMAGE": title.text if title.ns == FILE else "",
            "TOTALPAGES": self._total,
            "PAGES": str(number),
        }

    def _shortened(self, text: str) -> str:
        """Return the name of a page with the replacements and at the length that are given."""
        for old, new in self._replacements:
            if not isinstance(old, str):
                text = old.replaced(text, new, _LONGEST_NAME)[:_LONGEST_NAME]
            elif len(text) + text.count(old) * len(new) <= _LONGEST_NAME:
                text = text.replace(old, new)
        most = self._options.numbers.get("titlemaxlength", 0)
        return f"{text[:most]}..." if most and len(text) > most else text


class _Condition(NamedTuple):
    """What an included part must match, and what it must not."""

    required: Pattern | None
    forbidden: Pattern | None

    @property
    def is_given(self) -> bool:
        """Whether there is any condition."""
        return self.required is not None or self.forbidden is not None

    def accepts(self, text: str) -> bool:
        """Return whether a section or the call of a template is to be included."""
        has_required = self.required is None or self.required.is_in(text)
        return has_required and not (self.forbidden is not None and self.forbidden.is_in(text))


def _replacements(text: str) -> list[tuple[str | Pattern, str]]:
    """Return the replacements in titles; what is not a valid pattern is replaced as it stands.

    Raises:
        BadOptions: there are too many, or there is a pattern but RE2 is not installed.
    """
    replacements: list[tuple[str | Pattern, str]] = []
    for match in _REPLACEMENT.finditer(text):
        old, new = match.group("old", "new")
        if new is None:
            break
        if len(replacements) == _MAX_REPLACEMENTS:
            raise BadOptions("dpl-wrong-value", "replaceintitle", match[0][:_LONGEST_FORMAT])
        if old:
            replacements.append((read_pattern(old) or old, new))
    return replacements


_USERS = ("adduser", "addauthor", "addlasteditor")
_GALLERY_SIZES = {"widths": "imagewidth", "heights": "imageheight", "perrow": "imagesperrow"}


class _Style(NamedTuple):
    start: str
    item_start: str
    item_end: str
    between: str
    end: str


_STYLES: Mapping[str, _Style] = {
    "unordered": _Style("<ul>", "<li>", "</li>", "", "</ul>"),
    "ordered": _Style("<ol>", "<li>", "</li>", "", "</ol>"),
    "definition": _Style("<dl>", "<dt>", "</dt>", "", "</dl>"),
    "inline": _Style("<div>", "<span>", "</span>", _BETWEEN, "</div>"),
    "none": _Style("", "", "", "<br />", ""),
}


def _by_letter(items: Sequence[tuple[Entry, str]]) -> str:
    """Return the items grouped under their first letters, as on a category page."""
    first: Callable[[tuple[Entry, str]], str] = lambda item: item[0].title.text[:1].upper()  # noqa: E731
    groups = (
        f"<h3>{letter}</h3><ul>{''.join(f'<li>{text}</li>' for _, text in group)}</ul>"
        for letter, group in groupby(items, key=first)
    )
    return f'<div class="mw-category">{"".join(groups)}</div>'


def _attributes(text: str) -> str:
    return f" {text}" if text and not {"<", ">"} & set(text) else ""


def _separators(text: str) -> list[str]:
    return text.split(",") if text else []


def _filled(text: str, variables: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: variables.get(match[1], match[0]), text)


def _category_links(names: Sequence[str], between: str) -> str:
    labels = (name.replace("_", " ") for name in names)
    return between.join(f"[[:Category:{name}|{name}]]" for name in labels)
