"""The files with which wikiapi is published and installed elsewhere say what is so."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

import wikiapi
from tests.meta.test_packaging import read_setup_cfg
from tests.ports import free_port
from wikiapi.config import load_config

yaml = pytest.importorskip("yaml", reason="PyYAML, which mkdocs needs, is not installed")
ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "examples" / "deployment" / "compose"
SCRIPT = ROOT / ".github" / "action" / "start.sh"


def read_yaml(path: Path) -> dict[Any, Any]:
    data = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(data, dict)
    return data


def test_citation_and_manifest_have_the_version() -> None:
    citation = read_yaml(ROOT / "CITATION.cff")
    assert citation["version"] == wikiapi.__version__
    assert citation["license"] == read_setup_cfg()["metadata"]["license"]
    manifest = json.loads((ROOT / "server.json").read_text("utf-8"))
    (package,) = manifest["packages"]
    assert {manifest["version"], package["version"]} == {wikiapi.__version__}
    assert package["identifier"] == read_setup_cfg()["metadata"]["name"]


def test_manifest_starts_a_command_that_exists() -> None:
    from wikiapi_plugins.mcp.command import command

    (package,) = json.loads((ROOT / "server.json").read_text("utf-8"))["packages"]
    name, option = package["packageArguments"]
    assert name["value"] == command.name
    assert option["name"] in {text for param in command.params for text in param.opts}


def test_pages_for_language_models_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / "llms.txt").read_text("utf-8"))
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_program_has_the_name_of_the_distribution_too() -> None:
    scripts = dict(
        line.split(" = ")
        for line in read_setup_cfg()["options.entry_points"]["console_scripts"].split("\n")
        if " = " in line
    )
    assert scripts[read_setup_cfg()["metadata"]["name"]] == scripts["wikiapi"]


def test_composed_services_are_those_of_the_configuration() -> None:
    services = read_yaml(COMPOSE / "compose.yaml")["services"]
    config = load_config(COMPOSE / "wikiapi.toml")
    for url in (config.database.url, config.cache.url):
        host = re.sub(r".*//(?:[^@/]*@)?([^:/]+).*", r"\1", url)
        assert host in services
    extras = re.findall(
        r"wikiapi-server\[([^\]]+)\]", (COMPOSE.parent / "Containerfile").read_text("utf-8")
    )
    assert {"postgresql", "redis"} <= set(extras[0].split(","))


def test_published_wheel_has_the_version_of_the_tag() -> None:
    jobs = read_yaml(ROOT / ".github" / "workflows" / "publish.yml")["jobs"]
    assert jobs["package"]["needs"] == jobs["image"]["needs"] == "wheel"
    (check,) = [step["run"] for step in jobs["wheel"]["steps"] if "GITHUB_REF_NAME" in str(step)]
    name = f"wikiapi_server-{wikiapi.__version__}-py3-none-any.whl"
    assert check.replace("${GITHUB_REF_NAME#v}", wikiapi.__version__) == f'test -f "dist/{name}"'


def test_action_passes_its_inputs_to_the_script() -> None:
    action = read_yaml(ROOT / "action.yml")
    (step,) = action["runs"]["steps"]
    inputs = {name.removeprefix("WIKI_").lower() for name in step["env"]}
    assert inputs == set(action["inputs"])
    assert set(re.findall(r"WIKI_[A-Z]+", SCRIPT.read_text("utf-8"))) == set(step["env"])


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Return the variables that GitHub and action.yml set; stop the server afterwards."""
    inputs = read_yaml(ROOT / "action.yml")["inputs"]
    yield os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        **{f"WIKI_{name.upper()}": item["default"] for name, item in inputs.items()},
        "WIKI_LISTEN": f"127.0.0.1:{free_port()}",
        "WIKI_INSTALL": "none",
    }
    process = tmp_path / "wikiapi-wiki" / "wikiapi.pid"
    if process.exists():
        with suppress(ProcessLookupError):
            os.kill(int(process.read_text()), signal.SIGTERM)


@pytest.mark.slow
def test_action_serves_a_folder_that_can_be_edited(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "pages" / "main").mkdir(parents=True)
    (tmp_path / "pages" / "main" / "Tea.wikitext").write_text("hot")
    inputs = {
        "WIKI_SOURCE": "pages",
        "WIKI_WRITABLE": "true",
        "WIKI_PASSWORD": "green and hot",
    }
    subprocess.run(["bash", SCRIPT], cwd=tmp_path, env=environment | inputs, check=True)
    output = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert Path(output["log"]).is_file()
    opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(**params: str) -> Any:
        data = urlencode({**params, "format": "json", "formatversion": "2"}).encode()
        with opener.open(output["api"], data, timeout=30) as response:
            return json.load(response)

    tokens = ask(action="query", meta="tokens", type="login")["query"]["tokens"]
    login = {"username": "Admin", "password": "green and hot", "loginreturnurl": "http://x.example"}
    answer = ask(action="clientlogin", logintoken=tokens["logintoken"], **login)
    assert answer["clientlogin"]["status"] == "PASS"
    tokens = ask(action="query", meta="tokens")["query"]["tokens"]
    edit = {"title": "Tea", "appendtext": " and green", "token": tokens["csrftoken"]}
    edited = ask(action="edit", **edit)
    assert edited["edit"]["result"] == "Success"
    assert "debuginfo" not in edited


@pytest.mark.slow
def test_action_fails_with_the_log_of_a_server_that_does_not_start(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["WIKI_LISTEN"] = "192.0.2.1:1"
    done = subprocess.run(
        ["bash", SCRIPT], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "192.0.2.1" in done.stderr
