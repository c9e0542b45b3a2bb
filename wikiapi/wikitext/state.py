"""One rendering: everything that lives as long as a call of the parser, and no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from wikiapi.filerepo.file import File
from wikiapi.i18n.languages import direction
from wikiapi.i18n.message import Message, MessageParam
from wikiapi.title.contentmodel import default_model
from wikiapi.title.namespaces import CATEGORY, FILE, MEDIAWIKI
from wikiapi.title.pagelanguage import page_language
from wikiapi.title.specialpages import is_special_page
from wikiapi.title.title import Title
from wikiapi.wikitext.block.sections import Headings
from wikiapi.wikitext.declarations import Variable
from wikiapi.wikitext.expand.expander import Expander
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.loader import TemplateLoader, TemplateText
from wikiapi.wikitext.expand.lookups import Lookups
from wikiapi.wikitext.expand.profile import TransclusionProfile
from wikiapi.wikitext.expand.strip import StripState, disarm
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.inline.linkholders import LinkHolders, always_known
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.media.holders import MediaHolders
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pipeline import finish, half_parse
from wikiapi.wikitext.preprocess.nodes import Content

if TYPE_CHECKING:
    from wikiapi.wikitext.parser import Parser


_ENTRY_BYTES = 300
"""What a link, section or category found takes in memory, about, with its title."""


class ParseState:
    """The state of one rendering. Used by one thread."""

    def __init__(
        self, parser: Parser, title: Title, options: ParserOptions, loader: TemplateLoader
    ) -> None:
        """Begin a rendering under a title."""
        self.parser: Parser = parser
        self.site = parser.site
        self.registries = parser.registries
        self.title = title
        self.options = options
        self.loader = loader
        self.now: datetime = parser.site.clock()
        self.budget = parser.site.budgets.current
        self.usage: Usage = Usage(parser.site.config.limits)
        self.output = ParserOutput(usage=self.usage)
        self.profile = TransclusionProfile()
        self.strip: StripState = StripState(self.usage, self.budget)
        self.holders: LinkHolders = LinkHolders(self)
        self.media: MediaHolders = MediaHolders(self)
        self.headings: Headings = Headings(self)
        self.expander: Expander = Expander(self)
        self.lookups = Lookups(parser.site.db)
        self.default_sort: str | None = None
        self._plain: dict[tuple[int, str], str] = {}
        self._tracking: dict[str, str] = {}
        self._autonumber = 0
        self._entries = 0
        self._place_dependent = 0
        self.plugin_state: dict[str, object] = {}
        """What plugins keep while the rendering lasts, by plugin name."""
        self._files: dict[tuple[int, str], File | None] = {}
        self._looked_up: set[tuple[int, str]] = set()
        self._outright_links: set[tuple[int, str]] = set()
        self._page_footers: list[Callable[[], str]] = []

    def draw(self, kept: object = 0) -> None:
        """Count a step of the rendering, and what it keeps, against the request's budget."""
        self.budget.step()
        entries = self.output.entry_count()
        self.budget.keep((entries - self._entries) * _ENTRY_BYTES)
        self._entries = entries
        self.budget.keep(kept)

    # Texts and trees

    def tree(self, text: str, *, inclusion: bool = False) -> Content:
        """The tree of a text."""
        return self.parser.preprocessor.tree(text, inclusion=inclusion)

    def root_frame(self) -> Frame:
        """A frame for text of the page itself."""
        return Frame(self.expander, self.title)

    def expand_text(self, text: str, frame: Frame) -> str:
        """Wikitext with its templates expanded, strip markers in place of tags."""
        return self.expander.expand(self.tree(text), frame)

    def parse_fragment(self, text: str, frame: Frame) -> str:
        """Wikitext to HTML without paragraphs: the content of a tag."""
        return half_parse(self.expand_text(text, frame), self)

    def finish_fragment(self, html: str) -> str:
        """Half-parsed HTML of a piece that is shown apart from the page, finished."""
        return finish(html, self)

    def expand_plain(self, title: Title, tree: Content, frame: Frame) -> str:
        """A template without arguments: expanded once for each rendering."""
        known = self._plain.get(title.key)
        if known is None:
            before = self._place_dependent
            known = self.expander.expand(tree, frame.child(title, ()))
            if self._place_dependent == before:
                self._plain[title.key] = known
        return known

    def note_place_dependent(self) -> None:
        """What is being expanded would be something else elsewhere, or later: keep it not."""
        self._place_dependent += 1

    def note_volatile(self) -> None:
        """A function or tag counts its calls, or the like: expanding it again gives more."""
        self._place_dependent += 1
        self.output.volatile = True

    def template_text(self, title: Title, frame: Frame) -> TemplateText | None:
        """The text to transclude for a title: a plugin's answer, else the store's."""
        if self.parser.resolves_templates:
            text = self.site.plugins.hook.resolve_template(site=self.site, title=title, frame=frame)
            if text is not None:
                return TemplateText(title, 0, 0, disarm(str(text)), None)
        return self.loader.get(title)

    # Plugins

    def variable(self, variable: Variable) -> str | None:
        """A variable's value."""
        if variable.cache_seconds is not None:
            self.output.expire_after(variable.cache_seconds)
        return variable.function(self)

    def expensive(self) -> bool:
        """Count a call that costs a look-up; false if the page has had its share."""
        if self.usage.expensive():
            return True
        self.add_tracking_category("expensive-parserfunction-category")
        limit = self.usage.ceilings.expensive_functions
        self.warn("expensive-parserfunction-warning", limit, self.usage.expensive_calls)
        return False

    def add_page_footer(self, make: Callable[[], str]) -> None:
        """Have half-parsed HTML made when the page's text is read, and put at the page's end."""
        self._page_footers.append(make)

    def page_footers(self) -> str:
        """What plugins put at the end of the page."""
        return "".join([make() for make in self._page_footers])

    # Messages

    def message(self, key: str, *params: MessageParam) -> str:
        """A text of the interface, in the content language."""
        return self.parser.messages.text(Message(key, params), self.site.language)

    @property
    def interface_language(self) -> str:
        """The language of those parts of a page that belong to the reader, not to the page."""
        return self.options.language or self.site.language

    def interface_message(self, key: str, *params: MessageParam) -> str:
        """A text of the interface, in the reader's language."""
        return self.parser.messages.text(Message(key, params), self.interface_language)

    def warn(self, key: str, *params: MessageParam) -> None:
        """Tell who edits the page."""
        text = self.message(key, *params)
        self.budget.keep(text)
        self.output.add_warning(text)

    def error(self, key: str, *params: MessageParam) -> str:
        """An error that shows in the page, as wikitext."""
        return f'<span class="error">{self.message(key, *params)}</span>'

    def add_tracking_category(self, key: str) -> None:
        """Put the page into the category that a message names (``-`` for none)."""
        if key not in self._tracking:
            self._tracking[key] = self._tracking_category(key)
        if name := self._tracking[key]:
            self.output.add_category(name, self.output.categories.get(name, ""))

    def _tracking_category(self, key: str) -> str:
        name = self.own_message(key) or self.message(key)
        title = None if name == "-" else self.site.titles.try_parse(name, CATEGORY)
        return title.dbkey if title and title.ns == CATEGORY else ""

    @cached_property
    def red_link_tip(self) -> str:
        """What is told of a page that does not exist; ``$1`` in it stands for the page."""
        return self.message("red-link-title", "$1")

    def own_message(self, key: str) -> str:
        """A message that the wiki words itself, on a page; empty if it does not."""
        page = self.site.titles.try_parse(key, MEDIAWIKI)
        text = self.loader.get(page) if page else None
        return text.text.strip() if text else ""

    # Links

    def next_autonumber(self) -> int:
        """The number of the next link without text."""
        self._autonumber += 1
        return self._autonumber

    def protect_urls(self, text: str) -> str:
        """Text of a link whose addresses must not become links themselves."""
        return text.replace("://", "&#58;//") if "://" in text else text

    def nowiki(self, text: str) -> str:
        """A marker for text that is not wikitext."""
        return self.strip.add_nowiki(escape_text(text))

    def add_link(self, title: Title) -> None:
        """Note a link to a page of this wiki; special pages are not noted."""
        if title.ns >= 0:
            self.output.add_link(title)
            self._outright_links.add(title.key)

    def add_held_link(self, title: Title) -> None:
        """Note a link whose look depends on its page: it counts as met when that is looked up."""
        if title.ns >= 0:
            self.output.add_link(title)

    def add_interwiki_link(self, title: Title) -> None:
        """Note a link to a page of another wiki."""
        if title.interwiki:
            key = title.interwiki, title.dbkey
            self.output.interwiki_links.setdefault(key, title)

    def look_up_links(self) -> None:
        """Find out which of the linked pages exist, those not known yet, in one query."""
        links = self.output.links
        # Those that were noted since are the last.
        new = list(takewhile(lambda key: key not in self._looked_up, reversed(links)))
        if new:
            unknown = {key: links[key] for key in reversed(new)}
            self._looked_up.update(new)
            self.output.existing.update(self.parser.pages.existing(unknown))
            self._note_known(unknown)

    def _note_known(self, titles: Mapping[tuple[int, str], Title]) -> None:
        """Of the linked pages that are not stored, find those that exist all the same."""
        self.load_files(title for title in titles.values() if title.ns == FILE)
        existing = self.output.existing
        absent = [(key, title) for key, title in titles.items() if key not in existing]
        self.output.known.update(key for key, title in absent if always_known(title, self))

    def order_links(self) -> None:
        """Links met outright, existing pages by title, missing ones as they came; by namespace."""
        existing, links = self.output.existing, self.output.links
        outright = [
            key
            for key, title in links.items()
            if key in self._outright_links or always_known(title, self)
        ]
        rest = links.keys() - outright
        found = sorted(key for key in rest if key in existing)
        missing = [key for key in links if key in rest and key not in existing]
        missing.sort(key=lambda key: key[0])
        met = (*outright, *found, *missing)
        namespaces = list(dict.fromkeys(key[0] for key in met))
        ordered = sorted(met, key=lambda key: namespaces.index(key[0]))
        self.output.links = {key: links[key] for key in ordered}

    def is_known(self, title: Title) -> bool:
        """Whether a page that is not stored counts as existing."""
        key, known = title.key, self.output.known
        if key not in known and key not in self._looked_up and always_known(title, self):
            known.add(key)
        return key in known

    def is_special_page(self, title: Title) -> bool:
        """Whether a special page has a name that MediaWiki knows."""
        return is_special_page(title.text)

    def has_message(self, title: Title) -> bool:
        """Whether a page of the MediaWiki namespace has a built-in text."""
        return self.site.messages.template_of_page(title.text, self.site.language) is not None

    def load_files(self, titles: Iterable[Title]) -> None:
        """Look up files that will be asked for, those not known yet, all at once.

        Where only links are wanted, nothing is asked over the network: there may be millions of
        pages, and the repository may be out of reach.
        """
        wanted = {title.key: title for title in titles if title.key not in self._files}
        if wanted:
            files = self.parser.files
            find = files.find_at_hand if self._derives_links else files.find_all
            found = find(wanted.values())
            self._files.update({key: found.get(title) for key, title in wanted.items()})

    def file(self, title: Title) -> File | None:
        """The file of a title, if there is one."""
        if title.key not in self._files:
            self.load_files([title])
        return self._files[title.key]

    @property
    def knows_files(self) -> bool:
        """Whether a file that was not found does not exist, rather than was not asked for."""
        return self.parser.files.is_all_at_hand or not self._derives_links

    @property
    def _derives_links(self) -> bool:
        return self.options.target is Target.LINKS

    def is_language(self, prefix: str) -> bool:
        """Whether an interwiki prefix leads to another language of the same wiki."""
        return self.parser.languages.is_language(prefix)

    @cached_property
    def page_language(self) -> str:
        """The language the page is written in: another than the wiki's for code and messages."""
        model = default_model(self.title)
        return page_language(self.title, model, None, self.site.language)

    @property
    def direction(self) -> str:
        """Text direction of the content language, ``ltr`` or ``rtl``."""
        return direction(self.site.language)

    @property
    def makes_html(self) -> bool:
        """Whether HTML is wanted, not only links or wikitext."""
        return self.options.target is Target.HTML
