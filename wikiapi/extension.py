"""The declaration of an extension: all that it adds to a wiki, and who made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.registry import ExtensionCredits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import peewee

    from wikiapi.api.module import Action
    from wikiapi.api.query.module import QueryModule
    from wikiapi.api.query.reports import QueryPage
    from wikiapi.resources import ResourceModule
    from wikiapi.rest.routes import Route
    from wikiapi.wikitext.contentmodels import ContentModel
    from wikiapi.wikitext.declarations import ExtensionTag, ParserFunction, SpecialPage, Variable
    from wikiapi.wikitext.inline.switches import BehaviorSwitch


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension(ExtensionCredits):
    """An extension, with everything that it declares.

    Each attribute takes what the hook of the same kind returns. What an extension does at events
    (``on_...``, ``transform_...``) stays in hooks of the plugin.

    Attributes:
        tags: extension tags.
        functions: parser functions.
        variables: variables, ``{{NAME}}``.
        switches: behaviour switches, ``__NAME__``.
        special_pages: special pages that can be transcluded.
        content_models: content models.
        actions: classes of actions.
        query_modules: classes of modules of ``action=query``.
        query_pages: special pages that list the results of a query.
        rest_routes: classes of routes of the REST API.
        models: models of the extension's own tables.
        messages: the folder of the message files, ``<language>.json``; ``None`` for no messages.
        resources: returns the style sheets and scripts. It is called when they are first needed,
            since it reads their files.
    """

    tags: Sequence[ExtensionTag] = ()
    functions: Sequence[ParserFunction] = ()
    variables: Sequence[Variable] = ()
    switches: Sequence[BehaviorSwitch] = ()
    special_pages: Sequence[SpecialPage] = ()
    content_models: Sequence[ContentModel] = ()
    actions: Sequence[type[Action]] = ()
    query_modules: Sequence[type[QueryModule]] = ()
    query_pages: Sequence[QueryPage] = ()
    rest_routes: Sequence[type[Route]] = ()
    models: Sequence[type[peewee.Model]] = ()
    messages: Path | None = None
    resources: Callable[[], Iterable[ResourceModule]] | None = None
