"""Runs ``action=query``: loads the page set, runs the modules in order, and sets continuation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from wikiapi.api.context import RequestContext
from wikiapi.api.params.declaration import Param, boolean, integer, string
from wikiapi.api.params.types import EnumType, Validation
from wikiapi.api.params.validate import Params
from wikiapi.api.query.continuation import Continuation
from wikiapi.api.query.export import Export, exported
from wikiapi.api.query.loader import PageSetLoader
from wikiapi.api.query.module import PARENT, Query, QueryModule
from wikiapi.api.query.output import write_page_set
from wikiapi.api.query.pageset import GeneratedPages, PageSet
from wikiapi.api.registries import registries
from wikiapi.api.result import Obj
from wikiapi.errors import ApiError
from wikiapi.languages.message import Message, Plain
from wikiapi.site import Site
from wikiapi.title import MAIN

GROUPS = ("prop", "list", "meta")
SOURCES = ("titles", "pageids", "revids")


@dataclass(frozen=True)
class GeneratorType(EnumType):
    """The name of a generator, which is not validated here but by the query."""

    def read(self, name: str, raw: str, validation: Validation) -> str:
        return raw


def _generators(site: Site) -> tuple[str, ...]:
    return registries(site).generators


PAGE_SET = (
    string("titles", "The titles of pages to work on.", multi=True),
    integer("pageids", "The ids of pages to work on.", multi=True),
    integer("revids", "The ids of revisions to work on.", multi=True),
    Param(
        name="generator",
        type=GeneratorType(_generators, submodules=True),
        help="Find the pages to work on with this module, whose parameters then begin with ``g``.",
    ),
    boolean("redirects", "Follow redirects of the pages found."),
    boolean("converttitles", "Also look for variants of the titles, if the language has any."),
)


class QueryRun(Query):
    """Runs the modules of one query."""

    def __init__(
        self, context: RequestContext, params: Params, default_namespace: int = MAIN
    ) -> None:
        """Take the query's parameters: those of the page set and the lists of modules.

        ``default_namespace`` is that of titles without prefix.

        Raises:
            ApiError: ``badcontinue``, if ``continue`` is invalid.
        """
        self.context = context
        self._p = params
        self._namespace = default_namespace
        self._registries = registries(context.site)
        self._names = tuple(name for group in GROUPS for name in params[group] or ())
        self.page_set = PageSet()
        self.generated = GeneratedPages()
        self.continuation = Continuation(
            params["continue"], self._names, params["prop"] or (), context.request.params
        )

    def execute(self) -> None:
        """Load the pages, run every module that is not finished, and set continuation.

        Raises:
            ApiError: a parameter of a module is invalid.
        """
        modules = self._modules()
        if not self.continuation.generator_done:
            self._load()
            write_page_set(self.context, self.page_set, self._p, self.generated)
            if self._p["export"]:
                export = Export(self.context.site, self.page_set, self._p["exportschema"])
                result = self.context.result
                if self._p["exportnowrap"]:
                    result.raw = exported(export, self.context.site.config.http.stream_above)
                else:
                    result.set(("query",), "export", export.whole())
                    note = cast("Obj", result.node(("query",)))
                    note.subelements |= {"export"}
        elif self._p["generator"] is not None:
            self._generator(self._p["generator"])
        for module in modules:
            self.context.site.budgets.current.step()
            self._read_params(module)
            module.execute()
            self.context.running = PARENT
            module.notify_executed()
        if self._p["rawcontinue"]:
            self.continuation.write_raw(self.context.result)
        else:
            self.continuation.write(self.context.result)

    def load_pages(self) -> PageSet:
        """Load and return only the page set, for other actions that work on pages.

        Raises:
            ApiError: the parameters of the page set contradict each other.
        """
        self._load()
        return self.page_set

    @property
    def follows_redirects(self) -> bool:
        """Whether redirects are replaced with their targets, unless revisions are requested."""
        names_revisions = self._p["revids"] is not None and self._p["generator"] is None
        return bool(self._p["redirects"]) and not names_revisions

    def _modules(self) -> list[QueryModule]:
        """Return the modules that are not finished.

        The parameters of finished modules are checked here, and those of the others before they are
        run, so that the first invalid one is reported.
        """
        by_name = self._registries.query_modules
        modules = [by_name[name](self.context, self) for name in self._names]
        finished = [module for module in modules if module.name in self.continuation.finished]
        for module in finished:
            self._read_params(module)
        self.context.running = PARENT
        return [module for module in modules if module not in finished]

    def _read_params(self, module: QueryModule) -> None:
        self.context.running = module.path()
        _ = module.p
        self.context.cache.restrict(module.cache_mode())

    def _load(self) -> None:
        generator = self._p["generator"]
        if generator is None:
            self.page_set = self._load_source()
            return
        module = self._generator(generator)
        self.page_set = self._load_source()
        self.context.running = module.path()
        module.generate(self.generated)
        self.context.running = PARENT
        self.page_set = self._loader().load_generated(self.generated)

    def _generator(self, name: str) -> QueryModule:
        """Return the generator, after checking its parameters.

        Raises:
            ApiError: ``badgenerator``, if no module has the name, or it cannot be a generator.
        """
        by_name = self._registries.query_modules
        if name not in self._registries.generators:
            unfit, unknown = "apierror-badgenerator-notgenerator", "apierror-badgenerator-unknown"
            message = Message(unfit if name in by_name else unknown, (Plain(name),))
            raise ApiError("badgenerator", message)
        module = by_name[name](self.context, self, is_generator=True)
        self._read_params(module)
        self.context.running = PARENT
        return module

    def _loader(self) -> PageSetLoader:
        """Return a loader, in which the cleaned titles of the request are recorded."""
        loader = PageSetLoader(
            self.context.site,
            follow_redirects=self.follows_redirects,
            find_deleted=self.context.user.can("deletedhistory"),
            convert_titles=bool(self._p["converttitles"]),
            default_namespace=self._namespace,
        )
        if self._p["titles"]:
            loader.note_normalised(self.context.request.params["titles"], self._p["titles"])
        return loader

    def _load_source(self) -> PageSet:
        sources = [name for name in SOURCES if self._p[name] is not None]
        if len(sources) > 1:
            message = Message("apierror-invalidparammix-cannotusewith", (sources[1], sources[0]))
            raise ApiError("multisource", message)
        if not sources:
            return PageSet()
        loader, source = self._loader(), sources[0]
        values = self._p[source]
        if source == "titles":
            return loader.load_texts(values)
        if source == "pageids":
            return loader.load_ids(values)
        if self._p["redirects"]:
            self.context.warn("query", Message("apiwarn-redirectsandrevids", (Plain("revids"),)))
        return loader.load_revisions(values)
