"""Wikis inside other applications and under other servers answer, at the addresses they tell."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from wsgiref.types import WSGIApplication

import pytest

from examples.wsgi import MOUNT, shop, with_wiki
from wikiapi.config import Config, parse_config
from wikiapi.http import mount as mounted
from wikiapi.testing import ApiClient, make_site

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EMBEDDING = ROOT / "examples" / "embedding"
SERVER = "https://shop.example"


@pytest.fixture
def wiki_config(tmp_path: Path) -> Callable[..., Config]:
    """Return a function that creates a store with one page and the settings of a wiki for it."""

    def make(name: str) -> Config:
        path = tmp_path / f"{name}.sqlite"
        with closing(make_site({"Main Page": f"This is {name}."}, path=path).db):
            pass
        site = {"name": name, "wiki_id": name, "server": SERVER}
        return parse_config({"site": site, "database": {"url": f"sqlite:///{path}"}})

    return make


def check_wiki(client: ApiClient, mount: str, name: str) -> None:
    """Check that the wiki at a mount point answers, and that all its addresses are below it."""
    client.path = f"{mount}/w/api.php"
    answer = client.get(
        action="query", titles="Main Page", prop="info|revisions", inprop="url",
        rvprop="content", rvslots="main", meta="siteinfo",
    )["query"]  # fmt: skip
    (page,) = answer["pages"]
    assert page["revisions"][0]["slots"]["main"]["content"] == f"This is {name}."
    assert page["fullurl"] == f"{SERVER}{mount}/wiki/Main_Page"
    assert page["editurl"].startswith(f"{SERVER}{mount}/w/index.php?title=Main_Page")
    general = answer["general"]
    assert general["sitename"] == name
    assert general["server"] == SERVER
    assert general["scriptpath"] == f"{mount}/w"
    assert general["script"] == f"{mount}/w/index.php"
    assert general["articlepath"] == f"{mount}/wiki/$1"
    assert general["base"] == f"{SERVER}{mount}/wiki/Main_Page"


def check_links(client: ApiClient, mount: str) -> None:
    """What a rendered page links to is below the mount point, and so is where the API moves to."""
    client.path = f"{mount}/w/api.php"
    parsed = client.get(action="parse", text="[[Main Page]] [[Nothing]]", prop="text")
    links = re.findall(r'href="([^"#]+)"', parsed["parse"]["text"])
    assert len(links) == 2
    assert all(link.startswith(f"{mount}/w") for link in links)
    assert client.raw("GET", path=f"{mount}/w/api.php/x").headers["location"] == client.path
    rsd = client.reply("GET", action="rsd", format="xml")
    assert f"{mount}/w/api.php" in rsd.text


def test_beside_a_plain_application(wiki_config: Callable[..., Config]) -> None:
    client = ApiClient(with_wiki(wiki_config("Docs")))
    assert client.raw("GET", path="/tea").text == "The shop, at /tea\n"
    check_wiki(client, MOUNT, "Docs")
    check_links(client, MOUNT)


def test_the_mount_point_may_be_left_out_of_the_path(wiki_config: Callable[..., Config]) -> None:
    client = ApiClient(with_wiki(wiki_config("Docs")), path=f"{MOUNT}/api.php")
    assert client.get(action="query", titles="Main Page")["query"]["pages"][0]["pageid"] == 1
    assert client.raw("GET", path="/w/api.php").text == "The shop, at /w/api.php\n"


def test_several_wikis_in_a_process(wiki_config: Callable[..., Config]) -> None:
    wikis = {f"/{name}": wiki_config(name) for name in ("en", "de")}
    client = ApiClient(mounted(shop, wikis))
    for mount in ("/en", "/de", "/en"):
        check_wiki(client, mount, mount[1:])
        check_links(client, mount)


def test_sessions_of_several_wikis_do_not_clash(wiki_config: Callable[..., Config]) -> None:
    wikis = {f"/{name}": wiki_config(name) for name in ("en", "de")}
    client = ApiClient(mounted(shop, wikis))
    tokens = {}
    for mount in wikis:
        client.path = f"{mount}/w/api.php"
        answer = client.get(action="query", meta="tokens", type="login")
        tokens[mount] = answer["query"]["tokens"]["logintoken"]
    assert tokens["/en"] != tokens["/de"]
    for mount, other in (("/en", "/de"), ("/de", "/en")):
        client.path = f"{mount}/w/api.php"
        check = {"action": "checktoken", "type": "login"}
        assert client.get(check, token=tokens[mount])["checktoken"]["result"] == "valid"
        assert client.get(check, token=tokens[other])["checktoken"]["result"] == "invalid"


def test_in_flask(wiki_config: Callable[..., Config]) -> None:
    pytest.importorskip("flask", reason="flask is not installed; it is in the extra 'test'")
    from examples.embedding.flask_app import create_app

    app = create_app(wiki_config("Docs"))
    assert app.test_client().get("/").text == "The shop, made with Flask\n"
    check_wiki(ApiClient(app), "/handbook", "Docs")
    check_links(ApiClient(app), "/handbook")


def test_in_django(wiki_config: Callable[..., Config]) -> None:
    pytest.importorskip("django", reason="Django is not installed; it is in the extra 'test'")
    from examples.embedding.django_app import make_application

    app: WSGIApplication = make_application(wiki_config("Docs"))
    client = ApiClient(app)
    home = client.raw("GET", path="/", headers={"Host": "127.0.0.1"})
    assert home.text == "The shop, made with Django\n"
    check_wiki(client, "/handbook", "Docs")
    check_links(client, "/handbook")


@pytest.fixture
def wikis(tmp_path: Path, wiki_config: Callable[..., Config]) -> dict[str, str]:
    """Return the environment of a server of two wikis."""
    files = []
    for name in ("en", "de"):
        config = wiki_config(name)
        file = tmp_path / f"{name}.toml"
        file.write_text(
            f'[site]\nname = "{name}"\nwiki_id = "{name}"\nserver = "{SERVER}"\n'
            f'[database]\nurl = "{config.database.url}"\n',
            encoding="utf-8",
        )
        files.append(str(file))
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return os.environ | {"WIKIS": os.pathsep.join(files), "PYTHONPATH": path}


@contextmanager
def serving(
    command: list[str], environment: dict[str, str], address: str, folder: Path
) -> Iterator[str]:
    """Run a server until the block is left; gives the address that it says it listens at."""
    with ExitStack() as stack:
        server = stack.enter_context(
            subprocess.Popen(
                command, env=environment, cwd=folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
        )  # fmt: skip
        stack.callback(server.terminate)
        said = []
        assert server.stdout is not None
        for line in server.stdout:
            said.append(line)
            if match := re.search(address, line):
                # What it says later is not read: it is less than a pipe holds.
                yield f"http://{match[1]}"
                return
        pytest.fail("".join(said))


def check_served(base: str) -> None:
    for name in ("en", "de"):
        query = "action=query&titles=Main_Page&prop=info&inprop=url&format=json&formatversion=2"
        with urlopen(f"{base}/{name}/w/api.php?{query}") as reply:
            answer: Any = json.load(reply)
        (page,) = answer["query"]["pages"]
        assert page["fullurl"] == f"{SERVER}/{name}/wiki/Main_Page"
        assert page["pageid"] == 1


def test_under_gunicorn(wikis: dict[str, str], tmp_path: Path) -> None:
    if find_spec("gunicorn") is None:
        pytest.skip("gunicorn is not installed; it is in the extra 'test'")
    command = [
        *(sys.executable, "-m", "gunicorn", "--config", str(EMBEDDING / "gunicorn_conf.py")),
        *("--bind", "127.0.0.1:0", "--no-control-socket"),
    ]
    with serving(command, wikis, r"Listening at: http://(\S+)", tmp_path) as base:
        check_served(base)


def test_under_uwsgi(wikis: dict[str, str], tmp_path: Path) -> None:
    program = shutil.which("uwsgi", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        pytest.skip("uWSGI is not installed: it has to be compiled (pip install uwsgi)")
    command = [program, "--ini", str(EMBEDDING / "uwsgi.ini"), "--http-socket", "127.0.0.1:0"]
    home = ["--home", sys.prefix] if sys.prefix != sys.base_prefix else []
    address = r"socket \d bound to TCP address (127\S+) \(port auto-assigned\)"
    with serving([*command, *home], wikis, address, tmp_path) as base:
        check_served(base)


def test_configurations_of_the_servers_agree() -> None:
    """Checked without a server: uWSGI may not be there."""
    uwsgi = configparser.ConfigParser()
    uwsgi.read(EMBEDDING / "uwsgi.ini", encoding="utf-8")
    gunicorn: dict[str, Any] = {}
    exec((EMBEDDING / "gunicorn_conf.py").read_text(encoding="utf-8"), gunicorn)
    ini = uwsgi["uwsgi"]
    assert ini["module"] == gunicorn["wsgi_app"] == "examples.embedding.several:application"
    assert ini["http-socket"] == gunicorn["bind"]
    assert ini.getint("processes") == gunicorn["workers"]
    assert ini.getint("threads") == gunicorn["threads"]
    # Neither carries an open store into another process.
    assert ini.getboolean("lazy-apps")
    assert gunicorn["preload_app"] is False
