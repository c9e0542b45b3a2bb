"""The output of a rendering: HTML and the facts about the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from wikiapi.title.title import Title
from wikiapi.wikitext.expand.profile import TransclusionProfile
from wikiapi.wikitext.limits import Usage

Key = tuple[int, str]

DEFAULT_SORT = "defaultsort"
"""The page property for the default sort key of the page's categories."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the page, as the table of contents lists it.

    ``level`` is the level of the HTML element, ``toc_level`` the depth in the table of contents.
    ``index`` is the value for the parameter ``section``: a number, or ``T-1`` and so on for a
    section of a template; empty if it cannot be edited. ``offset`` is its position in the source in
    code points, if known.
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
    """A link to the page in another language: interwiki prefix, and title on that wiki."""

    prefix: str
    title: str


class PageName(NamedTuple):
    """A page's name for display, in two parts; ``namespace`` is empty for the main namespace."""

    namespace: str
    text: str


@dataclass(frozen=True, slots=True)
class LimitFigure:
    """A line of the limit report: the amount used, and the limit if there is one."""

    label: str
    values: tuple[str | int, ...]
    unit: str = ""


@dataclass
class ParserOutput:
    """The results of a rendering: plain data, which can be cached and pickled.

    Mappings keep the order in which entries were found in the text.
    """

    html: str = ""
    title_html: str = ""
    """Display title; empty if the page's own name is shown."""
    variant: str = ""
    """The language variant that the page was converted to; empty if the language has none."""
    name_in_variant: PageName | None = None
    """The page's own name in that variant."""
    links: dict[Key, Title] = field(default_factory=dict)
    existence_links: dict[Key, Title] = field(default_factory=dict)
    """Pages whose existence the text depends on without linking to them."""
    existing: dict[Key, bool] = field(default_factory=dict)
    """The linked pages that exist, each with whether it is a redirect."""
    unstored: set[Key] = field(default_factory=set)
    """The linked pages that are not stored but count as existing, such as special pages."""
    templates: dict[Key, Title] = field(default_factory=dict)
    template_ids: dict[Key, tuple[int, int]] = field(default_factory=dict)
    """Page and revision id of each template that exists."""
    images: dict[str, None] = field(default_factory=dict)
    unknown_files: set[str] = field(default_factory=set)
    """Names of files that may exist, because a foreign repository that may have them failed."""
    categories: dict[str, str] = field(default_factory=dict)
    """Sort keys by the category's database key; an empty sort key stands for the default."""
    external_links: dict[str, None] = field(default_factory=dict)
    language_links: dict[str, LanguageLink] = field(default_factory=dict)
    interwiki_links: dict[tuple[str, str], Title] = field(default_factory=dict)
    """By prefix and dbkey."""
    sections: list[Section] = field(default_factory=list)
    has_no_sections: bool = False
    """Whether pages of this kind never have sections, such as source code.

    API answers then contain an empty list.
    """
    show_toc: bool = False
    properties: dict[str, str] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)
    """Warnings for editors of the page, by message key."""
    indicators: dict[str, str] = field(default_factory=dict)
    modules: dict[str, None] = field(default_factory=dict)
    module_styles: dict[str, None] = field(default_factory=dict)
    js_config_vars: dict[str, object] = field(default_factory=dict)
    head_items: dict[str, str] = field(default_factory=dict)
    switches: dict[str, None] = field(default_factory=dict)
    """Behaviour switches that the page contains."""
    redirect: Title | None = None
    cache_expiry: int | None = None
    """Seconds after which the rendering is stale; ``None`` for the site's default."""
    interrupted: bool = False
    """Whether a part is missing for a reason unrelated to the page, such as a killed process."""
    volatile: bool = False
    """Whether expanding the same text again may give another result."""
    usage: Usage | None = None
    plugin_limits: dict[str, LimitFigure] = field(default_factory=dict)
    """Figures of plugins for the limit report, by message key."""
    profile: TransclusionProfile | None = None
    cpu_seconds: float = 0.0
    real_seconds: float = 0.0
    plugin_data: dict[str, object] = field(default_factory=dict)
    """What plugins store in their own tables, by plugin name: plain data that can be pickled."""

    def entry_count(self) -> int:
        """Return the number of links, categories, sections and other entries found so far."""
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
        """Add a link to a page of this wiki."""
        self.links.setdefault(title.key, title)

    def add_existence_link(self, title: Title) -> None:
        """Record that the rendering depends on whether another page exists."""
        self.existence_links.setdefault(title.key, title)

    def add_template(self, title: Title, page_id: int = 0, revision_id: int = 0) -> None:
        """Add a transclusion; the ids are 0 for a page that does not exist."""
        self.templates.setdefault(title.key, title)
        if page_id:
            self.template_ids[title.key] = page_id, revision_id

    def add_category(self, dbkey: str, sort_key: str = "") -> None:
        """Put the page into a category; a later sort key wins."""
        self.categories[dbkey] = sort_key

    def add_external_link(self, url: str) -> None:
        """Add an external link."""
        self.external_links.setdefault(url)

    def add_warning(self, key: str, text: str) -> None:
        """Add a warning for editors of the page; a later text with the same key replaces it."""
        self.warnings[key] = text

    def expire_after(self, seconds: int) -> None:
        """Make the rendering expire after a number of seconds, unless it expires sooner anyway."""
        expiry = self.cache_expiry
        self.cache_expiry = seconds if expiry is None else min(expiry, seconds)

    def interrupt(self) -> None:
        """Record that a part of the rendering is missing, so that it is not cached or shared."""
        self.interrupted = True
        self.expire_after(0)

    def good_for(self, usual: int) -> int:
        """Return for how many seconds the rendering is valid, at most ``usual``."""
        return usual if self.cache_expiry is None else min(self.cache_expiry, usual)
