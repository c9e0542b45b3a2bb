"""The links of a page, with placeholders until it is known which targets exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from wikiapi.languages.linktrails import trailing_letters
from wikiapi.languages.variants import LanguageConverter
from wikiapi.store.queries.pages import PageRow
from wikiapi.title.fragments import Fragments
from wikiapi.title.namespaces import CATEGORY, FILE, MEDIAWIKI, SPECIAL
from wikiapi.title.references import decode_references
from wikiapi.title.title import Title
from wikiapi.title.variants import stored_variants
from wikiapi.wiki import Wiki
from wikiapi.wikitext.expand.lookups import Lookups
from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi.wikitext.media.holders import PageFiles
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import PageMessages
from wikiapi.wikitext.pages import LinkedPages
from wikiapi.wikitext.parsoid.links import PageAddresses, page_link, red_link

Key = tuple[int, str]

_HOLDER = re.compile(r"<!--LINK'\" ([0-9]{1,8})-->")


class _Held(NamedTuple):
    title: Title
    label: str


class LinkHolders:
    """The links of one rendering. All their targets are looked up with one query.

    ``on_found`` is set if plugins want to know the pages that exist; it is called with their rows
    before links to them are written.
    """

    on_found: Callable[[Mapping[Key, PageRow]], None] | None = None

    def __init__(
        self,
        site: Wiki,
        output: ParserOutput,
        pages: LinkedPages,
        files: PageFiles,
        lookups: Lookups,
        messages: PageMessages,
        language: LanguageConverter | None,
        fragments: Fragments,
        addresses: PageAddresses | None = None,
    ) -> None:
        """Record links in ``output``; look up their targets in ``pages`` and ``files``.

        ``lookups`` are those of parser functions and variables; they affect the order of links.
        ``language`` is the converter of the page's language, if that has variants: a link may name
        a page by its title in any of them. ``fragments`` is how to spell sections.
        With ``addresses``, the links have the form of Parsoid's HTML.
        """
        self._site = site
        self._output = output
        self._pages = pages
        self._files = files
        self._lookups = lookups
        self._messages = messages
        self._language = language
        self._fragments = fragments
        self._link = self.page_link if addresses is None else partial(self._parsoid_link, addresses)
        self._held: list[_Held] = []
        self._looked_up: set[Key] = set()
        self._batches: dict[Key, int] = {}
        """The number of the batch in which each link becomes known to the output."""
        self._batch = 0
        self._added: dict[Key, int] = {}
        """The number of the batch before which each link was added with :meth:`add`."""
        self._noted: set[Key] = set()
        self._instead: dict[Key, Title] = {}
        """Existing pages whose titles are variants of those of missing pages."""
        self._autonumber = 0

    # Recording links

    def add(self, title: Title) -> None:
        """Add a link to a page of this wiki, unless it is a special page."""
        key = title.key
        if title.ns >= 0 and key not in self._added:
            if key not in self._batches:
                # A placeholder may have recorded the link; :meth:`order` puts it here.
                self._output.links.pop(key, None)
            self._output.add_link(title)
            self._added[key] = self._batch

    def note_existing(self, titles: Iterable[Title]) -> None:
        """Record that pages exist. :meth:`order` sorts them before those that are looked up."""
        self._noted.update(title.key for title in titles)

    def add_interwiki(self, title: Title) -> None:
        """Add a link to a page of another wiki."""
        if title.interwiki:
            key = title.interwiki, title.dbkey
            self._output.interwiki_links.setdefault(key, title)

    def next_autonumber(self) -> int:
        """Return the number of the next external link without text."""
        self._autonumber += 1
        return self._autonumber

    def add_class(self, page: Key, name: str) -> None:
        """Add a class to the links to a page; for plugins, in ``on_links_found``."""
        classes = self._pages.classes
        classes[page] = f"{classes[page]} {name}" if page in classes else name

    def set_name(self, page: Key, html: str) -> None:
        """Replace the label of links to a page that are labelled with just its name.

        The name may be followed by the section that the link leads to, which is then left out,
        also if ``html`` is empty and the name stays.
        """
        self._pages.names[page] = html

    # Placeholders

    def hold(self, title: Title, label: str, trail: str = "") -> str:
        """Return a placeholder for a link; letters at the start of ``trail`` join its label.

        The rest of ``trail`` follows the placeholder.
        """
        inside, outside = split_trail(trail, self._site.language)
        self._held.append(_Held(title, label + inside))
        if title.ns >= 0:
            self._output.add_link(title)
        return f"<!--LINK'\" {len(self._held) - 1}-->{outside}"

    @property
    def held_count(self) -> int:
        """The number of placeholders."""
        return len(self._held)

    def replace(self, text: str) -> str:
        """Return the text with every placeholder replaced by its link."""
        if "<!--LINK" not in text:
            return text
        self.look_up()
        return self._replaced(text, self._link)

    def replace_unseen(self, text: str, addresses: PageAddresses) -> str:
        """Return the text with links as in Parsoid's HTML that no reader sees.

        They do not tell whether their targets exist.
        """
        return self._replaced(text, lambda title, label: page_link(title, label, "", addresses))

    def replace_text(self, text: str) -> str:
        """Return the text with every placeholder replaced by the label of its link."""
        return self._replaced(text, lambda _, label: label)

    def _replaced(self, text: str, link: Callable[[Title, str], str]) -> str:
        if "<!--LINK" not in text:
            return text

        def html(match: re.Match[str]) -> str:
            held = self._at(match)
            return link(held.title, held.label) if held else match[0]

        return _HOLDER.sub(html, text)

    def _at(self, match: re.Match[str]) -> _Held | None:
        index = int(match[1])
        return self._held[index] if index < len(self._held) else None

    # Which targets exist

    def look_up(self) -> None:
        """Look up which of the linked pages exist, in one query, if not done already."""
        links = self._output.links
        # Links added since the last query are at the end.
        new = list(takewhile(lambda key: key not in self._looked_up, reversed(links)))
        if new:
            unknown = {key: links[key] for key in reversed(new)}
            self._looked_up.update(new)
            self._close_batch(unknown)
            self._note_existing(self._pages.existing(unknown))
            # Some linked pages are not stored but count as existing.
            self._files.load(title for title in unknown.values() if title.ns == FILE)
            existing = self._output.existing
            absent = [title for key, title in unknown.items() if key not in existing]
            self._output.unstored.update(
                title.key for title in absent if self._counts_as_existing(title)
            )
            self._find_variants(unknown)

    def _note_existing(self, rows: Mapping[Key, PageRow]) -> None:
        self._output.existing.update({key: bool(row.is_redirect) for key, row in rows.items()})
        if self.on_found is not None and (new := self._pages.take_new()):
            self.on_found(new)

    def _find_variants(self, titles: Mapping[tuple[int, str], Title]) -> None:
        """Find pages that are stored under a variant of a missing page's title."""
        if self._language is None:
            return
        output = self._output
        absent = [titles[key] for key in titles.keys() - output.existing.keys() - output.unstored]
        stored: dict[Key, PageRow] = {}

        def existing(keys: Iterable[tuple[int, str]]) -> Set[tuple[int, str]]:
            stored.update(self._pages.existing(keys))
            return stored.keys()

        self._instead |= stored_variants(absent, self._language, self._site.titles, existing)
        met = {title.key: title for title in self._instead.values() if title.key in stored}
        for key, title in met.items():
            output.add_link(title)
            self._looked_up.add(key)
            self._batches.setdefault(key, self._batch)
        self._note_existing({key: stored[key] for key in met})

    # Their order

    def close_batch(self, start: int = 0) -> None:
        """Let the links held so far come before later ones in the output, as if looked up now.

        Of the placeholders, only those from number ``start`` on are meant.
        """
        self._close_batch(held.title.key for held in self._held[start:] if held.title.ns >= 0)

    def _close_batch(self, keys: Iterable[Key]) -> None:
        """Number the links that are in no batch yet, and note which of them are known to exist.

        These are the pages that were transcluded or that a function has looked up.
        """
        for key in keys:
            if key not in self._batches:
                self._batches[key] = self._batch
                if key in self._output.template_ids or self._lookups.has_page(key):
                    self._noted.add(key)
        self._batch += 1

    def order(self) -> None:
        """Sort the links in the output by namespace, in the order of their first links.

        Within a namespace they are in the order of the batches in which they were looked up. In a
        batch, links added with :meth:`add` and those to pages that need not be stored come first,
        then pages that were known to exist, both in the order of the text, then other pages that
        exist, by title, then missing pages in the order of the text.
        """
        existing, links = self._output.existing, self._output.links

        def rank(key: Key) -> tuple[int, int, tuple[int | str, ...]]:
            batch = self._batches[key]
            if key in self._added:
                return self._added[key], 0, ()
            if self._counts_as_existing(links[key]):
                return batch, 0, ()
            if key in self._noted:
                return batch, 1, (key[0],)
            if key in existing:
                return batch, 2, key
            return batch, 3, (key[0],)

        met = sorted(links, key=rank)
        namespaces = {ns: place for place, ns in enumerate(dict.fromkeys(key[0] for key in met))}
        ordered = sorted(met, key=lambda key: namespaces[key[0]])
        self._output.links = {key: links[key] for key in ordered}

    def _counts_as_existing(self, title: Title) -> bool:
        """Return whether a page counts as existing although it is not stored."""
        namespace = title.ns
        if namespace == SPECIAL:
            return title.text in self._site.special_pages
        if namespace == MEDIAWIKI:
            return self._site.messages.built_in(title.dbkey) is not None
        return namespace == FILE and self._files.file(title) is not None

    # Links as HTML

    def known_link(self, title: Title, label: str, css: str = "") -> str:
        """Return a link that is shown as existing, whether or not its target exists."""
        return known_link(title, label, self._site, css, self._fragments)

    def page_link(self, title: Title, label: str) -> str:
        """Return a link to a page of this wiki, whose look depends on whether the page exists."""
        page = self._page(title)
        if page is None:
            tip = self._messages.red_link_tip.replace("$1", title.prefixed_text)
            query = "" if title.ns == SPECIAL else "action=edit&redlink=1"
            return _anchor(self._site.query_path(title, query), ' class="new"', tip, label)
        title, classes = page
        css = f' class="{classes}"' if classes else ""
        url = self._site.page_path(title, self._fragments)
        return _anchor(url, css, title.prefixed_text, self._renamed(title, label))

    def _parsoid_link(self, addresses: PageAddresses, title: Title, label: str) -> str:
        """Return a link as :meth:`page_link` does, in the form of Parsoid's HTML."""
        page = self._page(title)
        if page is None:
            tip = self._messages.red_link_tip.replace("$1", title.prefixed_text)
            return red_link(title, label, tip, addresses)
        title, classes = page
        return page_link(title, self._renamed(title, label), classes, addresses)

    def _page(self, title: Title) -> tuple[Title, str] | None:
        """Return the title to link to and the classes of the link; ``None`` for a missing page."""
        if instead := self._instead.get(title.key):
            title = replace(instead, fragment=title.fragment)
        redirect = self._output.existing.get(title.key)
        unstored = self._output.unstored
        is_new = title.key not in unstored and title.key not in self._looked_up
        if redirect is None and is_new and self._counts_as_existing(title):
            unstored.add(title.key)
        if redirect is None and title.key not in unstored:
            return None
        if title.ns == SPECIAL:
            title = replace(title, dbkey=self._site.special_pages.local_name(title.dbkey))
        classes = "mw-redirect" if redirect else ""
        if title.key in self._pages.classes:
            classes = f"{classes} {self._pages.classes[title.key]}".lstrip()
        return title, classes

    def _renamed(self, title: Title, label: str) -> str:
        """Return the label of a link to a page, which may be called differently from its title."""
        if title.key not in self._pages.names:
            return label
        section = f"#{title.fragment}"
        if title.fragment and title.ns != CATEGORY and label.endswith(section):
            label, names = label.removesuffix(section), (title.prefixed_text, title.text)
        else:
            subpage = title.text.rpartition("/")[2] if title.namespace.subpages else title.text
            names = (title.prefixed_text, subpage)
        is_plain = decode_references(label).replace("_", " ").strip() in names
        return (is_plain and self._pages.names[title.key]) or label


def split_trail(text: str, language: str) -> tuple[str, str]:
    """Return the letters at the start of a text that join the link before it, and the rest.

    ``language`` is the content language of the wiki.
    """
    match = trailing_letters(language).match(text)
    return (match[0], text[match.end() :]) if match else ("", text)


def known_link(
    title: Title, label: str, site: Wiki, css: str = "", fragments: Fragments | None = None
) -> str:
    """Return a link that is shown as existing, whether or not its target exists.

    ``fragments`` is how to spell sections, by default as the wiki does.
    """
    url = site.page_path(title, fragments)
    if not title.dbkey and not title.interwiki:
        return f'<a href="{encode_attribute(url)}">{label}</a>'
    classes = f' class="{css}"' if css else ""
    return _anchor(url, classes, title.prefixed_text, label)


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    return f'<a href="{encode_attribute(url)}"{css} title="{encode_attribute(tip)}">{label}</a>'
