"""The state of one rendering: everything that exists for one call of the parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from sys import getsizeof
from typing import Generic, TypeVar, cast

from wikiapi.filerepo.lookups import FileLookups
from wikiapi.languages.variants import LanguageConverter
from wikiapi.title.contentmodel import default_model
from wikiapi.title.fragments import USUAL, Fragments
from wikiapi.title.pagelanguage import page_language
from wikiapi.title.title import Title
from wikiapi.title.variants import in_variants
from wikiapi.wikitext.base import BaseParser
from wikiapi.wikitext.block.headingform import HeadingForm
from wikiapi.wikitext.block.headings import Headings
from wikiapi.wikitext.expand.expander import Expander
from wikiapi.wikitext.expand.loader import TemplateLoader, Templates
from wikiapi.wikitext.expand.lookups import Lookups
from wikiapi.wikitext.expand.profile import TransclusionProfile
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.inline.linkholders import LinkHolders
from wikiapi.wikitext.inline.linkrules import LinkRules
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.media.form import MediaForm
from wikiapi.wikitext.media.holders import MediaHolders, PageFiles
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices, PageMessages
from wikiapi.wikitext.pages import LinkedPages
from wikiapi.wikitext.parsoid.links import PageAddresses
from wikiapi.wikitext.parsoid.sources import Sources
from wikiapi.wikitext.unknown import UnknownNames
from wikiapi.wikitext.variants.page import PageConverter

T = TypeVar("T")

_CODE = re.compile("\x02[0-9]+\x03")
_ENTRY_BYTES = 300
"""The approximate size in memory of a link, section or category, with its title."""
_STEPS_PER_COUNT = 32
"""Steps between two counts of the links and other entries, since counting takes longer."""


class PluginState(Generic[T]):
    """The key of a value that a plugin stores for the duration of a rendering.

    A plugin creates one at import and passes it to :meth:`ParseState.plugin`.
    """

    def __init__(self, make: Callable[[ParseState], T]) -> None:
        """Store the function that creates the value when a rendering first uses it."""
        self.make = make


class ParseState:
    """The state of one rendering. Used by one thread.

    Attributes:
        parser: what the renderings of the site share.
        link_rules: how external links are recognised and shown.
        title: the page.
        options: the options of the rendering.
        loader: fetches the texts of other pages.
        templates: the pages that are transcluded.
        now: the time of the rendering.
        budget: limits the time and memory of the request.
        usage: counters for the limits of a page.
        output: the results of the rendering.
        profile: the time that templates take.
        fragments: how the names of sections are spelt as ids and in links.
        strip: pieces of text that were replaced by strip markers.
        sources: records the wikitext that each part of the page comes from, if the HTML follows
            Parsoid's specification, otherwise ``None``.
        media_form: what the HTML of images looks like.
        heading_form: what the HTML of headings looks like.
        messages: interface messages.
        notices: warnings and tracking categories.
        unknown: records unknown tags and parser functions; ``None`` if that is switched off.
        files: files that the page shows or refers to.
        media: placeholders for images and other media.
        links: links, and placeholders for them.
        headings: the pages from which headings come.
        expander: expands templates, arguments and tags; set by the parser.
        lookups: look-ups in the store for parser functions and variables.
        default_sort: the default sort key that the page has set.
        late_texts: functions that return the wikitext for the markers of :meth:`add_late_text`.
        after_expansion: functions of plugins that change the page's expanded wikitext before it is
            rendered.
        page_footers: functions of plugins that return half-parsed HTML for the end of the page.
            They are called after the page has been half-parsed.
        page_changes: functions of plugins that change the page's finished HTML before the table of
            contents is inserted.
    """

    expander: Expander

    def __init__(
        self,
        parser: BaseParser,
        title: Title,
        options: ParserOptions,
        loader: TemplateLoader,
        pages: LinkedPages | None = None,
        files: FileLookups | None = None,
    ) -> None:
        """Create the state for rendering the page ``title``, without its expander.

        :meth:`Parser.new_state` completes it.
        """
        site = parser.site
        self.parser = parser
        self.site = site
        self.link_rules: LinkRules = parser.link_rules
        self.title = title
        self.options = options
        self.loader = loader
        self.now: datetime = site.clock()
        self.budget = site.budgets.current
        self.usage: Usage = Usage(site.config.limits)
        self.output: ParserOutput = ParserOutput(usage=self.usage)
        self.profile = TransclusionProfile()
        self.strip: StripState = StripState(self.usage, self.budget)
        self.fragments: Fragments = USUAL if options.parsoid else site.fragments
        self.media_form = MediaForm.FIGURES if options.parsoid else parser.media_form
        self.heading_form = HeadingForm.WRAPPED if options.parsoid else parser.heading_form
        self.sources: Sources | None = None
        if options.parsoid and self.makes_html:
            self.sources = Sources(self.strip, parser.link_rules.protocols)
        self.messages: PageMessages = PageMessages(
            site.messages,
            site.titles,
            loader,
            title,
            site.language,
            options.language or site.language,
        )
        self.notices: Notices = Notices(self.output, self.messages, site.titles, self.budget)
        self.unknown: UnknownNames | None = None
        if site.config.site.track_unknown:
            self.unknown = UnknownNames(self.output, self.notices, parser.tags)
        self.files: PageFiles = PageFiles(site, files or FileLookups(parser.files), title)
        self.media: MediaHolders = MediaHolders(
            self.files,
            self.strip,
            self.output,
            self.notices,
            self.usage,
            makes_html=self.makes_html,
        )
        self.lookups = Lookups(site.db)
        self.addresses = PageAddresses(site, title, for_view=options.for_view)
        self.links: LinkHolders = LinkHolders(
            site,
            self.output,
            pages or LinkedPages(parser.pages),
            self.files,
            self.lookups,
            self.messages,
            self.language_converter,
            self.fragments,
            self.addresses if options.parsoid else None,
        )
        self.headings: Headings = Headings(self.strip)
        self.templates = Templates(
            title,
            site.titles,
            loader,
            self.output,
            self.language_converter,
            creates_page=options.creates_page,
        )
        self.default_sort: str | None = None
        self.late_texts: dict[str, Callable[[], str]] = {}
        self.after_expansion: list[Callable[[str], str]] = []
        self.page_footers: list[Callable[[], str]] = []
        self.page_changes: list[Callable[[str], str]] = []
        self._code: dict[str, str] = {}
        self._plugin_states: dict[PluginState[object], object] = {}
        self._entries = 0
        self._steps = 0

    def plugin(self, key: PluginState[T]) -> T:
        """Return the value that a plugin stores under a key; it is created on first use."""
        slot = cast("PluginState[object]", key)
        if slot not in self._plugin_states:
            self._plugin_states[slot] = key.make(self)
        return cast("T", self._plugin_states[slot])

    def pop_plugin(self, key: PluginState[T]) -> T | None:
        """Remove and return the value under a key, or ``None`` if it was never created."""
        return cast("T | None", self._plugin_states.pop(cast("PluginState[object]", key), None))

    def add_late_text(self, function: Callable[[], str], kind: str) -> str:
        """Return a marker for wikitext that is known only when the whole page has been expanded.

        ``function`` is called then, and what it returns is inserted in place of the marker, as far
        as the limit of included text allows. Templates in it are not expanded. In the content of a
        tag, it becomes HTML. ``kind`` is contained in the marker, for readability.
        """
        marker = self.strip.marker(kind)
        self.late_texts[marker] = function
        return marker

    def hold_code(self, code: str) -> str:
        """Return a marker for a script or style sheet, for which it is inserted after all stages.

        The marker must be the whole content of its element.
        """
        marker = f"\x02{len(self._code)}\x03"
        self._code[marker] = code
        return marker

    def with_code(self, html: str) -> str:
        """Return HTML with the scripts and style sheets that are held."""
        if not self._code:
            return html
        return _CODE.sub(lambda match: self._code.get(match[0], ""), html)

    def discard(self) -> None:
        """Remove all that the rendering holds, after an exception has ended it.

        The frames of the exception's traceback refer to the state, through closures even after they
        have been cleared, and the exception lives until it is logged.
        """
        vars(self.expander).clear()
        vars(self).clear()

    def charge(self, value: object = 0) -> None:
        """Charge a step of the rendering to the request's budget, and the memory that it uses.

        ``value`` is what the step keeps, or its size in bytes. New links and other entries of the
        output are charged from time to time.

        Raises:
            BudgetExceeded: the budget is used up.
        """
        self.budget.step()
        self.budget.keep(value)
        self._steps += 1
        if self._steps % _STEPS_PER_COUNT == 0:
            self.charge_entries()

    def charge_growth(self, before: int, text: str) -> None:
        """Charge the bytes by which a text has become larger than ``before`` to the budget.

        Raises:
            BudgetExceeded: the budget is used up.
        """
        self.charge(max(0, getsizeof(text) - before))

    def charge_entries(self) -> None:
        """Charge the entries of the output, and the placeholders of links, that are new."""
        entries = self.output.entry_count() + self.links.held_count
        self.budget.keep((entries - self._entries) * _ENTRY_BYTES)
        self._entries = entries

    def expensive(self) -> bool:
        """Count a call of an expensive function; return false if there were too many."""
        if self.usage.expensive():
            return True
        self.notices.add_tracking_category("expensive-parserfunction-category")
        limit = self.usage.ceilings.expensive_functions
        self.notices.warn("expensive-parserfunction-warning", self.usage.expensive_calls, limit)
        return False

    @cached_property
    def thumb_width(self) -> int:
        """The width in pixels of thumbnails for which the page gives none."""
        return self.options.thumb_width or self.site.config.files.thumb_width()

    @cached_property
    def page_language(self) -> str:
        """The language of the page, which differs from the wiki's for code and messages."""
        if self.options.is_interface_message:
            return self.options.language or self.site.language
        model = default_model(self.title)
        return page_language(self.title, model, None, self.site.language)

    @property
    def language_converter(self) -> LanguageConverter | None:
        """The converter of the page's language; ``None`` if the language has no variants."""
        return self.parser.converters.get(self.page_language)

    @cached_property
    def own_keys(self) -> frozenset[tuple[int, str]]:
        """Keys of the page's own title, in every variant of its language."""
        language, title = self.language_converter, self.title
        variants = in_variants(title, language, self.site.titles) if language else ()
        return frozenset({title.key, *(variant.key for variant in variants)})

    @cached_property
    def converter(self) -> PageConverter | None:
        """The converter to the requested variant; ``None`` if the language has no variants."""
        language = self.language_converter
        if language is None:
            return None
        options = self.options
        variant = language.find(options.variant or options.language)
        return PageConverter(
            language, variant or language.main, self.budget, self.messages.error_html
        )

    @property
    def makes_html(self) -> bool:
        """Whether the rendering produces HTML, not only links or wikitext."""
        return self.options.target is Target.HTML
