"""What a rendering yields: HTML and the facts about the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from wikiapi.title.title import Title
from wikiapi.wikitext.expand.profile import TransclusionProfile
from wikiapi.wikitext.limits import Usage

Key = tuple[int, str]

DEFAULT_SORT = "defaultsort"
"""The property that holds the sort key which the page has set for all its categories."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the page, as the table of contents lists it.

    ``level`` is that of the HTML element, ``toc_level`` its depth in the list. ``index`` is what
    ``section=`` takes: a number, ``T-1`` for one that a template brought, empty for none.
    ``offset`` is where it starts in the source, in code points, where that is known.
    """

    toc_level: int
    level: int
    line: str
    number: str
    index: str
    from_title: str | None
    offset: int | None
    anchor: str
    link_anchor: str


@dataclass(frozen=True, slots=True)
class LanguageLink:
    """A link to the page in another language: ``prefix`` and title there."""

    prefix: str
    title: str


class PageName(NamedTuple):
    """A page's name as text, in two parts; ``namespace`` is empty for the main one."""

    namespace: str
    text: str


@dataclass(frozen=True, slots=True)
class LimitFigure:
    """A line of the limit report: what was used, and of how much."""

    label: str
    values: tuple[str | int, ...]
    unit: str = ""


@dataclass
class ParserOutput:
    """Everything a rendering found: plain data, which can be cached and pickled.

    Mappings keep the order in which things were met.
    """

    html: str = ""
    title_html: str = ""
    """Display title; empty where the page's own name is shown."""
    variant: str = ""
    """The variant of its language that the page is in; empty where the language has none."""
    name_in_variant: PageName | None = None
    """The page's own name in that variant."""
    links: dict[Key, Title] = field(default_factory=dict)
    existence_links: dict[Key, Title] = field(default_factory=dict)
    """Pages whose existence the text tests without linking them."""
    existing: dict[Key, bool] = field(default_factory=dict)
    """Of the linked pages that exist: whether they are redirects."""
    known: set[Key] = field(default_factory=set)
    """Of the linked pages that are not stored: those that exist all the same."""
    templates: dict[Key, Title] = field(default_factory=dict)
    template_ids: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """Page and revision id of each template that exists."""
    images: dict[str, None] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    """Sort key by dbkey; an empty key stands for the default."""
    external_links: dict[str, None] = field(default_factory=dict)
    language_links: dict[str, LanguageLink] = field(default_factory=dict)
    interwiki_links: dict[tuple[str, str], Title] = field(default_factory=dict)
    """By prefix and dbkey."""
    sections: list[Section] = field(default_factory=list)
    has_no_sections: bool = False
    """Whether it is known that the page has none, as of source code: an empty list in answers."""
    show_toc: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)
    """For whoever edits the page, by the key of the message."""
    indicators: dict[str, str] = field(default_factory=dict)
    modules: dict[str, None] = field(default_factory=dict)
    module_styles: dict[str, None] = field(default_factory=dict)
    js_config_vars: dict[str, object] = field(default_factory=dict)
    head_items: dict[str, str] = field(default_factory=dict)
    switches: dict[str, None] = field(default_factory=dict)
    """Behaviour switches seen."""
    redirect: Title | None = None
    cache_expiry: int | None = None
    """Seconds after which the rendering is stale, if sooner than usual."""
    interrupted: bool = False
    """Whether a part is missing for a reason that has nothing to do with the page."""
    volatile: bool = False
    """Whether the same text may give something else when it is expanded once more."""
    usage: Usage | None = None
    plugin_limits: dict[str, LimitFigure] = field(default_factory=dict)
    """Figures of plugins for the limit report, by message key."""
    profile: TransclusionProfile | None = None
    cpu_seconds: float = 0.0
    real_seconds: float = 0.0
    plugin_data: dict[str, object] = field(default_factory=dict)
    """What plugins write into tables of their own, by plugin name: plain data, to be pickled."""

    def entry_count(self) -> int:
        """Return how many links, categories, sections and other facts were found so far."""
        return (
            len(self.links)
            + len(self.existence_links)
            + len(self.templates)
            + len(self.images)
            + len(self.categories)
            + len(self.external_links)
            + len(self.language_links)
            + len(self.interwiki_links)
            + len(self.sections)
            + len(self.properties)
            + len(self.warnings)
            + len(self.indicators)
        )

    def add_link(self, title: Title) -> None:
        """Note a link to a page of this wiki."""
        self.links.setdefault(title.key, title)

    def add_existence_link(self, title: Title) -> None:
        """Note that what the page shows depends on the existence of another."""
        self.existence_links.setdefault(title.key, title)

    def add_template(self, title: Title, page_id: int = 0, revision_id: int = 0) -> None:
        """Note a transclusion; ids are 0 for a page that does not exist."""
        self.templates.setdefault(title.key, title)
        if page_id:
            self.template_ids[title.key] = page_id, revision_id

    def add_category(self, dbkey: str, sort_key: str = "") -> None:
        """Put the page into a category; a later sort key wins."""
        self.categories[dbkey] = sort_key

    def add_external_link(self, url: str) -> None:
        """Note a link to an address outside."""
        self.external_links.setdefault(url)

    def add_warning(self, key: str, text: str) -> None:
        """Note something that whoever edits the page should know; of one key, the last text."""
        self.warnings[key] = text

    def expire_after(self, seconds: int) -> None:
        """Make the rendering expire after a number of seconds."""
        known = self.cache_expiry
        self.cache_expiry = seconds if known is None else min(known, seconds)

    def interrupt(self) -> None:
        """Record that the rendering lacks something: it must not be shared."""
        self.interrupted = True
        self.expire_after(0)

    def good_for(self, usual: int) -> int:
        """Return the seconds for which the rendering is valid; ``usual`` is the default."""
        return usual if self.cache_expiry is None else min(self.cache_expiry, usual)
