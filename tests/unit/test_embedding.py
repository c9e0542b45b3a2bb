from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import wikiapi
from wikiapi.config import Config, parse_config
from wikiapi.embedding import OpenWiki, PageMissing, RequestFailed, SearchRefused, open_wiki
from wikiapi.errors import ConfigError, StoreUnavailable
from wikiapi.testing import make_site

PAGES = {
    "Main Page": "''Welcome'' to {{Name}}.",
    "Template:Name": "the wiki",
    "Home": "#REDIRECT [[Main Page]]",
    "Tea": "A hot drink.",
    "Help:Tea": "How to brew a hot drink.",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "wiki.sqlite"
    with closing(make_site(PAGES, path=path).db):
        return path


@pytest.fixture
def database(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the store for a test alone."""
    return Path(shutil.copy(whole, tmp_path / "wiki.sqlite"))


@pytest.fixture
def wiki(database: Path) -> Iterator[OpenWiki]:
    with open_wiki(database) as opened:
        yield opened


def test_open_is_the_function_of_the_package() -> None:
    assert wikiapi.open is open_wiki


def test_the_package_alone_loads_nothing_else() -> None:
    code = "import sys, wikiapi; print([n for n in sys.modules if n.startswith('wikiapi.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_other_name_is_made_up() -> None:
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        wikiapi.close  # type: ignore[attr-defined]  # noqa: B018


def test_text_is_rendered_with_the_templates_of_the_wiki(wiki: OpenWiki) -> None:
    assert wiki.render("{{Name}}: {{PAGENAME}}", title="A b") == "<p>the wiki: A b\n</p>"


def test_invalid_title_of_a_text_is_refused(wiki: OpenWiki) -> None:
    with pytest.raises(RequestFailed, match="invalidtitle"):
        wiki.render("text", title="[]")


def test_page_has_its_source_and_html(wiki: OpenWiki) -> None:
    page = wiki.page("main Page")
    assert page.title == "Main Page"
    assert page.text == PAGES["Main Page"]
    assert page.html == "<p><i>Welcome</i> to the wiki.\n</p>"
    assert page.content_model == "wikitext"
    assert page.timestamp.endswith("Z")
    assert page.page_id == wiki.query(titles="Main Page")["query"]["pages"][0]["pageid"]


def test_redirect_is_followed(wiki: OpenWiki) -> None:
    assert wiki.page("Home").title == "Main Page"


@pytest.mark.parametrize("title", ["Coffee", "a|b", "[]", "", "Special:Version"])
def test_missing_page_raises(wiki: OpenWiki, title: str) -> None:
    with pytest.raises(PageMissing):
        wiki.page(title)


def test_search_looks_at_pages_of_the_namespaces(wiki: OpenWiki) -> None:
    (hit,) = wiki.search("hot drink")
    assert (hit.title, hit.excerpt) == ("Tea", "A hot drink.")
    everywhere = {hit.title for hit in wiki.search("hot drink", namespaces=None)}
    assert everywhere == {"Tea", "Help:Tea"}
    assert len(wiki.search("hot drink", namespaces=[0, 12], limit=1)) == 1
    assert wiki.search("coffee") == []


def test_search_for_nothing_is_refused(wiki: OpenWiki) -> None:
    with pytest.raises(SearchRefused, match="no words"):
        wiki.search("")


def test_query_joins_lists_and_raises_errors(wiki: OpenWiki) -> None:
    answer = wiki.query(titles=["Tea", "Coffee"], prop="info")
    assert {page["title"] for page in answer["query"]["pages"]} == {"Tea", "Coffee"}
    assert "debuginfo" not in answer
    with pytest.raises(RequestFailed, match="multisource"):
        wiki.query(titles="Tea", pageids=1)


def test_walk_follows_continuation(wiki: OpenWiki) -> None:
    answers = list(wiki.walk(list="allpages", aplimit=2))
    titles = [page["title"] for answer in answers for page in answer["query"]["allpages"]]
    assert titles == ["Home", "Main Page", "Tea"]
    assert len(answers) == 2


def test_any_action_can_be_asked(wiki: OpenWiki) -> None:
    assert wiki.ask(action="expandtemplates", text="{{Name}}", prop="wikitext") == {
        "expandtemplates": {"wikitext": "the wiki"}
    }


def test_wiki_is_read_only(wiki: OpenWiki) -> None:
    assert wiki.site.db.read_only


def test_threads_share_a_wiki(wiki: OpenWiki) -> None:
    with ThreadPoolExecutor(4) as pool:
        texts = set(pool.map(lambda _: wiki.page("Tea").html, range(40)))
    assert texts == {"<p>A hot drink.\n</p>"}


def test_settings_beside_a_database(database: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[site]\nname = "Kitchen"\n', encoding="utf-8")
    for config in (settings, str(settings)):
        with open_wiki(database, config=config) as wiki:
            assert wiki.render("{{SITENAME}}") == "<p>Kitchen\n</p>"


def test_configuration_file_names_its_database(database: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[database]\nurl = "sqlite:///{database}"\n', encoding="utf-8")
    with open_wiki(settings) as wiki, open_wiki(f"sqlite:///{database}") as same:
        assert wiki.page("Tea").text == same.page("Tea").text


def test_private_wiki_is_open_to_whoever_can_read_its_database(database: Path) -> None:
    closed = parse_config({"permissions": {"anonymous_rights": []}})
    with open_wiki(database, config=closed) as wiki:
        assert wiki.page("Tea").text == PAGES["Tea"]


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"missing\.sqlite"):
        open_wiki(tmp_path / "missing.sqlite")
    assert not (tmp_path / "missing.sqlite").exists()
    with pytest.raises(ConfigError, match=r"missing\.toml"):
        open_wiki(tmp_path / "missing.toml")


def written(folder: Path, text: str) -> Path:
    path = folder / "wikiapi.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("url", ["sqlite:///wiki.sqlite", "sqlite:////FOLDER/wiki.sqlite"])
def test_store_is_opened_with_the_configuration_beside_it(
    url: str, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = url.replace("/FOLDER", str(tmp_path))
    written(tmp_path, f'[site]\nname = "Kettle"\n[database]\nurl = "{url}"\n')
    monkeypatch.chdir("/")
    for source in (database, f"sqlite:///{database}", tmp_path, str(tmp_path / "wikiapi.toml")):
        with open_wiki(source) as opened:
            assert opened.site.config.site.name == "Kettle"
            assert opened.page("Tea").text == "A hot drink."
    monkeypatch.chdir(tmp_path)
    for source in ("wiki.sqlite", ".", Path()):
        with open_wiki(source) as opened:
            assert opened.site.config.site.name == "Kettle"
    with open_wiki(database, config=Config()) as opened:
        assert opened.site.config.site.name == "Wiki"


def test_configuration_beside_a_store_without_database_is_its_own(
    database: Path, tmp_path: Path
) -> None:
    written(tmp_path, '[site]\nname = "Kettle"\n')
    with open_wiki(database) as opened:
        assert opened.site.config.site.name == "Kettle"


def test_configuration_of_another_store_is_not_used(database: Path, tmp_path: Path) -> None:
    written(tmp_path, '[site]\nname = "Kettle"\n[database]\nurl = "sqlite:///other.sqlite"\n')
    with open_wiki(database) as opened:
        assert opened.site.config.site.name == "Wiki"


def test_folder_without_a_configuration_is_named(database: Path, tmp_path: Path) -> None:
    assert database.is_file()
    with pytest.raises(ConfigError, match=f"the folder {tmp_path} has no wikiapi.toml"):
        open_wiki(tmp_path)


def test_nothing_is_created_for_a_missing_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreUnavailable, match=f"no database file at {tmp_path}/none.sqlite"):
        open_wiki("none.sqlite")
    assert list(tmp_path.iterdir()) == []
