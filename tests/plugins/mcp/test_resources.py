"""The resources of the MCP server, read by a client in the same process."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable

import pytest

from wikiapi.testing import make_site
from wikiapi_plugins.mcp.reading import WikiReader
from wikiapi_plugins.mcp.serving import make_server

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

PAGES = {
    "A/B/C": "deep",
    "/lead": "first",
    "C++ 100%": "plus",
    "What? & why": "asked",
    "Été/Ü": "accents",
    "Etc/passwd": "a page",
    "In": "[[Category:X/Y]]",
}


def read(addresses: Iterable[str]) -> dict[str, str]:
    """Return the texts of resources by address, or the errors."""
    # Imported here: it takes two seconds, also in processes that collect these tests only.
    anyio, client = pytest.importorskip("anyio"), pytest.importorskip("mcp.client")
    site = make_site(PAGES)
    server = make_server(site, WikiReader(site))

    async def talk() -> dict[str, str]:
        texts = {}
        async with client.Client(server) as opened:
            for address in addresses:
                try:
                    answer = await opened.read_resource(f"wiki://{address}")
                    texts[address] = answer.contents[0].text
                except Exception as error:  # the package does not document its class
                    texts[address] = f"{error}"
        return texts

    return anyio.run(talk)


def test_titles_may_have_slashes_and_other_signs() -> None:
    texts = {
        "page/A/B/C": "deep",
        "page/A%2FB%2FC": "deep",
        "page//lead": "first",
        "page/%2Flead": "first",
        "page/C++%20100%25": "plus",
        "page/What%3F%20%26%20why": "asked",
        "page/Été/Ü": "accents",
        "page/%C3%89t%C3%A9/%C3%9C": "accents",
        "page/Etc/passwd": "a page",
    }
    assert read(texts) == texts
    for address in ("category/X/Y", "category/Category:X/Y", "category/X%2FY"):
        (text,) = read([address]).values()
        assert json.loads(text)["pages"] == ["In"]


def test_missing_pages_are_errors_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    texts = read(["page/None", "page/No/such/page", "page/.."])
    assert texts["page/None"] == "There is no such page."
    assert texts["page/No/such/page"] == "There is no such page."
    assert texts["page/.."] == '".." is not a valid title.'
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert not [record for record in caplog.records if record.exc_info]
