"""What all renderings of a wiki share."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.languages.variants import LanguageConverter
from wikiapi.registry import Registry
from wikiapi.wiki import Wiki
from wikiapi.wikitext.block.headingform import HeadingForm
from wikiapi.wikitext.inline.linkrules import LinkRules
from wikiapi.wikitext.inline.switches import BehaviorSwitch, SwitchFinder
from wikiapi.wikitext.media.form import MediaForm
from wikiapi.wikitext.media.words import MediaWords
from wikiapi.wikitext.pages import StorePages
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor


class BaseParser:
    """What the renderings of one wiki share. Can be used by several threads.

    A :class:`~wikiapi.wikitext.parser.Parser` adds the pipeline.

    Attributes:
        site: the wiki.
        files: the repositories of its files.
        tags: names of the extension tags.
        converters: the converters of languages with variants.
        preprocessor: reads texts into trees.
        switches: finds behaviour switches.
        pages: the pages in the store.
        media_words: the words of image options.
        link_rules: how external links are recognised and shown.
        media_form: what the HTML of images looks like.
        heading_form: what the HTML of headings looks like.
        failures: failures of plugins logged so far: what was called, and the name of the exception.
        resolves_templates: whether plugins provide templates.
        notifies_links_found: whether plugins want to know the pages that links lead to.
    """

    def __init__(
        self,
        site: Wiki,
        files: RepositoryGroup,
        *,
        tags: Collection[str],
        switches: Iterable[BehaviorSwitch],
        converters: Registry[LanguageConverter],
    ) -> None:
        """Compile what the settings of the wiki and the declarations of plugins say."""
        self.site = site
        self.files = files
        self.tags = tags
        self.converters = converters
        limits, wikitext = site.config.limits, site.config.wikitext
        self.preprocessor = Preprocessor(tags, limits.template_cache_bytes, site.budgets)
        self.switches = SwitchFinder(switches)
        self.pages = StorePages(site.db, limits.text_cache_bytes)
        self.media_words = MediaWords(site.magic_words)
        self.link_rules = LinkRules(wikitext)
        self.media_form = MediaForm.THUMBS if wikitext.legacy_media else MediaForm.FIGURES
        self.heading_form = HeadingForm.BARE if wikitext.legacy_headings else HeadingForm.WRAPPED
        self.failures: set[tuple[str, str]] = set()
        self.resolves_templates = bool(site.plugins.hook.resolve_template.get_hookimpls())
        self.notifies_links_found = bool(site.plugins.hook.on_links_found.get_hookimpls())

    @property
    def content_converter(self) -> LanguageConverter | None:
        """The converter of the content language; ``None`` if the language has no variants."""
        return self.converters.get(self.site.language)
