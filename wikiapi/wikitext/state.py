"""One rendering: the record of everything that lives as long as a call of the parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from wikiapi.i18n.variants import LanguageConverter
from wikiapi.store.queries.pages import PageRow
from wikiapi.title.contentmodel import default_model
from wikiapi.title.pagelanguage import page_language
from wikiapi.title.title import Title
from wikiapi.title.variants import in_variants
from wikiapi.wikitext.block.headings import Headings
from wikiapi.wikitext.expand.loader import TemplateLoader
from wikiapi.wikitext.expand.lookups import Lookups
from wikiapi.wikitext.expand.profile import TransclusionProfile
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.hooks import notify
from wikiapi.wikitext.inline.linkholders import LinkHolders
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.media.holders import FoundFiles, MediaHolders
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices, PageMessages
from wikiapi.wikitext.parsoid.sources import Sources
from wikiapi.wikitext.unknown import UnknownNames
from wikiapi.wikitext.variants.page import PageConverter

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.expander import Expander
    from wikiapi.wikitext.parser import Parser

T = TypeVar("T")
Key = tuple[int, str]

_ENTRY_BYTES = 300
"""What a link, section or category found takes in memory, about, with its title."""


class PluginState(Generic[T]):
    """The key of what a plugin stores while a rendering lasts.

    A plugin makes one at import and gives it to :meth:`ParseState.plugin`.
    """

    def __init__(self, make: Callable[[ParseState], T]) -> None:
        """Make the value of a rendering with this function, on first use."""
        self.make = make


class ParseState:
    """The parts of one rendering. Used by one thread.

    Attributes:
        parser: the parser of the site.
        registries: what plugins have declared about wikitext.
        title: the page.
        options: how it is rendered.
        loader: texts of other pages.
        now: the moment of the rendering.
        budget: what the request may still cost.
        usage: counters against the limits of a page.
        output: what the rendering yields.
        profile: the time that templates take.
        strip: pieces put aside under strip markers.
        sources: what the parts of the page come from, where its form is to tell that.
        messages: texts of the interface.
        notices: warnings and tracking categories.
        unknown: takes names that no plugin answers to, if the wiki wants them to be noted.
        files: files that the page shows or asks about.
        media: placeholders of what shows files.
        links: links, and placeholders for them.
        headings: where headings come from.
        expander: expands templates, arguments and tags.
        lookups: facts about pages that parser functions and variables ask the store for.
        default_sort: the sort key that the page has set.
        after_expansion: functions that change the page's expanded wikitext before it is rendered,
            such as those that put in what is known only then.
        page_footers: functions whose half-parsed HTML is put at the page's end. They are called
            when its text has been read.
        page_changes: functions that change the page's finished HTML, before its table of contents
            is put in its place.
    """

    def __init__(
        self, parser: Parser, title: Title, options: ParserOptions, loader: TemplateLoader
    ) -> None:
        """Begin a rendering under a title."""
        site = parser.site
        self.parser: Parser = parser
        self.site = site
        self.registries = parser.registries
        self.title = title
        self.options = options
        self.loader = loader
        self.now: datetime = site.clock()
        self.budget = site.budgets.current
        self.usage: Usage = Usage(site.config.limits)
        self.output: ParserOutput = ParserOutput(usage=self.usage)
        self.profile = TransclusionProfile()
        self.strip: StripState = StripState(self.usage, self.budget)
        self.sources: Sources | None = None
        if options.parsoid and self.makes_html:
            self.sources = Sources(self.strip)
        self.messages: PageMessages = PageMessages(
            parser.messages,
            site.titles,
            loader,
            site.language,
            options.language or site.language,
        )
        self.notices: Notices = Notices(self.output, self.messages, site.titles, self.budget)
        self.unknown: UnknownNames | None = None
        if site.config.site.track_unknown:
            self.unknown = UnknownNames(self.output, self.notices, self.registries.tags)
        self.files: FoundFiles = FoundFiles(
            site, parser.files, title, only_at_hand=options.target is Target.LINKS
        )
        self.media: MediaHolders = MediaHolders(
            self.files,
            self.strip,
            self.output,
            self.notices,
            self.usage,
            makes_html=self.makes_html,
        )
        self.links: LinkHolders = LinkHolders(
            site,
            self.output,
            parser.pages,
            self.files,
            self.messages,
            self.language_converter,
            self._notify_links_found if parser.notifies_links_found and self.makes_html else None,
        )
        self.headings: Headings = Headings(self.strip)
        self.expander: Expander = parser.make_expander(self)
        self.lookups = Lookups(site.db)
        self.default_sort: str | None = None
        self.after_expansion: list[Callable[[str], str]] = []
        self.page_footers: list[Callable[[], str]] = []
        self.page_changes: list[Callable[[str], str]] = []
        self._plugin_states: dict[PluginState[object], object] = {}
        self._entries = 0

    def plugin(self, key: PluginState[T]) -> T:
        """Return what a plugin stores under a key; made on first use."""
        slot = cast("PluginState[object]", key)
        if slot not in self._plugin_states:
            self._plugin_states[slot] = key.make(self)
        return cast("T", self._plugin_states[slot])

    def pop_plugin(self, key: PluginState[T]) -> T | None:
        """Remove what a plugin stores under a key and return it, ``None`` if it was not made."""
        return cast("T | None", self._plugin_states.pop(cast("PluginState[object]", key), None))

    def _notify_links_found(self, pages: Mapping[Key, PageRow]) -> None:
        notify("on_links_found", self, pages=pages)

    def charge(self, value: object = 0) -> None:
        """Count a step of the rendering, and what it keeps, against the request's budget."""
        self.budget.step()
        entries = self.output.entry_count()
        self.budget.keep((entries - self._entries) * _ENTRY_BYTES)
        self._entries = entries
        self.budget.keep(value)

    def expensive(self) -> bool:
        """Count a call that costs a query; return false if the page has had its share."""
        if self.usage.expensive():
            return True
        self.notices.add_tracking_category("expensive-parserfunction-category")
        limit = self.usage.ceilings.expensive_functions
        self.notices.warn("expensive-parserfunction-warning", limit, self.usage.expensive_calls)
        return False

    @cached_property
    def page_language(self) -> str:
        """The language the page is written in: another than the wiki's for code and messages."""
        if self.options.is_interface_message:
            return self.options.language or self.site.language
        model = default_model(self.title)
        return page_language(self.title, model, None, self.site.language)

    @property
    def language_converter(self) -> LanguageConverter | None:
        """The converter of the page's language; ``None`` if that is written in one way."""
        return self.registries.converters.get(self.page_language)

    @cached_property
    def own_keys(self) -> frozenset[tuple[int, str]]:
        """Keys of the page's own title, in every variant of its language."""
        language, title = self.language_converter, self.title
        variants = in_variants(title, language, self.site.titles) if language else ()
        return frozenset({title.key, *(variant.key for variant in variants)})

    @cached_property
    def converter(self) -> PageConverter | None:
        """Converts the page to the variant that is wanted; ``None`` if its language has none."""
        language = self.language_converter
        if language is None:
            return None
        options = self.options
        wanted = language.find(options.variant or options.language)
        return PageConverter(language, wanted or language.main, self.budget, self.messages.error)

    @property
    def makes_html(self) -> bool:
        """Whether HTML is wanted, not only links or wikitext."""
        return self.options.target is Target.HTML
