"""The hooks a plugin may implement.

The verb says the contract: ``register_*`` is called once at start-up and returns declarations,
``resolve_*`` stops at the first plugin that has an answer, ``on_*`` reports an event, and
``transform_*``/``wrap_*`` return a replacement for what they are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    import click
    import peewee
    from selectolax.lexbor import LexborNode

    from wikiapi.api.context import RequestContext
    from wikiapi.api.format import Format
    from wikiapi.api.module import Action, Module
    from wikiapi.api.params.declaration import Param
    from wikiapi.api.query.module import QueryModule
    from wikiapi.dump.xml.records import DumpRevision
    from wikiapi.filerepo.repository import FileRepository
    from wikiapi.http.routing import Mount
    from wikiapi.plugins import ExtensionCredits
    from wikiapi.site import Site
    from wikiapi.store.write.links import PageLinkSet
    from wikiapi.store.write.revisions import NewPage
    from wikiapi.title.title import Title
    from wikiapi.wikitext.declarations import (
        BehaviorSwitch,
        ContentModel,
        ExtensionTag,
        ParserFunction,
        SpecialPage,
        Variable,
    )
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.options import ParserOptions
    from wikiapi.wikitext.output import ParserOutput
    from wikiapi.wikitext.state import ParseState

hookspec = pluggy.HookspecMarker("wikiapi")
hookimpl = pluggy.HookimplMarker("wikiapi")


@hookspec
def register_actions(site: Site) -> Iterable[type[Action]]:
    """Actions: what the ``action`` parameter may name."""


@hookspec
def register_query_modules(site: Site) -> Iterable[type[QueryModule]]:
    """Modules of ``action=query``: prop, list and meta."""


@hookspec
def register_formats(site: Site) -> Iterable[type[Format]]:
    """Output formats: what the ``format`` parameter may name."""


@hookspec
def register_content_models(site: Site) -> Iterable[ContentModel]:
    """Content models: how a page's text is stored, parsed and shown."""


@hookspec
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Parser functions: ``{{name: argument | argument}}``."""


@hookspec
def register_variables(site: Site) -> Iterable[Variable]:
    """Variables: ``{{NAME}}`` without arguments."""


@hookspec
def register_behavior_switches(site: Site) -> Iterable[BehaviorSwitch]:
    """Behaviour switches: ``__NAME__``."""


@hookspec
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Extension tags: ``<name attributes>content</name>``."""


@hookspec
def register_special_pages(site: Site) -> Iterable[SpecialPage]:
    """Special pages that may be transcluded: ``{{Special:Name}}``."""


@hookspec
def register_messages(site: Site) -> Iterable[Path]:
    """Folders of message files, one ``<language>.json`` each."""


@hookspec
def register_params(site: Site, module: type[Module]) -> Iterable[Param]:
    """Parameters that a plugin adds to somebody else's module."""


@hookspec
def register_models(site: Site) -> Iterable[type[peewee.Model]]:
    """Tables that a plugin keeps in the store; created when a site is opened without them."""


@hookspec
def register_file_repositories(site: Site) -> Iterable[FileRepository]:
    """Foreign file repositories, asked in order for files the wiki does not hold itself."""


@hookspec
def register_extension_credits(site: Site) -> Iterable[ExtensionCredits]:
    """What the plugin is called and does, as ``siprop=extensions`` shows it."""


@hookspec
def register_mounts(site: Site) -> Iterable[Mount]:
    """WSGI applications at paths of the site, beside the API."""


@hookspec
def register_commands(cli: click.Group) -> None:
    """Add commands to the ``wikiapi`` command line."""


@hookspec(firstresult=True)
def resolve_template(site: Site, title: Title, frame: Frame) -> str | None:
    """The text to transclude for a title, or ``None`` to let the store answer."""


@hookspec(firstresult=True)
def resolve_exception(context: RequestContext, exception: Exception) -> Exception | None:
    """An :class:`~wikiapi.errors.ApiError` to show in place of an unexpected exception."""


@hookspec
def on_page_parsed(state: ParseState, html: str) -> None:
    """A page's text is parsed, but for the files, links and tags that markers still stand for."""


@hookspec
def on_import_page(site: Site, page: NewPage, revision: DumpRevision) -> None:
    """A page was imported, with its newest revision."""


@hookspec
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """What these pages link to was derived anew and is being written, in one transaction."""


@hookspec
def on_import_finished(site: Site) -> None:
    """A dump was imported to its end."""


@hookspec
def on_rendering_ended(state: ParseState) -> None:
    """A rendering has ended, well or not; its limit report is yet to be written."""


@hookspec
def on_module_executed(
    module: Module, context: RequestContext, result: Mapping[str, object]
) -> None:
    """A module has run and put its data into the result."""


@hookspec
def transform_query(module: QueryModule, query: peewee.Select, context: RequestContext) -> object:
    """A database query to run in place of a module's own (``None`` keeps it)."""


@hookspec
def transform_html(root: LexborNode, output: ParserOutput, options: ParserOptions) -> None:
    """Change the rendered tree of a page in place before it is serialised."""


@hookspec
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """A WSGI application around the site's own (``None`` adds nothing)."""


HOOK_NAMES: tuple[str, ...] = tuple(
    name
    for name in dir()
    if name.startswith(("register_", "resolve_", "on_", "transform_", "wrap_"))
)
"""Every hook, for documentation and checks."""
