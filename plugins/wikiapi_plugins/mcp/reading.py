"""Answers for language models: results of API requests, of limited size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from wikiapi.api import call
from wikiapi.errors import RequestFailed, SearchRefused, WikiapiError
from wikiapi.search import Hit, search
from wikiapi.site import Site
from wikiapi_plugins.markdown.addresses import Addresses
from wikiapi_plugins.markdown.document import Block, joined, to_blocks

MAX_CHARACTERS = 50_000
CHARACTERS = 20_000
"""The default size of a part of a page."""
MAX_RESULTS = 50
MAX_ITEMS = 500
_MAX_SECTIONS = 300
_PLAIN_ERRORS = {"errorformat": "plaintext", "errorlang": "en"}


class ReadingError(Exception):
    """A request cannot be answered; the text says why."""


class WikiReader:
    """Reads one wiki through its API. Safe to use from several threads."""

    def __init__(self, site: Site) -> None:
        """Read the wiki as a visitor, without a logged-in user."""
        self._site = site
        self._addresses = site.derived(Addresses)

    def about(self) -> dict[str, Any]:
        """Return name, language, main page, namespaces and statistics of the wiki."""
        answer = self._ask(meta="siteinfo", siprop="general|namespaces|statistics")
        info = answer["query"]
        general = info["general"]
        names = [entry["name"] for entry in info["namespaces"].values() if entry["name"]]
        return {
            "name": general["sitename"],
            "language": general["lang"],
            "main_page": general["mainpage"],
            "url": self._site.config.site.source or general["base"],
            "namespaces": names,
            "pages": info["statistics"]["pages"],
            "articles": info["statistics"]["articles"],
            "files": info["statistics"]["images"],
        }

    def search(self, query: str, limit: int = 10, offset: int = 0) -> dict[str, Any]:
        """Return the best pages for some words, each with an excerpt."""
        if self._site.config.permissions.is_private:
            raise ReadingError("Reading this wiki needs an account.")
        most = _within(limit, MAX_RESULTS)
        with _reported(), self._site.answering():
            results = search(self._site, _sound(query), limit=most, offset=max(offset, 0))
        more = {"searched_for": results.correction} if results.correction else {}
        return more | {"total": results.total, "results": [_result(hit) for hit in results.hits]}

    def page(self, title: str, offset: int = 0, characters: int = CHARACTERS) -> dict[str, Any]:
        """Return a page as Markdown, or a part of it, with the titles of its sections."""
        parsed, blocks = self._parsed(title)
        headings = [block for block in blocks if block.kind == "heading"]
        return {
            "title": parsed["title"],
            "url": self._url(parsed["title"]),
            "revision": parsed.get("revid"),
            "sections": [block.title for block in headings[:_MAX_SECTIONS]],
            **_part(joined(blocks), offset, characters),
        }

    def section(
        self, title: str, section: str, offset: int = 0, characters: int = CHARACTERS
    ) -> dict[str, Any]:
        """Return a section of a page with its subsections, found by its title or anchor."""
        parsed, blocks = self._parsed(title)
        name = section.strip().casefold()
        for start, block in enumerate(blocks):
            names = (block.title, block.anchor, block.anchor.replace("_", " "))
            if block.kind == "heading" and name in map(str.casefold, names):
                url = f"{self._url(parsed['title'])}#{block.anchor}"
                end = next(
                    (
                        place
                        for place, after in enumerate(blocks[start + 1 :], start + 1)
                        if after.kind == "heading" and after.level <= block.level
                    ),
                    len(blocks),
                )
                text = joined(blocks[start:end])
                return {"title": parsed["title"], "section": block.title, "url": url} | _part(
                    text, offset, characters
                )
        raise ReadingError(f"There is no section {section!r} in {parsed['title']!r}.")

    def links(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """Return the pages that a page links to."""
        batch = _batch("pl", limit, after)
        answer = self._ask(prop="links", titles=_title_value(title), redirects="1", **batch)
        page = self._existing(answer)
        return _listed(page["title"], page.get("links", ()), answer)

    def backlinks(self, title: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """Return the pages that link to a page."""
        batch = _batch("bl", limit, after)
        answer = self._ask(list="backlinks", bltitle=title, **batch)
        return _listed(title, answer["query"]["backlinks"], answer)

    def categories(self, title: str) -> dict[str, Any]:
        """Return the categories of a page."""
        answer = self._ask(
            prop="categories", titles=_title_value(title), redirects="1", cllimit=MAX_ITEMS
        )
        page = self._existing(answer)
        names = [row["title"].partition(":")[2] for row in page.get("categories", ())]
        return {"title": page["title"], "categories": names}

    def members(self, category: str, limit: int = 100, after: str = "") -> dict[str, Any]:
        """Return the pages of a category, with its subcategories and files."""
        prefix = self._site.namespaces[14].prefix
        name = category if ":" in category else f"{prefix}{category}"
        batch = _batch("cm", limit, after)
        answer = self._ask(list="categorymembers", cmtitle=name, **batch)
        return _listed(name, answer["query"]["categorymembers"], answer)

    def files(self, title: str, limit: int = 50) -> dict[str, Any]:
        """Return the files that a page shows, with their URLs, types and sizes."""
        most = _within(limit, MAX_RESULTS)
        answer = self._ask(
            generator="images", titles=_title_value(title), redirects="1", gimlimit=most,
            prop="imageinfo", iiprop="url|mime|size",
        )  # fmt: skip
        rows = answer.get("query", {}).get("pages", ())
        return {"title": title, "files": [_file(row) for row in rows if row.get("imageinfo")]}

    def _parsed(self, title: str) -> tuple[dict[str, Any], list[Block]]:
        answer = self._ask(
            action="parse", page=title, prop="text|revid", redirects="1", disablelimitreport="1",
            disableeditsection="1", disabletoc="1",
        )  # fmt: skip
        parsed = answer["parse"]
        protocols = self._site.parser.link_rules.protocols
        return parsed, to_blocks(parsed["text"], self._addresses.resolve, protocols)

    def _url(self, title: str) -> str:
        return self._addresses.page(self._site.titles.parse(title))

    def _existing(self, answer: dict[str, Any]) -> dict[str, Any]:
        pages = answer.get("query", {}).get("pages", ())
        if not pages or pages[0].get("missing") or pages[0].get("invalid"):
            raise ReadingError("There is no such page. Use search to find titles.")
        page: dict[str, Any] = pages[0]
        return page

    def _ask(self, **params: str | int) -> dict[str, Any]:
        sound = {name: _sound(str(value)) for name, value in params.items()}
        with _reported():
            return call(self._site, {"action": "query", **sound, **_PLAIN_ERRORS})


@contextmanager
def _reported() -> Iterator[None]:
    """Raise the errors of the wiki as what a model is told.

    Raises:
        ReadingError: there was one.
    """
    try:
        yield
    except RequestFailed as error:
        raise ReadingError(error.info) from error
    except SearchRefused as error:
        raise ReadingError(f"{str(error).capitalize()}.") from error
    except WikiapiError as error:
        raise ReadingError("The wiki could not answer this request.") from error


def _sound(text: str) -> str:
    """Return a text without characters that no text can contain, which a model may send."""
    return text.encode("utf-8", "replace").decode()


def _result(hit: Hit) -> dict[str, Any]:
    more = {"section": hit.section} if hit.section else {}
    if hit.redirect:
        more["redirect"] = hit.redirect
    return {"title": hit.title, "snippet": hit.excerpt} | more


def _title_value(title: str) -> str:
    """Return a parameter value for one title, even if it contains the separator of titles."""
    return f"\x1f{title}"


def _within(limit: int, most: int) -> int:
    return min(max(limit, 1), most)


def _part(text: str, offset: int, characters: int) -> dict[str, Any]:
    """Return a part of a text, with the offset of the next one if there is one."""
    start = min(max(offset, 0), len(text))
    end = start + _within(characters, MAX_CHARACTERS)
    more = {"next_offset": end} if end < len(text) else {}
    return {"text": text[start:end], "characters": len(text)} | more


def _batch(prefix: str, limit: int, after: str) -> dict[str, str | int]:
    """Return the limit and continuation of a module with a prefix, as parameters."""
    more = {f"{prefix}continue": after} if after else {}
    return {f"{prefix}limit": _within(limit, MAX_ITEMS)} | more


def _listed(title: str, rows: Iterable[dict[str, Any]], answer: dict[str, Any]) -> dict[str, Any]:
    """Return the pages of a list and, as ``next``, the continuation if there are more."""
    following = [value for name, value in answer.get("continue", {}).items() if name != "continue"]
    more = {"next": following[0]} if following else {}
    return {"title": title, "pages": [row["title"] for row in rows]} | more


def _file(row: dict[str, Any]) -> dict[str, Any]:
    info = row["imageinfo"][0]
    kept = {name: info[name] for name in ("url", "mime", "size", "width", "height") if name in info}
    return {"title": row["title"]} | kept
