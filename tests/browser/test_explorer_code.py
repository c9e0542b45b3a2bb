"""The code that the explorer offers is run, and gets the answer that the explorer shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import Browser
from tests.browser.explorerpage import ExplorerPage

PACKAGES = {"requests": "requests", "mwclient": "mwclient", "pywikibot": "pywikibot"}
REFUSAL = "NoUsernameError"
"""What pywikibot says by itself when somebody would write without an account."""
REQUESTS = {
    "info": {"action": "query", "prop": "info", "inprop": "url", "titles": "Alpha|Beta"},
    "quotes": {"action": "query", "titles": 'It\'s "a" \\ $title `x` \u00e9\U0001f375'},
    "words": {"action": "query", "list": "allpages", "apfrom": "B", "continue": "-||"},
    "posted": {"action": "edit", "title": "It's", "text": "a\nb"},
}


def comparable(answer: dict[str, Any]) -> Any:
    """Return the parts of an answer that do not depend on the client and the time."""
    if "error" in answer:
        return answer["error"]["code"]
    return answer["query"].get("pages") or answer["query"]["allpages"]


def outcome(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "PYWIKIBOT_DIR": str(folder), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    return done.stdout if done.returncode == 0 else done.stderr


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("package", PACKAGES)
def test_python(browser: Browser, server: str, tmp_path: Path, package: str, name: str) -> None:
    pytest.importorskip(package)
    page = ExplorerPage(browser, server)
    page.open(REQUESTS[name])
    code = page.snippet(f"Python, {package}")
    compile(code, package, "exec")
    expected = page.run()
    output = outcome([sys.executable, "-c", code], tmp_path)
    if "error" in expected and package != "requests":
        assert any(text in output for text in (expected["error"]["code"], REFUSAL))
        return
    assert comparable(json.loads(output)) == comparable(expected)


@pytest.mark.parametrize("name", REQUESTS)
def test_curl(browser: Browser, server: str, tmp_path: Path, name: str) -> None:
    if not shutil.which("curl"):
        pytest.skip("no curl on this machine")
    page = ExplorerPage(browser, server)
    page.open(REQUESTS[name])
    output = outcome(["sh", "-c", page.snippet("curl")], tmp_path)
    assert comparable(json.loads(output)) == comparable(page.run())


@pytest.mark.parametrize("name", REQUESTS)
def test_javascript(browser: Browser, server: str, name: str) -> None:
    page = ExplorerPage(browser, server)
    page.open(REQUESTS[name])
    code = page.snippet("JavaScript").replace("console.log(", "return (")
    output = browser.script(f"return (async () => {{ {code} }})()")
    assert comparable(json.loads(output)) == comparable(page.run())


@pytest.mark.parametrize("name", ["info", "quotes", "words"])
def test_address(browser: Browser, server: str, name: str) -> None:
    page = ExplorerPage(browser, server)
    page.open(REQUESTS[name])
    answer = browser.script(
        f"return fetch({json.dumps(page.snippet('Address'))}).then(r => r.json())"
    )
    assert comparable(answer) == comparable(page.run())
