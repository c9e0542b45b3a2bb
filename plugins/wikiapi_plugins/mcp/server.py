"""The tools and resources of a wiki, for the ``mcp`` package."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import unquote

from wikiapi import __version__
from wikiapi.errors import PluginError
from wikiapi.site import Site
from wikiapi_plugins.mcp.reading import CHARACTERS, ReadingError, WikiReader

_MARKDOWN = "text/markdown"
_JSON = "application/json"


def make_server(site: Site, wiki: WikiReader) -> Any:
    """Return a server of the ``mcp`` package, which changes nothing.

    Raises:
        PluginError: the package is not installed.
    """
    try:
        server_class = import_module("mcp.server.mcpserver").MCPServer
    except ImportError as error:
        raise PluginError("language models need mcp: pip install 'wikiapi-server[mcp]'") from error
    name = site.config.site.name
    server = server_class(
        name=name,
        version=__version__,
        instructions=f"Reads the wiki {name}. Begin with search, then read a page or a section.",
        log_level="WARNING",
    )
    _add_tools(server, wiki)
    _add_resources(server, wiki)
    return server


def _add_tools(server: Any, wiki: WikiReader) -> None:
    hints = import_module("mcp.types").ToolAnnotations(
        read_only_hint=True, destructive_hint=False, open_world_hint=False
    )
    tools = _Tools(wiki)
    for tool in (
        tools.search,
        tools.page,
        tools.section,
        tools.links,
        tools.backlinks,
        tools.categories,
        tools.category_members,
        tools.files,
        tools.about,
    ):
        server.add_tool(tool, annotations=hints, structured_output=True)


def _add_resources(server: Any, wiki: WikiReader) -> None:
    resources = _Resources(wiki)
    server.resource("wiki://about", name="about", mime_type=_JSON)(resources.about)
    server.resource("wiki://page/{title}", name="page", mime_type=_MARKDOWN)(resources.page)
    server.resource("wiki://category/{name}", name="category", mime_type=_JSON)(resources.category)


class _Tools:
    """The tools; models read the docstrings of the methods."""

    def __init__(self, wiki: WikiReader) -> None:
        self._wiki = wiki

    def search(self, query: str, limit: int = 10, offset: int = 0) -> dict[str, Any]:
        """Find pages by words in their text or title. At most 50 results; offset skips some."""
        return _told(lambda: self._wiki.search(query, limit, offset))

    def page(self, title: str, offset: int = 0, characters: int = CHARACTERS) -> dict[str, Any]:
        """Read a page as Markdown, with the titles of its sections.

        A long page comes in parts: give next_offset as offset for the next one.
        """
        return _told(lambda: self._wiki.page(title, offset, characters))

    def section(
        self, title: str, section: str, offset: int = 0, characters: int = CHARACTERS
    ) -> dict[str, Any]:
        """Read one section of a page, by its title, with the sections below it."""
        return _told(lambda: self._wiki.section(title, section, offset, characters))

    def links(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages that a page links to. Give next as after for more."""
        return _told(lambda: self._wiki.links(title, limit, after))

    def backlinks(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages that link to a page. Give next as after for more."""
        return _told(lambda: self._wiki.backlinks(title, limit, after))

    def categories(self, title: str) -> dict[str, Any]:
        """List the categories that a page is in."""
        return _told(lambda: self._wiki.categories(title))

    def category_members(self, category: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages, subcategories and files of a category. Give next as after for more."""
        return _told(lambda: self._wiki.members(category, limit, after))

    def files(self, title: str, limit: int = 50) -> dict[str, Any]:
        """List the pictures and other files that a page shows, with their addresses."""
        return _told(lambda: self._wiki.files(title, limit))

    def about(self) -> dict[str, Any]:
        """Tell what wiki this is: its name, language, main page, namespaces and size."""
        return _told(self._wiki.about)


class _Resources:
    """The resources; clients read the docstrings of the methods."""

    def __init__(self, wiki: WikiReader) -> None:
        self._wiki = wiki

    def about(self) -> str:
        """What wiki this is."""
        return json.dumps(_told(self._wiki.about), ensure_ascii=False)

    def page(self, title: str) -> str:
        """A page as Markdown; of a long one, the first part."""
        text: str = _told(lambda: self._wiki.page(unquote(title)))["text"]
        return text

    def category(self, name: str) -> str:
        """The members of a category."""
        return json.dumps(_told(lambda: self._wiki.members(unquote(name))), ensure_ascii=False)


def _told(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return an answer; why there is none is told to the model."""
    try:
        return answer()
    except ReadingError as error:
        raise import_module("mcp.server.mcpserver.exceptions").ToolError(str(error)) from error
