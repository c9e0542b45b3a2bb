"""The module ``parse``, from the parameters of the request to the result."""

from __future__ import annotations

from dataclasses import replace

from wikiapi.accounts import preferences, signature_of
from wikiapi.api import Action, Arr, Module, Obj, boolean, enum, integer, string, text
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.title import Title
from wikiapi.wikitext import (
    ParserOptions,
    ParserOutput,
    format_comments,
    tree_xml,
    without_trailing_blanks,
)
from wikiapi_plugins.actions.parse.facts import FACTS, Facts, ParsoidFacts
from wikiapi_plugins.actions.parse.head import head_html, skin_modules
from wikiapi_plugins.actions.parse.markup import (
    categories_html,
    limits_html,
    subtitle,
    without_paragraph,
)
from wikiapi_plugins.actions.parse.source import Source, find_source
from wikiapi_plugins.shared.interface.skins import API_SKIN, SKINS, Skin
from wikiapi_plugins.wikitext.contentmodels.names import content_formats, content_models

PROPS = (
    "categories",
    "categorieshtml",
    "displaytitle",
    "encodedjsconfigvars",
    "externallinks",
    "headhtml",
    "images",
    "indicators",
    "iwlinks",
    "jsconfigvars",
    "langlinks",
    "limitreportdata",
    "limitreporthtml",
    "links",
    "modules",
    "parsetree",
    "parsewarnings",
    "parsewarningshtml",
    "properties",
    "revid",
    "sections",
    "subtitle",
    "templates",
    "text",
    "tocdata",
    "wikitext",
    "headitems",
)
DEFAULT_PROPS = (
    "text|langlinks|categories|links|templates|images|externallinks|sections|tocdata|revid|"
    "displaytitle|iwlinks|properties|parsewarnings"
)


PARAMS = (
    string("title", "Title of the page the text belongs to; the page named API if omitted."),
    text("text", "Text to parse."),
    integer("revid", "Revision id, for variables such as ``REVISIONID``."),
    string("summary", "Summary to parse."),
    string("page", "Parse the content of this page."),
    integer("pageid", "Parse the content of the page with this id; takes precedence over page."),
    boolean("redirects", "Follow a redirect that page or pageid names."),
    integer("oldid", "Parse the content of this revision; takes precedence over page and pageid."),
    enum(
        "prop",
        *PROPS,
        multi=True,
        default=DEFAULT_PROPS,
        deprecated_values=("headitems",),
        help="What to return.",
    ),
    string("wrapoutputclass", "CSS class of the container.", default="mw-parser-output"),
    boolean("usearticle", "Use the rendering that a page view would use."),
    boolean("parsoid", "Use parser=parsoid instead.", deprecated=True),
    enum("parser", "default", "legacy", "parsoid", default="default", help="Which parser to use."),
    boolean("pst", "Transform the text as saving it would, then parse it."),
    boolean("onlypst", "Transform the text as saving it would, and do not parse it."),
    boolean("effectivelanglinks", "Include language links of extensions.", deprecated=True),
    string("section", "Parse only this section, or new for a new one."),
    string("sectiontitle", "Heading of a new section."),
    boolean("disablepp", "Use disablelimitreport instead.", deprecated=True),
    boolean("disablelimitreport", "Omit the limit report."),
    boolean("disableeditsection", "Omit the edit links of sections."),
    boolean("disablestylededuplication", "Keep repeated style sheets."),
    boolean("showstrategykeys", "Include merge strategies in jsconfigvars."),
    boolean("generatexml", "Return the parse tree; use prop=parsetree instead.", deprecated=True),
    boolean("preview", "Parse as a preview."),
    boolean("sectionpreview", "Parse as the preview of a section."),
    boolean("disabletoc", "Omit the table of contents."),
    enum("useskin", *sorted(SKINS), help="Apply a skin to the output."),
    enum("contentformat", choices=content_formats, help="Serialisation of the text."),
    enum("contentmodel", choices=content_models, help="Content model of the text."),
)


_TEXTS = (
    "text",
    "headhtml",
    "wikitext",
    "psttext",
    "parsedsummary",
    "categorieshtml",
    "limitreporthtml",
    "parsetree",
    "markdown",
)
"""Keys whose values are objects with the key ``*`` in formatversion 1."""
_WITH_TOC = frozenset({"sections", "tocdata"})
_WITH_VARIABLES = frozenset({"jsconfigvars", "encodedjsconfigvars"})
_FRAGMENT = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)
_NOT_RENDERED = frozenset({"wikitext", "parsetree", "revid"})
"""Values of ``prop`` for which the text need not be rendered."""


class Parse(Action):
    """Parses content and returns parser output."""

    name = "parse"
    position = 11
    params = PARAMS
    examples = (
        ("action=parse&page=Project:Sandbox", "Parse a page"),
        ("action=parse&text={{Project:Sandbox}}&contentmodel=wikitext", "Parse wikitext"),
        ("action=parse&text={{PAGENAME}}&title=Test", "Parse wikitext under a title"),
        ("action=parse&summary=Some+[[link]]&prop=", "Parse a summary"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Parsing_wikitext",)

    def execute(self) -> None:
        """Find the text, render it, and put the requested data into the result."""
        source = find_source(self)
        props = frozenset(self.p.texts("prop"))
        saved = saved_text(self, source)
        if saved is not None and self.p.flag("onlypst"):
            answer = saved_answer(source, saved, props)
            self._add_summary(answer, source)
            self.result.set((), self.name, answer)
            return
        if "modules" in props and not props & _WITH_VARIABLES:
            self.warn("apiwarn-moduleswithoutvars")
        answer = Obj(
            {"title": source.title.prefixed_text, "pageid": source.page_id}, subelements=_TEXTS
        )
        if source.is_hidden:
            answer["textdeleted"] = True
        if source.is_suppressed:
            answer["textsuppressed"] = True
        if source.is_stored and "revid" in props:
            answer["revid"] = source.revision.id
        if source.redirects is not None:
            answer["redirects"] = Arr(map(_redirect, source.redirects), "r")
        if not props <= _NOT_RENDERED:
            parsed = source if saved is None else replace(source, text=saved, stored=None)
            self._render(answer, parsed, props)
        self._add_summary(answer, source)
        if "wikitext" in props:
            answer["wikitext"] = source.text
        if "parsetree" in props or self.p.flag("generatexml"):
            if source.model != "wikitext":
                raise ApiError("notwikitext", "apierror-parsetree-notwikitext")
            answer["parsetree"] = tree_xml(self.site.parser.preprocessor.tree(source.text))
        if saved is not None and "wikitext" in props:
            answer["psttext"] = saved
        self.result.set((), self.name, answer)

    def _is_parsoid(self, source: Source) -> bool:
        """Return whether the answer has Parsoid's form: it is requested, and there is wikitext."""
        is_requested = self.p.flag("parsoid") or self.p.text("parser") == "parsoid"
        return is_requested and source.model == "wikitext"

    def _output(self, source: Source) -> ParserOutput:
        model = self.site.content_models.get(source.model)
        if model is None:
            raise ApiError("unknown-content-model", "unknown-content-model", source.model)
        params = self.p
        report = not (params.flag("disablelimitreport") or params.flag("disablepp"))
        options = ParserOptions(
            language=self.context.language,
            variant=self.context.variant,
            user=self.context.user.name,
            thumb_width=preferences.thumb_width_of(self.context.user, self.site),
            preview=params.flag("preview") or params.flag("sectionpreview"),
            section_preview=params.flag("sectionpreview"),
            edit_sections=not params.flag("disableeditsection"),
            limit_report=report,
            toc=not params.flag("disabletoc"),
            toc_in_page=self._skin.has_toc,
            deduplicate_styles=not params.flag("disablestylededuplication"),
            wrapper_class=params.text("wrapoutputclass"),
            revision=source.revision,
            parsoid=self._is_parsoid(source),
        )

        def render() -> ParserOutput:
            return model.render(self.site.parser, source.text, source.title, options)

        if source.stored is None or options.preview:
            return render()
        return self.site.page_cache.output(source.stored, options, render)

    def _render(self, answer: Obj, source: Source, props: frozenset[str]) -> None:
        output = self._output(source)
        kind = ParsoidFacts if self._is_parsoid(source) else Facts
        facts = kind(self.site, source, output)
        if "text" in props:
            answer["text"] = output.html
        for prop, entries in FACTS.items():
            if prop in props:
                answer.update((key, fact(facts)) for key, fact in entries)
        if "modules" in props and self.p.is_given("useskin"):
            styles, scripts = self._skin.styles, skin_modules(self._skin)
            answer["modules"] = Arr(dict.fromkeys((*output.modules, *scripts)), "m")
            answer["modulestyles"] = Arr(dict.fromkeys((*output.module_styles, *styles)), "m")
        if props & _WITH_TOC:
            answer["showtoc"] = output.show_toc
        if "categorieshtml" in props:
            answer["categorieshtml"] = categories_html(self.context, facts.category_flags())
        if "limitreporthtml" in props:
            answer["limitreporthtml"] = limits_html(output)
        if "subtitle" in props:
            answer["subtitle"] = subtitle(self.site, source.title, self.context.language)
        if "headhtml" in props:
            answer["headhtml"] = head_html(
                facts,
                facts.display_title(),
                self.context.language,
                self._skin,
                has_skin=self.p.is_given("useskin"),
            )
        if "parsewarningshtml" in props:
            # Warnings are wikitext.
            parse = self.site.parser.parse
            texts = output.warnings.values()
            fragments = (parse(text, source.title, _FRAGMENT).html for text in texts)
            answer["parsewarningshtml"] = Arr(map(without_paragraph, fragments), "pw")

    @property
    def _skin(self) -> Skin:
        return SKINS[self.p.text_or_none("useskin") or API_SKIN]

    def _add_summary(self, answer: Obj, source: Source) -> None:
        summary = parsed_summary(self, source.title)
        if summary is not None:
            answer["parsedsummary"] = summary


def _redirect(pair: tuple[Title, Title]) -> Obj:
    source, target = pair
    entry = Obj({"from": source.prefixed_text, "to": target.prefixed_text})
    if target.fragment:
        entry["tofragment"] = target.fragment
    return entry


_TRANSFORMED = frozenset({"wikitext", "css", "javascript", "vue"})
"""Content models in whose texts templates are substituted and signatures expanded."""


def saved_text(module: Module, source: Source) -> str | None:
    """Return the transformed text; ``None`` if it is not requested or already stored."""
    if source.is_stored or not (module.p.flag("pst") or module.p.flag("onlypst")):
        return None
    if source.model in _TRANSFORMED:
        return module.site.parser.saved(
            source.text, source.title, module.context.user.name, signature_of(module.context.user)
        )
    return without_trailing_blanks(source.text)


def saved_answer(source: Source, text: str, props: frozenset[str]) -> Obj:
    """Return the whole answer to ``onlypst``."""
    answer = Obj({"text": text}, subelements=("text", "wikitext"))
    if "wikitext" in props:
        answer["wikitext"] = source.text
    return answer


def parsed_summary(module: Module, title: Title) -> str | None:
    """Return the summary in the request as HTML; ``None`` if there is none.

    For a new section, a missing summary is replaced by the heading.
    """
    summary, heading = module.p.text_or_none("summary"), module.p.text_or_none("sectiontitle")
    is_new = module.p.text_or_none("section") == "new"
    if summary is None and not (is_new and heading is not None):
        return None
    text = summary or ""
    if is_new and not (summary and heading):
        text = heading or text
        if text:
            message = Message("newsectionsummary", (Plain(text),))
            text = module.site.messages.text(message, module.site.language)
    language = module.context.language
    comments = [(text, title)]
    return format_comments(module.site.parser, comments, language=language, same_page=is_new)[0]
