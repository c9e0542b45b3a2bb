"""A browser of the reader that needs no server: it calls the WSGI application."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.site import Site


class Browser:
    """Asks for pages of one wiki."""

    def __init__(self, site: Site) -> None:
        self.app = make_app(site)
        self._wsgi = InProcess(self.app, "192.0.2.1")

    def get(self, path: str, query: str = "", method: str = "GET", **headers: str) -> Received:
        """Return the content of an address. ``_`` in the names of headers represents ``-``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._wsgi.send(method, path, query, headers=named)

    def post(
        self,
        form: Mapping[str, str],
        query: str = "",
        content_type: str = "application/x-www-form-urlencoded",
    ) -> Received:
        """What ``index.php`` answers to a form."""
        return self._wsgi.send("POST", "/w/index.php", query, form=form, content_type=content_type)

    def index(self, query: str) -> Received:
        """Return the answer of ``index.php``."""
        return self.get("/w/index.php", query)

    def page(self, path: str, query: str = "") -> LexborHTMLParser:
        """Return the document at an address, which must exist."""
        reply = self.get(path, query)
        assert reply.status == 200, reply.text
        return parsed(reply)


def parsed(reply: Received) -> LexborHTMLParser:
    """Return the document in a reply."""
    return LexborHTMLParser(reply.text)


def texts(tree: LexborHTMLParser | LexborNode, selector: str) -> list[str]:
    """Return the texts of the elements that a selector matches, without space around them."""
    return [" ".join(node.text().split()) for node in tree.css(selector)]


def links(tree: LexborHTMLParser, selector: str = "a") -> list[str | None]:
    """Return the targets of the links that a selector matches."""
    return [node.attributes.get("href") for node in tree.css(selector)]


def attribute(tree: LexborHTMLParser, selector: str, name: str) -> Any:
    """Return an attribute of the first element that a selector matches."""
    node = tree.css_first(selector)
    assert node is not None, selector
    return node.attributes.get(name)
