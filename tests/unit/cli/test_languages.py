"""Small dumps in French, Arabic and Japanese are imported, read, searched and exported.

The pages use the words of their language for namespaces, images, magic words and redirects. The
heads of the dumps name the namespaces, as MediaWiki's do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result

from tests.plugins.web.readers import Browser, attribute, texts
from tests.unit.importing.xmldump import page, revision
from wikiapi.cli import main
from wikiapi.config import load_config
from wikiapi.factory import existing_site
from wikiapi.languages.language import language
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.title.namespaces import ENGLISH_NAMES, local_name

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
CODES = sorted(path.stem for path in FIXTURES.glob("*.json"))


@dataclass
class Demo:
    """A wiki in another language; ``about`` is what is expected of it."""

    about: dict[str, Any]
    site: Site

    def query(self, **params: str) -> dict[str, Any]:
        """Return what the API answers."""
        answer = ask(self.site, {"action": "query", "formatversion": "2", **params})
        return answer.data["query"]

    def parsed(self, title: str) -> str:
        """Return the HTML of a page."""
        params = {"action": "parse", "page": title, "prop": "text", "formatversion": "2"}
        return str(ask(self.site, params).data["parse"]["text"])


def head(about: dict[str, Any]) -> str:
    """Return the head of a dump, as MediaWiki writes it."""
    names = language(about["language"])
    entries = "".join(
        f'<namespace key="{number}" case="first-letter">'
        f"{local_name(number, about['project'], names)}</namespace>"
        for number in ENGLISH_NAMES
        if number < 16
    )
    base = f"https://{about['language']}.example/wiki/{quote(about['main'].replace(' ', '_'))}"
    return (
        f'<mediawiki version="0.11" xml:lang="{about["language"]}"><siteinfo>'
        f"<sitename>{about['name']}</sitename><dbname>{about['language']}tea</dbname>"
        f"<base>{base}</base><generator>MediaWiki 1.45.0</generator><case>first-letter</case>"
        f"<namespaces>{entries}</namespaces></siteinfo>\n"
    )


def dump_of(about: dict[str, Any]) -> bytes:
    names = language(about["language"])
    numbers = {local_name(number, "", names): number for number in ENGLISH_NAMES}
    pages = [
        page(title, number, revision(number, text), ns=numbers.get(title.partition(":")[0], 0))
        for number, (title, text) in enumerate(about["pages"].items(), 1)
    ]
    return f"{head(about)}{''.join(pages)}</mediawiki>\n".encode()


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(params=CODES, scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the imported demo, and its description in about.json."""
    made = tmp_path_factory.mktemp(request.param)
    text = (FIXTURES / f"{request.param}.json").read_text("utf-8")
    (made / "about.json").write_text(text, "utf-8")
    (made / "demo.xml").write_bytes(dump_of(json.loads(text)))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        output = run("import", "demo.xml").output
    assert "Warning" not in output
    assert f"`wikiapi fetch-messages https://{request.param}.example/wiki/" in output
    return made


@pytest.fixture
def demo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Demo]:
    monkeypatch.chdir(folder)
    about = json.loads((folder / "about.json").read_text("utf-8"))
    with existing_site(load_config("wikiapi.toml")) as site:
        yield Demo(about, site)


def test_the_configuration_names_no_namespace_that_the_language_names(folder: Path) -> None:
    config = load_config(folder / "wikiapi.toml")
    assert config.site.language == folder.name.rstrip("0123456789")
    assert config.namespaces == ()


def test_the_names_are_those_of_the_language(demo: Demo) -> None:
    assert demo.site.main_page.prefixed_text == demo.about["main"]
    (title, *_) = demo.query(titles="Template:" + demo.about["template"].partition(":")[2])["pages"]
    assert title["title"] == demo.about["template"]
    general = demo.query(meta="siteinfo")["general"]
    assert general["lang"] == demo.about["language"]
    assert general.get("rtl", False) is (demo.about["dir"] == "rtl")


def test_links_are_derived_in_the_words_of_the_language(demo: Demo) -> None:
    (page,) = demo.query(
        titles=demo.about["main"], prop="categories|templates|images", clprop="hidden"
    )["pages"]
    # Besides them, there is a tracking category, since the file is missing.
    hidden = {each["title"]: each["hidden"] for each in page["categories"]}
    for title in demo.about["categories"]:
        assert hidden[title] is (title in demo.about["hidden"])
    assert [each["title"] for each in page["templates"]] == [demo.about["template"]]
    assert [each["title"] for each in page["images"]] == [demo.about["file"]]
    source, target = demo.about["redirect"]
    redirects = demo.query(titles=source, redirects="1")["redirects"]
    assert [(each["from"], each["to"]) for each in redirects] == [(source, target)]


def test_a_page_is_rendered(demo: Demo) -> None:
    html = demo.parsed(demo.about["main"])
    text = re.sub(r"<[^>]*>", "", html)
    for words in demo.about["expanded"]:
        assert words in text
    assert f'lang="{demo.about["language"]}" dir="{demo.about["dir"]}"' in html
    assert 'typeof="mw:Error mw:File/Thumb"' in html
    assert 'id="toc"' not in html
    assert "{{" not in html
    assert "__" not in text


def test_the_reader_shows_it(demo: Demo) -> None:
    browser = Browser(demo.site)
    tree = browser.page(browser.get("/").headers["location"])
    assert attribute(tree, "html", "dir") == demo.about["dir"]
    assert texts(tree, "h1") == [demo.about["main"]]
    (article,) = texts(tree, ".mw-parser-output")
    assert all(words in article for words in demo.about["expanded"])
    assert demo.about["search"][0] in article


def test_a_search_finds_it(demo: Demo) -> None:
    word, title = demo.about["search"]
    results = demo.query(list="search", srsearch=word, srwhat="text")["search"]
    assert [each["title"] for each in results] == [title]
    prefix = demo.about["help"][:-1]
    names = demo.query(list="prefixsearch", pssearch=prefix)["prefixsearch"]
    assert [each["title"] for each in names] == [demo.about["help"]]


def test_it_is_exported_as_a_site(demo: Demo) -> None:
    run("export", "--html", "site")
    html = (Path("site") / "wiki" / f"{demo.about['main'].replace(' ', '_')}.html").read_text()
    assert f'<html lang="{demo.about["language"]}" dir="{demo.about["dir"]}">' in html
    assert all(words in re.sub(r"<[^>]*>", "", html) for words in demo.about["expanded"])
    run("export", "--jsonl", "wiki.jsonl", "--kind", "pages")
    assert demo.about["main"] in Path("wiki.jsonl").read_text("utf-8")


def test_its_xml_makes_the_same_wiki(demo: Demo, tmp_path: Path) -> None:
    titles = "|".join(demo.about["pages"])
    xml = demo.query(titles=titles, export="1")["export"]
    assert f'xml:lang="{demo.about["language"]}"' in xml
    assert f">{demo.about['template'].partition(':')[0]}</namespace>" in xml
    (tmp_path / "again.xml").write_text(xml, "utf-8")
    again = f"sqlite:///{tmp_path}/again.sqlite"
    (tmp_path / "empty.toml").write_text(f'[database]\nurl = "{again}"\n')
    settings = ("--config", str(tmp_path / "empty.toml"))
    run("import", *settings, str(tmp_path / "again.xml"))
    with existing_site(load_config(tmp_path / "empty.toml")) as site:
        copied = Demo(demo.about, site)
        assert site.language == demo.about["language"]
        assert site.config.site.name == demo.about["name"]
        test_links_are_derived_in_the_words_of_the_language(copied)


def test_a_store_that_is_copied_keeps_its_language(demo: Demo, tmp_path: Path) -> None:
    source, target = (f"sqlite:///{path}" for path in ("wikiapi.sqlite", tmp_path / "b.sqlite"))
    run("db", "copy", source, target)
    (tmp_path / "b.toml").write_text(f'[database]\nurl = "{target}"\n')
    with existing_site(load_config(tmp_path / "b.toml")) as site, closing(site.db):
        assert site.language == demo.about["language"]
        assert site.titles.parse(demo.about["template"]).ns == 10
