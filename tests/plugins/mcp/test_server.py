from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.ports import free_port, wait_for
from wikiapi.testing import make_site

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

LONG = "word " * 5000
PAGES = {
    "Main Page": "'''Hello''' [[Tea]] [[Nothing]] [[Category:Start]]\n== Hot ==\nwater\n"
    "=== Very hot ===\nsteam\n== Cold ==\nice",
    "Tea": f"[[Main Page]]\n\n{LONG}",
    "T": "#REDIRECT [[Tea]]",
    "Category:Start": "x",
}
PROGRAM = [sys.executable, "-m", "wikiapi"]


@pytest.fixture(autouse=True)
def package() -> None:
    """Import ``mcp`` for these tests alone: other processes that collect them need it not."""
    pytest.importorskip("mcp")


@pytest.fixture
def store(tmp_path: Path) -> str:
    make_site(PAGES, path=tmp_path / "wiki.sqlite").db.close()
    return f"sqlite:///{tmp_path / 'wiki.sqlite'}"


async def talk(transport: Any) -> dict[str, Any]:
    """Return what a client is told."""
    from mcp.client import Client

    async with Client(transport) as client:

        async def call(name: str, **arguments: Any) -> Any:
            answer = await client.call_tool(name, arguments)
            return answer.content[0].text if answer.is_error else answer.structured_content

        tools = (await client.list_tools()).tools
        return {
            "tools": {tool.name: tool.annotations.read_only_hint for tool in tools},
            "search": await call("search", query="steam"),
            "page": await call("page", title="Main Page"),
            "part": await call("page", title="T", offset=10, characters=10_000_000),
            "section": await call("section", title="Main Page", section="hot"),
            "no section": await call("section", title="Main Page", section="x"),
            "links": await call("links", title="Main Page", limit=1),
            "two links": await call("links", title="Main Page|Tea"),
            "backlinks": await call("backlinks", title="Main Page"),
            "categories": await call("categories", title="Main Page"),
            "members": await call("category_members", category="Start"),
            "files": await call("files", title="Main Page"),
            "missing": await call("page", title="Nowhere"),
            "about": (await client.read_resource("wiki://about")).contents[0].text,
            "resource": (await client.read_resource("wiki://page/Main%20Page")).contents[0].text,
        }


def check(answers: dict[str, Any]) -> None:
    assert set(answers["tools"].values()) == {True}
    assert len(answers["tools"]) == 9
    assert answers["search"]["results"][0]["title"] == "Main Page"
    assert answers["page"]["text"].startswith("**Hello** [Tea](")
    assert answers["page"]["sections"] == ["Hot", "Very hot", "Cold"]
    assert answers["resource"] == answers["page"]["text"]
    assert answers["part"]["title"] == "Tea"
    assert len(answers["part"]["text"]) + 10 == answers["part"]["characters"] < 50_000
    assert answers["section"]["text"] == "## Hot\n\nwater\n\n### Very hot\n\nsteam"
    assert "no section" in answers["no section"]
    assert answers["links"]["pages"] == ["Nothing"]
    assert answers["links"]["next"]
    assert "no such page" in answers["two links"]
    assert answers["backlinks"]["pages"] == ["Tea"]
    assert answers["categories"]["categories"] == ["Start"]
    assert answers["members"]["pages"] == ["Main Page"]
    assert answers["files"]["files"] == []
    assert "no such page" in answers["missing"]
    assert json.loads(answers["about"])["pages"] == 4


def talk_to_program(*arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    """Return what a client is told over the standard input and output of ``wikiapi mcp``."""
    import anyio
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *first = PROGRAM
    parameters = StdioServerParameters(command=command, args=[*first, "mcp", *arguments], cwd=cwd)
    return anyio.run(talk, stdio_client(parameters))


def test_standard_input_and_output(store: str) -> None:
    check(talk_to_program("--database", store))


def test_the_configuration_of_an_imported_wiki_from_another_folder(
    store: str, tmp_path: Path
) -> None:
    settings = tmp_path / "wikiapi.toml"
    settings.write_text('[site]\nname = "Kettle"\n[database]\nurl = "sqlite:///wiki.sqlite"\n')
    (tmp_path / "elsewhere").mkdir()
    for arguments in (["--config", str(settings)], ["--database", store]):
        answers = talk_to_program(*arguments, cwd=tmp_path / "elsewhere")
        check(answers)
        assert json.loads(answers["about"])["name"] == "Kettle"


@contextmanager
def serving(store: str, port: int, host: str = "127.0.0.1") -> Iterator[None]:
    arguments = ["mcp", "--database", store, "--listen", f"{host}:{port}"]
    with subprocess.Popen([*PROGRAM, *arguments], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            # Everything has been loaded then, which takes longest.
            assert "Serving MCP at" in process.stderr.readline()
            wait_for(port)
            yield
        finally:
            process.terminate()


def test_http(store: str) -> None:
    import anyio

    port = free_port()
    with serving(store, port):
        check(anyio.run(talk, f"http://127.0.0.1:{port}/mcp"))


def test_the_command_checks_them(store: str) -> None:
    port = free_port()
    with serving(store, port, "0.0.0.0"):
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Host": "evil.example", "Content-Type": "application/json"}
        connection.request("POST", "/mcp", b"{}", headers)
        assert connection.getresponse().status == 421
        connection.close()
