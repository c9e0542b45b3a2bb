"""``[[target|label]]trail``: internal links, categories, language links and files."""

from __future__ import annotations

import re
from urllib.parse import unquote

from wikiapi.languages.codes import autonym
from wikiapi.languages.linktrails import leading_letters, split_prefix
from wikiapi.texts import trim
from wikiapi.title.namespaces import CATEGORY, FILE, MAIN, MEDIA, SPECIAL
from wikiapi.title.references import decode_references
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.attributes import encode_attribute
from wikiapi.wikitext.html.ids import section_name
from wikiapi.wikitext.inline.externallinks import link_external, protect_urls
from wikiapi.wikitext.inline.linkholders import split_trail
from wikiapi.wikitext.inline.quotes import line_quotes
from wikiapi.wikitext.media.image import Image, MediaLink
from wikiapi.wikitext.output import LanguageLink
from wikiapi.wikitext.parsoid.clearing import clear
from wikiapi.wikitext.parsoid.elements import category_element, language_element
from wikiapi.wikitext.parsoid.entities import mark_entities, target_label
from wikiapi.wikitext.parsoid.links import interwiki_link, own_link
from wikiapi.wikitext.state import ParseState

_TARGET = r"[^\[\]{}|<>\x00-\x1f\x7f\n]+"
_LINK = re.compile(rf"({_TARGET}|[^\[\]{{}}|<>\n]+)(?:\|(.+?))?\]\](.*)\Z", re.DOTALL)
_OPEN_FILE = re.compile(rf"({_TARGET})\|(.*)\Z", re.DOTALL)
_BLANKS = " \t\n\r\f\v"
_BATCH = 1_000
"""Pages of as many links are looked up together, as in MediaWiki; it is seen in their order."""
_EMPTY_TITLE_FRAGMENT = re.compile(r"\s*#")


def link_pages(text: str, state: ParseState) -> str:
    """Return the text with internal links as HTML, or as placeholders until they are looked up."""
    if "[[" not in text:
        return text
    return _Linker(state).run(text)


class _Linker:
    """Replaces the links of one text."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
        self._address = state.link_rules.protocols.start
        self._has_prefixes = leading_letters(state.site.language) is not None
        self._out: list[str] = []
        self._settled = 0
        """The number of output pieces that :meth:`_drop_newline` need not look at again."""

    def run(self, text: str) -> str:
        """Return the text with its links replaced."""
        first, *lines = text.split("[[")
        self._out.append(first)
        links = self._state.links
        position, batch_start = 0, links.held_count
        while position < len(lines):
            if links.held_count - batch_start > _BATCH:
                links.close_batch(batch_start)
                batch_start = links.held_count
            line = lines[position]
            position += 1
            match = _LINK.match(line)
            if match:
                target, label, trail = match[1], match[2] or "", match[3]
                if label and trail.startswith("]") and "[" in label:
                    label, trail = f"{label}]", trail[1:]
                self._link(line, _unescaped(target), label, trail)
            elif opened := _OPEN_FILE.match(line):
                position = self._open_file(line, opened, lines, position)
            else:
                self._raw(line)
        return "".join(self._out)

    def _raw(self, line: str) -> None:
        self._out.append(f"[[{line}")

    def _open_file(self, line: str, match: re.Match[str], lines: list[str], position: int) -> int:
        """Process a file link whose caption contains links; return the index of the next line."""
        target = _unescaped(match[1])
        title = None if self._address.match(target) else self._title(target)
        if title is None or title.ns != FILE or self._is_plain(target):
            is_decoded = title is not None and not self._state.options.parsoid
            self._raw(f"{target}|{match[2]}" if is_decoded else line)
            return position
        caption = [match[2]]
        while position < len(lines):
            pieces = lines[position].split("]]", 2)
            position += 1
            if len(pieces) == 3:
                caption.append(f"[[{pieces[0]}]]{pieces[1]}")
                self._link(line, target, "".join(caption), pieces[2])
                return position
            caption.append(f"[[{']]'.join(pieces)}")
            if len(pieces) == 1:
                break
        self._out.append(f"[[{match[1]}|{link_pages(''.join(caption), self._state)}")
        return position

    def _title(self, target: str) -> Title | None:
        if StripState.kill(target) != target:
            return None
        if _EMPTY_TITLE_FRAGMENT.match(target):
            fragment = section_name(decode_references(trim(target)[1:]))
            return Title(self._state.site.namespaces[MAIN], "", fragment)
        return self._state.site.titles.try_parse(target)

    def _link(self, line: str, target: str, label: str, trail: str) -> None:
        if (":" in target or target.startswith("//")) and self._address.match(target):
            self._raw(line)
            return
        name = text = target.removeprefix(":")
        if name.startswith(("/", "../")) and (resolved := resolve_subpage(self._state.title, name)):
            name, text = resolved
        title = None if name.startswith(":") else self._title(name)
        if title is None or not (title.dbkey or title.interwiki or title.fragment):
            self._raw(line)
        elif not self._is_plain(target) and self._special_link(title, target, label, trail):
            pass
        else:
            self._plain_link(title, target, self._label(label, text), trail)

    def _label(self, label: str, target: str) -> str:
        """Return the label of a link as HTML; without one, that is the target."""
        if not self._state.options.parsoid:
            return line_quotes(label) if label else target
        return mark_entities(line_quotes(label)) if label else target_label(target)

    def _is_plain(self, target: str) -> bool:
        """Return whether a link shows no file and adds no category or language."""
        return target.startswith(":") or self._state.site.titles.leads_here(target)

    def _special_link(self, title: Title, target: str, label: str, trail: str) -> bool:
        """Process a language link, file or category; return whether the link is one of these."""
        sources = self._state.sources
        if title.interwiki:
            settings = self._state.site.config.wikitext
            is_language = title.interwiki in settings.language_prefixes or autonym(title.interwiki)
            is_talk = self._state.title.namespace.is_talk
            if not settings.interwiki_magic or is_talk or not is_language:
                return False
            links = self._state.output.language_links
            if title.interwiki not in links:
                links[title.interwiki] = LanguageLink(
                    title.interwiki,
                    f"{title.text}#{title.fragment}" if title.fragment else title.text,
                )
            if sources is None:
                self._drop_newline()
            else:
                element = language_element(title, target, self._state.site)
                self._out.append(sources.element(element))
            self._out.append(trail)
            return True
        if title.ns == FILE:
            # Links in the options of the image are replaced first.
            options = link_pages(link_external(line_quotes(label), self._state), self._state)
            categories = len(self._state.output.categories)
            image = Image(title, options, self._state)
            self._out += (self._state.media.hold(image, categories), trail)
            return True
        if title.ns == CATEGORY:
            key = decode_references(StripState.kill(label))
            self._state.output.add_category(title.dbkey, key)
            if sources is None:
                self._drop_newline()
            else:
                marks = clear(label, sources, "mw:sortKey").before
                self._out += (marks, sources.element(category_element(title, key)))
            self._out.append(trail)
            return True
        return False

    def _drop_newline(self) -> None:
        """Remove the line feed before a link that shows nothing, so that no empty line is left."""
        tail = "".join(self._out[self._settled :])
        text = tail.rstrip(_BLANKS)
        blanks = tail[len(text) :].partition("\n")[0]
        self._out[self._settled :] = [text + blanks]
        self._settled = len(self._out)

    def _plain_link(self, title: Title, target: str, label: str, trail: str) -> None:
        state = self._state
        parsoid, site = state.options.parsoid, state.site
        if title.interwiki:
            state.links.add_interwiki(title)
            inside, trail = split_trail(trail, site.language)
            label = protect_urls(self._take_prefix() + label + inside)
            if parsoid:
                html = interwiki_link(title, target, label, site)
            else:
                html = state.links.known_link(title, label, "extiw")
        elif not title.dbkey:
            inside, trail = split_trail(trail, site.language)
            label = self._take_prefix() + label + inside
            own = own_link(title, label, state.addresses) if parsoid else ""
            html = own or state.links.known_link(title, label)
        elif title.ns == MEDIA:
            html = state.media.hold(MediaLink(title, label, state))
        elif title.key in state.own_keys and title.ns != SPECIAL:
            inside, trail = split_trail(trail, site.language)
            attributes = 'class="mw-selflink selflink"'
            if title.fragment:
                href = encode_attribute(state.fragments.link(title.fragment))
                attributes = f'class="mw-selflink-fragment" href="#{href}"'
            own = own_link(title, label + inside, state.addresses) if parsoid else ""
            html = own or f"<a {attributes}>{label}{inside}</a>"
        else:
            label = self._take_prefix() + protect_urls(label)
            html, trail = state.links.hold(title, label, trail), ""
        self._out += (html, trail)

    def _take_prefix(self) -> str:
        """Remove the letters before a link that become part of it from the output; return them."""
        if not self._has_prefixes:
            return ""
        while self._out and not self._out[-1]:
            self._out.pop()
        if not self._out:
            return ""
        self._out[-1], prefix = split_prefix(self._out[-1], self._state.site.language)
        return prefix


def _unescaped(target: str) -> str:
    """Return a target percent-decoded and without blanks before it."""
    if "%" in target:
        target = unquote(target, errors="replace").replace("<", "&lt;").replace(">", "&gt;")
    return target.lstrip(" ")
