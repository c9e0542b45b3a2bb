"""The hooks that a plugin may implement.

The verb in a hook's name states its contract: ``register_*`` is called once for a site and returns
declarations, ``resolve_*`` returns the result of the first plugin that has one, ``on_*`` reports an
event, and ``transform_*`` and ``wrap_*`` return a replacement for their argument or change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

__all__ = [
    "hookimpl",
]


if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    import click
    import peewee
    from selectolax.lexbor import LexborNode

    from wikiapi.accounts.user import Session, User
    from wikiapi.api.context import RequestContext
    from wikiapi.api.format import Format
    from wikiapi.api.module import Action, Module
    from wikiapi.api.params.declaration import Param
    from wikiapi.api.query.module import QueryModule
    from wikiapi.api.query.reports import QueryPage
    from wikiapi.extension import Extension
    from wikiapi.filerepo.file import FileRepository
    from wikiapi.http.routing import Mount
    from wikiapi.importing.xml.records import DumpRevision
    from wikiapi.languages.variants import LanguageConverter
    from wikiapi.registry import ExtensionCredits
    from wikiapi.resources import ResourceModule
    from wikiapi.rest.routes import Route
    from wikiapi.site import Site
    from wikiapi.store.queries.pages import PageRow
    from wikiapi.store.write.links import PageLinkSet
    from wikiapi.store.write.revisions import NewPage
    from wikiapi.title.title import Title
    from wikiapi.wikitext.contentmodels import ContentModel
    from wikiapi.wikitext.declarations import (
        ExtensionTag,
        ParserFunction,
        SpecialPage,
        Variable,
    )
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.inline.switches import BehaviorSwitch
    from wikiapi.wikitext.options import ParserOptions
    from wikiapi.wikitext.output import ParserOutput
    from wikiapi.wikitext.state import ParseState

hookspec = pluggy.HookspecMarker("wikiapi")
hookimpl = pluggy.HookimplMarker("wikiapi")


@hookspec
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return extensions, each with all that it declares, in place of one hook for each kind."""


@hookspec
def register_actions(site: Site) -> Iterable[type[Action]]:
    """Return classes of actions: the values of the parameter ``action``."""


@hookspec
def register_query_modules(site: Site) -> Iterable[type[QueryModule]]:
    """Return classes of query modules: the values of ``prop``, ``list`` and ``meta``."""


@hookspec
def register_query_pages(site: Site) -> Iterable[QueryPage]:
    """Return special pages that list the results of a query: the values of ``qppage``."""


@hookspec
def register_formats(site: Site) -> Iterable[type[Format]]:
    """Return classes of output formats: the values of the parameter ``format``."""


@hookspec
def register_content_models(site: Site) -> Iterable[ContentModel]:
    """Return content models, which define how a page's text is stored, parsed and shown."""


@hookspec
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return parser functions: ``{{name: argument | argument}}``."""


@hookspec
def register_variables(site: Site) -> Iterable[Variable]:
    """Return variables: ``{{NAME}}`` without arguments."""


@hookspec
def register_behavior_switches(site: Site) -> Iterable[BehaviorSwitch]:
    """Return behaviour switches: ``__NAME__``."""


@hookspec
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return extension tags: ``<name attributes>content</name>``."""


@hookspec
def register_special_pages(site: Site) -> Iterable[SpecialPage]:
    """Return special pages that can be transcluded: ``{{Special:Name}}``."""


@hookspec
def register_language_converters(site: Site) -> Iterable[LanguageConverter]:
    """Return language converters, each for a language with several variants."""


@hookspec
def register_messages(site: Site) -> Iterable[Path]:
    """Return folders of message files, with one ``<language>.json`` for each language."""


@hookspec
def register_params(site: Site, module: type[Module]) -> Iterable[Param]:
    """Return parameters to add to a module, or enumerations whose values are added to its own."""


@hookspec
def register_models(site: Site) -> Iterable[type[peewee.Model]]:
    """Return models of a plugin's own tables, which are created when a site is opened."""


@hookspec
def register_file_repositories(site: Site) -> Iterable[FileRepository]:
    """Return foreign file repositories, which are searched in order after the wiki's own files."""


@hookspec
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """Return the plugin's name, version and other credits for ``siprop=extensions``."""


@hookspec
def register_resource_modules(site: Site) -> Iterable[ResourceModule]:
    """Return style sheets and scripts that ``load.php`` serves to pages."""


@hookspec
def register_mounts(site: Site) -> Iterable[Mount]:
    """Return WSGI applications to mount at paths of the site."""


@hookspec
def register_rest_routes(site: Site) -> Iterable[type[Route]]:
    """Return classes of routes: paths below ``rest.php`` and the methods that they answer."""


@hookspec
def register_commands(cli: click.Group) -> None:
    """Add commands to the ``wikiapi`` command line."""


@hookspec(firstresult=True)
def resolve_template(site: Site, title: Title, frame: Frame) -> str | None:
    """Return the text to transclude for a title, or ``None`` to read it from the store."""


@hookspec(firstresult=True)
def resolve_exception(context: RequestContext, exception: Exception) -> Exception | None:
    """Return an :class:`~wikiapi.errors.ApiError` to report instead of an unexpected exception."""


@hookspec(firstresult=True)
def resolve_user(site: Site, session: Session) -> User | None:
    """Return the user to whom a request's session belongs, or ``None`` for a visitor."""


@hookspec
def on_page_parsed(state: ParseState, html: str) -> None:
    """Called when a page is parsed; ``html`` has markers in place of files, links and tags."""


@hookspec
def on_links_found(state: ParseState, pages: Mapping[tuple[int, str], PageRow]) -> None:
    """Called with the existing pages that a page links to, before the links are written."""


@hookspec
def on_import_page(site: Site, page: NewPage, revision: DumpRevision) -> None:
    """Called when a page has been imported, with its newest revision."""


@hookspec
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Called in the transaction that writes the newly derived links of pages.

    On a database server, others can write meanwhile, but not the links of the same pages. What is
    only right if nobody else writes calls ``site.db.exclude_others()`` first, which has the
    transaction repeated alone.
    """


@hookspec
def on_import_finished(site: Site) -> None:
    """Called when a dump has been imported completely."""


@hookspec
def on_rendering_ended(state: ParseState) -> None:
    """Called when a rendering has ended or failed, before its limit report is written."""


@hookspec
def on_module_executed(
    module: Module, context: RequestContext, result: Mapping[str, object]
) -> None:
    """Called when a module has run and added its data to the result."""


@hookspec
def transform_query(module: QueryModule, query: peewee.Select, context: RequestContext) -> object:
    """Return a database query to run instead of a module's own, or ``None`` to keep it."""


@hookspec
def transform_html(root: LexborNode, output: ParserOutput, options: ParserOptions) -> None:
    """Change the tree of a rendered page in place before it is serialised."""


@hookspec
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """Return a WSGI application that wraps the site's own, or ``None``."""


HOOK_NAMES: tuple[str, ...] = tuple(
    name
    for name in dir()
    if name.startswith(("register_", "resolve_", "on_", "transform_", "wrap_"))
)
"""The names of all hooks, for documentation and checks."""
