"""The wikitext of a list."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from wikiapi.store.queries import texts
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi.wikitext import ParseState
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.dynamicpagelist.finding import (
    Found,
    categories_of,
    redirect_targets,
)
from wikiapi_plugins.extensions.dynamicpagelist.including import (
    included,
    parts_of,
    wanted_parts,
)
from wikiapi_plugins.extensions.dynamicpagelist.options import Options, unescaped

_VARIABLE = re.compile(r"%([A-Z0-9]++)%")
_BETWEEN = "&#160;-&#160;"
_MAX_INCLUDED_CHARACTERS = 2_000_000
"""Once a list has included this many characters, it includes no further pages."""


@dataclass(slots=True)
class Entry:
    """A page of the list, with what is shown beside its name."""

    found: Found
    title: Title
    label: str
    number: int = 0
    categories: list[str] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)

    @property
    def link(self) -> str:
        """A link to the page, as wikitext."""
        return f"[[:{self.title.prefixed_text}|{self.label}]]"


class Listing:
    """Renders a list of pages as wikitext."""

    def __init__(self, options: Options, state: ParseState) -> None:
        """Render lists with these parameters, for the page that ``state`` belongs to."""
        self._options = options
        self._state = state

    def text(self, pages: Sequence[Found]) -> str:
        """Return the list with its header and footer."""
        entries = self._entries(self._chosen(pages))
        options = self._options
        body = self._body(entries)
        header, footer = options.text("resultsheader"), options.text("resultsfooter")
        if len(entries) == 1 and options.text("oneresultheader"):
            header = options.text("oneresultheader")
        counted = {"PAGES": str(len(entries)), "TOTALPAGES": str(len(entries))}
        return f"{_filled(header, counted)}{body}{_filled(footer, counted)}"

    def _chosen(self, pages: Sequence[Found]) -> Sequence[Found]:
        """Return ``randomcount`` pages at random, in their order; all if it is not given."""
        number = self._options.numbers.get("randomcount", 0)
        if not number or number >= len(pages):
            return pages
        self._state.output.expire_after(0)
        places = sorted(random.sample(range(len(pages)), number))
        return [pages[place] for place in places]

    def _entries(self, pages: Sequence[Found]) -> list[Entry]:
        titles = self._state.site.titles
        moved = [page.page_id for page in pages if page.is_redirect]
        targets = redirect_targets(self._state.site.db, moved)
        entries = []
        for number, page in enumerate(pages, 1):
            title = titles.make(page.ns, page.dbkey)
            shown = titles.make(*targets[page.page_id]) if page.page_id in targets else title
            entries.append(Entry(page, title, self._label(shown), number))
        self._state.links.note_existing(entry.title for entry in entries)
        if self._shows_categories():
            found = categories_of(self._state.site.db, [page.page_id for page in pages])
            for entry in entries:
                entry.categories = found.get(entry.found.page_id, [])
        if wanted := self._options.text("include") or self._options.text("includepage"):
            self._include(entries, wanted_parts(wanted))
        return entries

    def _label(self, title: Title) -> str:
        named = self._options.flag("shownamespace", default=True)
        label = title.prefixed_text if named else title.text
        most = self._options.numbers.get("titlemaxlength", 0)
        return f"{label[:most]}..." if most and len(label) > most else label

    def _shows_categories(self) -> bool:
        options = self._options
        shown = options.text("format") + options.text("listseparators")
        return options.flag("addcategories") or "%CAT" in shown

    def _include(self, entries: Sequence[Entry], wanted: Sequence[str]) -> None:
        """Add the included parts of the pages' texts, which are read with one query."""
        state = self._state
        found = texts.current(state.site.db, [entry.title.key for entry in entries])
        size = 0
        most = self._options.numbers.get("includemaxlength", 0)
        for entry in entries:
            page = found.get(entry.title.key)
            if page is None or page.text is None or size > _MAX_INCLUDED_CHARACTERS:
                continue
            state.output.add_template(entry.title, page.page_id, page.revision_id)
            whole = included(page.text, state)
            entry.parts = [parts_of(whole, one, entry.title.prefixed_text, state) for one in wanted]
            if most:
                entry.parts = [[part[:most] for part in parts] for parts in entry.parts]
            size += sum(len(part) for parts in entry.parts for part in parts)

    # The list

    def _body(self, entries: Sequence[Entry]) -> str:
        options = self._options
        if options.text("table"):
            return self._table(entries)
        given = options.text("format") or options.text("listseparators")
        if given or options.mode == "userformat":
            return self._formatted(entries, given)
        if (options.text("include") or options.text("includepage")) and not options.mode:
            return "".join(self._parts(entry) for entry in entries)
        mode = options.mode or "unordered"
        if mode == "category":
            return _by_letter([(entry, self._item(entry)) for entry in entries])
        if mode == "gallery":
            names = [entry.title.prefixed_text for entry in entries if entry.title.ns == FILE]
            return "\n".join(("<gallery>", *names, "</gallery>")) if names else ""
        style = _STYLES[mode]
        between = options.text("inlinetext") or _BETWEEN if mode == "inline" else style.between
        attributes = _attributes(options.text("itemattr"))
        start = style.item_start.replace(">", f"{attributes}>", 1)
        items = [f"{start}{self._item(entry)}{style.item_end}" for entry in entries]
        opening = style.start.replace(">", f"{_attributes(options.text('listattr'))}>", 1)
        return f"{opening}{between.join(items)}{style.end}"

    def _item(self, entry: Entry) -> str:
        """Return the link to a page, with the details that the parameters ask for."""
        options, page = self._options, entry.found
        before = f"{_moment(page.timestamp)}: " if options.flag("addeditdate") else ""
        if options.flag("addfirstcategorydate") and page.added:
            before = f"{_moment(page.added)}: "
        after = f" [{page.size} B]" if options.flag("addpagesize") else ""
        if options.flag("adduser") and page.user:
            after += f" . . [[User:{page.user}|{page.user}]]"
        if options.flag("addcategories") and entry.categories:
            after += f" . . <small>{_category_links(entry.categories, ' | ')}</small>"
        parts = self._parts(entry)
        return f"{before}{entry.link}{after}{f' {parts}' if parts else ''}"

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

    def _formatted(self, entries: Sequence[Entry], given: str) -> str:
        """Return a list in the form ``start,before each page,after each page,end``."""
        start, before, after, end = (*given.split(",", 3), "", "", "", "")[:4]
        total = {"PAGES": str(len(entries)), "TOTALPAGES": str(len(entries))}
        items = []
        for entry in entries:
            known = self._variables(entry, len(entries))
            items.append(_filled(before, known) + self._parts(entry) + _filled(after, known))
        between = unescaped(self._options.text("inlinetext"))
        return f"{_filled(start, total)}{between.join(items)}{_filled(end, total)}"

    def _table(self, entries: Sequence[Entry]) -> str:
        """Return a table with a row for each page: its name and its included parts."""
        attributes, *headings = self._options.text("table").split(",")
        rows = _separators(self._options.text("tablerow"))
        lines = [f"{{|{attributes}"]
        shown = [heading for heading in headings if trim(heading) != "-"]
        lines += [f"!{trim(heading)}" for heading in shown]
        for entry in entries:
            lines.append("|-")
            if not headings or trim(headings[0]) != "-":
                lines.append(f"|{entry.link}")
            for index, parts in enumerate(entry.parts or [[]]):
                form = rows[index] if index < len(rows) else "%%"
                cell = form.replace("%%", "\n".join(parts))
                lines.append(f"|{_filled(cell, self._variables(entry, len(entries)))}")
        return "\n" + "\n".join((*lines, "|}")) + "\n"

    def _variables(self, entry: Entry, total: int) -> Mapping[str, str]:
        page, title = entry.found, entry.title
        escape = self._options.flag("escapelinks", default=True)
        mark = ":" if escape and title.ns in (CATEGORY, FILE) else ""
        return {
            "PAGE": mark + title.prefixed_text,
            "TITLE": self._title(title),
            "FULLPAGENAME": title.prefixed_text,
            "PAGENAME": title.text,
            "NAMESPACE": title.namespace.name,
            "PAGEID": str(page.page_id),
            "NR": str(entry.number),
            "SIZE": str(page.size),
            "LENGTH": str(page.size),
            "DATE": _moment(page.timestamp or page.added or page.touched),
            "USER": page.user,
            "CATLIST": _category_links(entry.categories, " | "),
            "CATNAMES": ", ".join(name.replace("_", " ") for name in entry.categories),
            "CATBULLETS": "".join(f"\n* {_category_links([one], '')}" for one in entry.categories),
            "IMAGE": title.text if title.ns == FILE else "",
            "TOTALPAGES": str(total),
            "PAGES": str(total),
        }

    def _title(self, title: Title) -> str:
        text = title.text
        most = self._options.numbers.get("titlemaxlength", 0)
        old, mark, new = self._options.text("replaceintitle").partition(",")
        if mark and old and not old.startswith("/"):
            text = text.replace(old, new)
        return f"{text[:most]}..." if most and len(text) > most else text


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


def _filled(text: str, known: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: known.get(match[1], match[0]), text)


def _category_links(names: Sequence[str], between: str) -> str:
    shown = (name.replace("_", " ") for name in names)
    return between.join(f"[[:Category:{name}|{name}]]" for name in shown)


def _moment(stamp: str) -> str:
    """Return a timestamp of 14 digits in readable form."""
    if len(stamp) < 12:
        return ""
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[8:10]}:{stamp[10:12]}"
