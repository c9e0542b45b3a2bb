"""The MCP server of a wiki, with its tools and resources, and running it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

import click

from wikiapi import __version__
from wikiapi.config import Config
from wikiapi.errors import PluginError
from wikiapi.factory import existing_site, with_read_right, without_debug_info
from wikiapi.site import Site
from wikiapi_plugins.mcp.reading import CHARACTERS, ReadingError, WikiReader

_OPEN = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not listened on
"""Addresses that stand for all of a machine."""
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


_MARKDOWN = "text/markdown"
_JSON = "application/json"


def make_server(site: Site, wiki: WikiReader) -> Any:
    """Return a server of the package ``mcp``, which allows reading only.

    Raises:
        PluginError: the package is not installed.
    """
    try:
        server_class = import_module("mcp.server.mcpserver").MCPServer
    except ImportError as error:
        raise PluginError("mcp is not installed: pip install 'wikiapi-server[mcp]'") from error
    name = site.config.site.name
    server = server_class(
        name=name,
        version=__version__,
        instructions=f"Reads the wiki {name}. Begin with search, then read a page or a section.",
        log_level="WARNING",
    )
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
    resources = _Resources(wiki)
    server.resource("wiki://about", name="about", mime_type=_JSON)(resources.about)
    # Titles have slashes and may begin with one; they are never paths of files.
    any_title = import_module("mcp.server.mcpserver.resources").ResourceSecurity(
        exempt_params={"title", "name"}
    )
    for address, name, kind, function in (
        ("wiki://page/{+title}", "page", _MARKDOWN, resources.page),
        ("wiki://category/{+name}", "category", _JSON, resources.category),
    ):
        server.resource(address, name=name, mime_type=kind, security=any_title)(function)
    return server


class _Tools:
    """The tools. The docstrings of the methods are sent to the models."""

    def __init__(self, wiki: WikiReader) -> None:
        self._wiki = wiki

    def search(self, query: str, limit: int = 10, offset: int = 0) -> dict[str, Any]:
        """Find pages by words in their titles or texts, the best first, each with an excerpt.

        At most 50 results; offset skips some. If no page has all words, searched_for says which
        spelling was searched for instead.
        """
        return _answered(lambda: self._wiki.search(query, limit, offset))

    def page(self, title: str, offset: int = 0, characters: int = CHARACTERS) -> dict[str, Any]:
        """Read a page as Markdown, with the titles of its sections.

        Long pages are returned in parts; pass next_offset as offset to get the next part.
        """
        return _answered(lambda: self._wiki.page(title, offset, characters))

    def section(
        self, title: str, section: str, offset: int = 0, characters: int = CHARACTERS
    ) -> dict[str, Any]:
        """Read one section of a page, with its subsections, by the title of the section."""
        return _answered(lambda: self._wiki.section(title, section, offset, characters))

    def links(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages that a page links to. Pass next as after to get more."""
        return _answered(lambda: self._wiki.links(title, limit, after))

    def backlinks(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages that link to a page. Pass next as after to get more."""
        return _answered(lambda: self._wiki.backlinks(title, limit, after))

    def categories(self, title: str) -> dict[str, Any]:
        """List the categories that a page is in."""
        return _answered(lambda: self._wiki.categories(title))

    def category_members(self, category: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """List the pages, subcategories and files of a category. Pass next as after to get more."""
        return _answered(lambda: self._wiki.members(category, limit, after))

    def files(self, title: str, limit: int = 50) -> dict[str, Any]:
        """List the images and other files that a page shows, with their URLs."""
        return _answered(lambda: self._wiki.files(title, limit))

    def about(self) -> dict[str, Any]:
        """Describe the wiki: its name, language, main page, namespaces and size."""
        return _answered(self._wiki.about)


class _Resources:
    """The resources. The docstrings of the methods are sent to clients."""

    def __init__(self, wiki: WikiReader) -> None:
        self._wiki = wiki

    def about(self) -> str:
        """The name, language, main page, namespaces and size of the wiki."""
        return json.dumps(_answered(self._wiki.about, _NO_RESOURCE), ensure_ascii=False)

    def page(self, title: str) -> str:
        """A page as Markdown; if it is long, only its first part."""
        text: str = _answered(lambda: self._wiki.page(unquote(title)), _NO_RESOURCE)["text"]
        return text

    def category(self, name: str) -> str:
        """The members of a category."""
        members = _answered(lambda: self._wiki.members(unquote(name)), _NO_RESOURCE)
        return json.dumps(members, ensure_ascii=False)


_NO_TOOL, _NO_RESOURCE = "ToolError", "ResourceNotFoundError"


def _answered(answer: Callable[[], dict[str, Any]], kind: str = _NO_TOOL) -> dict[str, Any]:
    """Return an answer, or raise the error that tells the model why there is none.

    Any other kind of error than those of the package would be logged with its traceback.
    """
    try:
        return answer()
    except ReadingError as error:
        raise getattr(import_module("mcp.server.mcpserver.exceptions"), kind)(str(error)) from error


def run(config: Config, listen: str | None, hosts: Sequence[str] = ()) -> None:
    """Serve the wiki until the client disconnects or the process is interrupted.

    Args:
        config: the configuration.
        listen: address and port for HTTP; ``None`` for standard input and output.
        hosts: names of this server, in addition to loopback names and the configured one.
    """
    config = without_debug_info(config)
    address = _address(listen) if listen is not None else None
    with existing_site(config if address else with_read_right(config), read_only=True) as site:
        server = make_server(site, WikiReader(site))
        if address is None:
            server.run("stdio")
            return
        host, port = address
        bracketed = f"[{host}]" if ":" in host else host
        click.echo(f"Serving MCP at http://{bracketed}:{port}/mcp", file=sys.stderr)
        names = server_names(config, bracketed, hosts)
        if host in _OPEN:
            text = f"Only requests for {', '.join(names)} are answered; --allow-host adds others."
            click.echo(text, file=sys.stderr)
        server.run(
            "streamable-http",
            host=host,
            port=port,
            stateless_http=True,
            transport_security=security_for(names),
        )


def server_names(config: Config, listening: str, hosts: Sequence[str]) -> list[str]:
    """Return the names by which clients may call the server, IPv6 addresses in brackets."""
    configured = urlsplit(config.server).hostname or ""
    configured = f"[{configured}]" if ":" in configured else configured
    names = [*_LOOPBACK, listening, configured, *(host.lower() for host in hosts)]
    return [name for name in dict.fromkeys(names) if name and name.strip("[]") not in _OPEN]


def security_for(names: Sequence[str]) -> Any:
    """Return the settings with which the package ``mcp`` refuses requests for other names.

    A page of another site may give its own name the address of this server (DNS rebinding). Its
    scripts could then read the wiki with the browser of somebody in the same network. Such requests
    have the name of the page in ``Host`` and ``Origin``.
    """
    settings = import_module("mcp.server.transport_security").TransportSecuritySettings
    origins = [f"{scheme}://{name}" for name in names for scheme in ("http", "https")]
    return settings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


def _address(listen: str) -> tuple[str, int]:
    host, mark, port = listen.rpartition(":")
    if not mark or not (port.isascii() and port.isdigit()) or int(port) > 65_535:
        raise click.BadParameter(f"{listen!r} is not HOST:PORT", param_hint="--listen")
    return host.strip("[]") or "127.0.0.1", int(port)
