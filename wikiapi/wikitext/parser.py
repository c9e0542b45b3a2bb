"""The entry point of the parser: one object for each site, safe to use from several threads."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter, thread_time

from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.filerepo.lookups import FileLookups
from wikiapi.texts import byte_length
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.base import BaseParser
from wikiapi.wikitext.block.sections import place_toc
from wikiapi.wikitext.expand.calls import CallExpander, Modifiers
from wikiapi.wikitext.expand.latetexts import finish_expansion
from wikiapi.wikitext.expand.loader import PageTexts, TemplateLoader
from wikiapi.wikitext.expand.profile import TOTAL
from wikiapi.wikitext.expand.strip import clean_input
from wikiapi.wikitext.hooks import (
    apply_changes,
    join_results,
    notify,
    notify_links_found,
    notify_rendering_ended,
    resolve_template,
    transform_html,
)
from wikiapi.wikitext.html.container import wrap_output
from wikiapi.wikitext.html.entities import escape_attribute, escape_text
from wikiapi.wikitext.html.tidy import close_voids
from wikiapi.wikitext.limits import expansion_levels
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pages import LinkedPages
from wikiapi.wikitext.parsoid.document import parsoid_html
from wikiapi.wikitext.parsoid.expander import MarkingExpander
from wikiapi.wikitext.parsoid.sources import local_href
from wikiapi.wikitext.pipeline import finish, finish_captions, half_parse
from wikiapi.wikitext.presave import (
    USUAL,
    Signature,
    is_transformed,
    transform,
    without_trailing_blanks,
)
from wikiapi.wikitext.registries import WikitextRegistries
from wikiapi.wikitext.report import limit_report
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.variants.rendering import finish_conversion

_PYTHON_CALLS = 1_000
_PYTHON_CALLS_PER_LEVEL = 40
"""Calls of Python that templates, functions and tags take for each level of their nesting."""

_DEFAULT = ParserOptions()
_LINKS = ParserOptions(target=Target.LINKS, limit_report=False)
_WIKITEXT = ParserOptions(target=Target.WIKITEXT, limit_report=False)
_SAVED = ParserOptions(target=Target.SAVED, limit_report=False)


class Parser(BaseParser):
    """Renders wikitext for one site."""

    def __init__(self, site: Wiki, files: RepositoryGroup) -> None:
        """Collect the declarations of plugins, and build the grammar.

        Raises:
            PluginError: two plugins register the same name, or a plugin's hook fails.
        """
        levels = expansion_levels(site.config.limits)
        calls = _PYTHON_CALLS + levels * _PYTHON_CALLS_PER_LEVEL
        sys.setrecursionlimit(max(sys.getrecursionlimit(), calls))
        self.registries = site.derived(WikitextRegistries)
        super().__init__(
            site,
            files,
            tags=self.registries.tags,
            switches=self.registries.switches.values(),
            converters=self.registries.converters,
        )
        self._modifiers = Modifiers(site.magic_words)
        site.messages.parser = self

    def loader(self, source: PageTexts | None = None) -> TemplateLoader:
        """Return a template loader, which several renderings may share, as in an import."""
        return TemplateLoader(
            source or self.pages,
            self.site.titles,
            self.site.redirects,
            self.preprocessor,
            self.registries.is_magic_word,
            self.site.budgets,
        )

    def new_state(
        self,
        title: Title,
        options: ParserOptions = _DEFAULT,
        loader: TemplateLoader | None = None,
        pages: LinkedPages | None = None,
        files: FileLookups | None = None,
    ) -> ParseState:
        """Return the state of a new rendering of the page ``title``.

        Renderings that share ``loader`` fetch each template once, those that share ``pages`` look
        up each page that they link to once, and those that share ``files`` each file.
        """
        state = ParseState(self, title, options, loader or self.loader(), pages, files)
        if state.sources is not None:
            state.expander = MarkingExpander(state, self.registries, self._modifiers, state.sources)
        else:
            state.expander = CallExpander(state, self.registries, self._modifiers)
        if self.resolves_templates:
            state.templates.resolve = partial(resolve_template, state)
        if self.notifies_links_found and state.makes_html:
            state.links.on_found = partial(notify_links_found, state)
        return state

    def parse(
        self,
        text: str,
        title: Title,
        options: ParserOptions = _DEFAULT,
        loader: TemplateLoader | None = None,
        pages: LinkedPages | None = None,
        files: FileLookups | None = None,
    ) -> ParserOutput:
        """Return the output of rendering a text as the page ``title``. No text makes it raise."""
        started, cpu = perf_counter(), thread_time()
        rendering = self._rendering(title, options, loader, pages, files)
        with rendering as state, state.profile.measure(TOTAL):
            html = self._html(clean_input(text).replace("\0", ""), state)
        output = state.output
        output.unknown_files = state.files.unknown
        output.profile = state.profile
        output.real_seconds = perf_counter() - started
        output.cpu_seconds = thread_time() - cpu
        if options.target is Target.HTML:
            if options.limit_report:
                report = limit_report(output, self.site.config.limits, state.now)
                html = f"{html}\n{report}"
            language = output.variant or state.page_language
            output.html = wrap_output(html, self.site, options, language)
        return output

    def parse_all(
        self, texts: Sequence[tuple[str, Title]], options: ParserOptions = _DEFAULT
    ) -> list[ParserOutput]:
        """Return the outputs of rendering short texts, each as a page of its own.

        The templates of all texts are fetched together, and so are the pages that they link to, of
        which plugins are told at once, and their files. Other look-ups are made for each text that
        needs them.
        """
        loader, pages, files = self.loader(), LinkedPages(self.pages), FileLookups(self.files)
        loader.prefetch("\n".join(text for text, _ in texts))
        with files.deferring():
            keys = [
                key
                for text, title in texts
                for key in self.links_of(text, title, loader, files).links
            ]
        pages.existing(keys)
        files.load_deferred()
        return [self.parse(text, title, options, loader, pages, files) for text, title in texts]

    def expand(self, text: str, title: Title, options: ParserOptions = _WIKITEXT) -> str:
        """Return the text with its templates, variables and parser functions expanded."""
        return self.expand_output(text, title, options)[0]

    def expand_output(
        self, text: str, title: Title, options: ParserOptions = _WIKITEXT
    ) -> tuple[str, ParserOutput]:
        """Return the text as :meth:`expand` does, and the output with its links and warnings."""
        with self._rendering(title, options) as state:
            text = clean_input(text).replace("\0", "")
            state.loader.prefetch(text)
            expanded = state.expander.expand_text(text, state.expander.root_frame())
            expanded = finish_expansion(expanded, state)
        return state.strip.unstrip_both(expanded), state.output

    def saved(
        self,
        text: str,
        title: Title,
        user: str,
        signature: Signature = USUAL,
        *,
        creates_page: bool = False,
    ) -> str:
        """Return the text as it would be stored if a user of this name saved it.

        ``creates_page`` tells that the page is being created: a redirect to it has no text.
        """
        text = clean_input(text).replace("\0", "")
        if not is_transformed(text, self._modifiers.substitution):
            return without_trailing_blanks(text)
        options = replace(_SAVED, user=user, creates_page=creates_page)
        with self._rendering(title, options) as state:
            return transform(text, user, state, self.expand, signature)

    def links_of(
        self,
        text: str,
        title: Title,
        loader: TemplateLoader | None = None,
        files: FileLookups | None = None,
    ) -> ParserOutput:
        """Return an output with links, transclusions and categories only; cheaper than rendering.

        Pass the same ``loader`` to many calls to fetch and parse each template only once, and the
        same ``files`` to look up each file only once. This does not look up whether the linked
        pages exist.
        """
        return self.parse(text, title, _LINKS, loader, files=files)

    @contextmanager
    def _rendering(
        self,
        title: Title,
        options: ParserOptions,
        loader: TemplateLoader | None = None,
        pages: LinkedPages | None = None,
        files: FileLookups | None = None,
    ) -> Iterator[ParseState]:
        """Yield the state of a new rendering; call ``on_rendering_ended`` of plugins at its end."""
        state = self.new_state(title, options, loader, pages, files)
        with state.budget.scope():
            try:
                yield state
            except Exception:
                notify_rendering_ended(state)
                state.discard()
                raise
            notify_rendering_ended(state)

    def _html(self, text: str, state: ParseState) -> str:
        redirect = self.site.redirects.split(text) if state.options.reads_redirect else None
        note = link = ""
        offset = 0
        if redirect:
            target, rest = redirect
            state.output.redirect = target
            note, link = _redirect_note(target, state)
            if not state.options.redirect_note:
                note = ""
                link = "" if state.options.for_view else link
            offset = len(text) - len(rest)
            text = rest
        state.usage.revision_size = byte_length(text)
        if state.options.revision.id:
            # The links of a stored page include templates whose names result only from expansion.
            templates = self.pages.transcluded(state.title.key)
            state.loader.fetch(self.site.titles.make(*key) for key in templates)
        state.loader.prefetch(text)
        tree = state.expander.tree(text)
        state.headings.set_page(tree, len(text), offset)
        on_stage = state.options.on_stage
        expanded = state.expander.expand_page(tree)
        half = half_parse(finish_expansion(expanded, state), state, on_stage)
        half += join_results(state, state.page_footers)
        notify("on_page_parsed", state, html=half)
        if state.options.target is not Target.HTML:
            state.media.note_files()
            return ""
        html = finish(half, state, on_stage)
        finish_conversion(state)
        html = place_toc(apply_changes(html, state, state.page_changes), state)
        if state.options.deduplicate_styles:
            html = deduplicate_styles(html)
        state.links.look_up()
        state.links.order()
        if state.options.parsoid:
            finish_captions(state)
            # The note is not a part of the page's text, and so not of its sections.
            return note + parsoid_html(
                transform_html(f"{close_voids(link)}\n{html}" if link else html, state), state
            )
        return transform_html(note + link + html, state)


_REDIRECTS = "mediawiki.action.view.redirectPage"
"""The style sheet of the note."""


def _redirect_note(target: Title, state: ParseState) -> tuple[str, str]:
    """Return a note that links to the target of a redirect, and an invisible link; record it."""
    state.output.module_styles.setdefault(_REDIRECTS)
    label = escape_text(target.full_text)
    if target.interwiki or not target.dbkey:
        link = state.links.known_link(target, label, "extiw" if target.interwiki else "")
        state.links.add_interwiki(target)
    else:
        state.links.add(target)
        state.links.look_up()
        link = state.links.page_link(target, label)
    is_local = state.sources is not None and not target.interwiki
    path = local_href(target).replace('"', "%22") if is_local else state.site.page_path(target)
    address = escape_attribute(path)
    text = escape_text(state.messages.text("redirectto"))
    note = (
        f'<div class="redirectMsg"><p>{text}</p><ul class="redirectText"><li>{link}</li></ul></div>'
    )
    return note, f'<link rel="mw:PageProp/redirect" href="{address}">'


_STYLE = re.compile(
    r"<style\b(?=[^<>]*\sdata-mw-deduplicate=\"([^\"<>]*+)\")[^<>]*+>"
    r"(?:[^<]++|<(?!/?style\b))*+</style>",
    re.IGNORECASE,
)


def deduplicate_styles(html: str) -> str:
    """Return the HTML with links in place of repeated ``<style data-mw-deduplicate>`` elements."""
    if "data-mw-deduplicate" not in html:
        return html
    keys: set[str] = set()

    def replaced(match: re.Match[str]) -> str:
        key = match[1]
        if key in keys:
            return f'<link rel="mw-deduplicated-inline-style" href="mw-data:{key}" />'
        keys.add(key)
        return match[0]

    return _STYLE.sub(replaced, html)
