"""``load.php``: what is loaded under which names, and how it is cached."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from tests.plugins.web.readers import Browser
from wikiapi.http.wsgiclient import Received
from wikiapi.site import Site
from wikiapi_plugins.shared.interface.skins import SKINS

PAGES = {
    "MediaWiki:Common.css": ".site { color: green }",
    "MediaWiki:Vector.css": ".vector { color: blue }",
    "MediaWiki:Print.css": ".paper { color: black }",
    "MediaWiki:Common.js": "window.common = '</script>';",
    "MediaWiki:Gadgets-definition": (
        "== looks ==\n"
        "* tint[ResourceLoader|default|type=styles]|tint.css\n"
        "* shout[ResourceLoader|dependencies=mediawiki.util]|shout.js|shout.css\n"
        "* parcel[ResourceLoader|package]|parcel.js|data.json\n"
        "* broken[ResourceLoader|dependencies=never.heard.of]|shout.js\n"
    ),
    "MediaWiki:Gadget-tint.css": ".tint { color: red }",
    "MediaWiki:Gadget-shout.js": "mw.shout = true;",
    "MediaWiki:Gadget-shout.css": ".shout { font-weight: bold }",
    "MediaWiki:Gadget-parcel.js": "module.exports = require( './data.json' );",
    "MediaWiki:Gadget-data.json": '{"a": 1}',
    "Common.css": "not a style sheet",
}


pytestmark = pytest.mark.wiki(PAGES, config={"extensions": {"gadgets": {}}})


@pytest.fixture(scope="module")
def browser(site: Site) -> Browser:
    return Browser(site)


def load(browser: Browser, modules: str, method: str = "GET", **params: str) -> Received:
    headers = {"If_None_Match": params.pop("etag")} if "etag" in params else {}
    query = urlencode({"modules": modules, **params})
    return browser.get("/w/load.php", query, method, **headers)


def styles(browser: Browser, modules: str, **params: str) -> str:
    reply = load(browser, modules, only="styles", **params)
    assert reply.status == 200
    assert reply.headers["content-type"] == "text/css; charset=utf-8"
    return reply.text


def test_style_sheets_of_plugins(browser: Browser) -> None:
    both = styles(browser, "ext.cite.styles|mediawiki.page.gallery.styles")
    assert ".references {" in both
    assert ".gallerybox {" in both
    assert ".hll {" in styles(browser, "ext.pygments")


def test_names_of_one_group_share_their_beginning(browser: Browser) -> None:
    combined = styles(browser, "ext.cite.styles,pygments|mediawiki.page.gallery.styles")
    assert 'Problematic modules: {"ext.cite.pygments": "missing"}' in combined
    assert ".gallerybox {" in styles(browser, "mediawiki.page.gallery.styles,nothing")


@pytest.mark.parametrize("skin", ["vector", "vector-2022", "monobook", "minerva", "timeless"])
def test_every_skin_has_the_style_sheet_of_the_content(skin: str, browser: Browser) -> None:
    sheet = styles(browser, SKINS[skin].styles[0], skin=skin)
    assert ".wikitable {" in sheet
    assert "--line: " in sheet
    assert "Problematic" not in styles(browser, "|".join(SKINS[skin].styles))


def test_style_sheets_of_the_wiki_depend_on_the_skin(browser: Browser) -> None:
    sheet = styles(browser, "site.styles", skin="vector")
    assert sheet.startswith(".site { color: green }\n.vector { color: blue }\n@media print {")
    assert ".vector" not in styles(browser, "site.styles", skin="minerva")


def test_unknown_modules_are_told(browser: Browser) -> None:
    assert styles(browser, "a*/b") == '/*\nProblematic modules: {"a*\\/b": "missing"}\n*/\n'
    assert load(browser, "gone").text == 'mw.loader.state({"gone": "missing"});\n'
    assert load(browser, "").text == "/* No modules were requested. */\n"


def test_too_many_modules_are_refused(browser: Browser) -> None:
    reply = load(browser, "a," * 600 + "b")
    assert (reply.status, reply.text) == (
        200,
        'mw.loader.state({"a": "missing", "b": "missing"});\n',
    )
    many = "|".join(f"m{number}" for number in range(501))
    assert load(browser, many).status == 400


def test_scripts_are_functions_for_the_loader(browser: Browser) -> None:
    reply = load(browser, "ext.gadget.shout")
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["access-control-allow-origin"] == "*"
    called = re.fullmatch(
        r"mw\.loader\.impl\(function\(\)\{return\[\"ext\.gadget\.shout@\w{8}\","
        r"function\(\$,jQuery,require,module\)\{mw\.shout = true;\n\},(\{.*\})\];\}\);\n",
        reply.text,
        re.DOTALL,
    )
    assert called
    assert json.loads(called[1]) == {"css": [".shout { font-weight: bold }"]}


def test_packages_have_files(browser: Browser) -> None:
    text = load(browser, "ext.gadget.parcel").text
    assert '{"main":"parcel.js","files":{"parcel.js":function(require,module,exports){' in text
    assert '"data.json":{"a": 1}' in text


def test_bare_scripts(browser: Browser) -> None:
    text = load(browser, "site", only="scripts").text
    assert text.startswith("window.common = '</script>';")
    assert text.endswith('mw.loader.state({"site": "ready"});\n')
    assert "mw.loader.state" not in load(browser, "site", only="scripts", raw="1").text


def registrations(text: str) -> dict[str, list[object]]:
    """What the startup module registers, found as makers of offline copies find it."""
    match = re.search(r";mw\.loader\.register\((\[\[.*?\]\])\);+\s?mw\.", text, re.DOTALL)
    assert match
    return {entry[0]: entry for entry in json.loads(match[1])}


def test_startup_registers_all_modules(browser: Browser) -> None:
    text = load(browser, "startup", only="scripts", raw="1", skin="vector").text
    modules = registrations(text)
    names = list(modules)
    dependencies = modules["ext.gadget.shout"][2]
    assert names[dependencies[0]] == "mediawiki.util"
    assert names[modules["ext.gadget.broken"][2][0]] == "never.heard.of"
    assert {"site", "site.styles", "ext.cite.styles", "ext.gadget.tint"} <= modules.keys()
    assert '"wgLoadScript": "/w/load.php"' in text
    assert '"skin": "vector"' in text
    assert "addScript(sourceLoadScript+'?'+makeQueryString(query));" in text


def test_a_known_version_is_cached_for_long(browser: Browser) -> None:
    modules = registrations(load(browser, "startup", only="scripts", skin="vector").text)
    version = str(modules["site.styles"][1])
    current = load(browser, "site.styles", only="styles", version=version, skin="vector")
    assert "max-age=2592000" in current.headers["cache-control"]
    for params in ({}, {"version": "other"}, {"version": version, "skin": "minerva"}):
        reply = load(browser, "site.styles", only="styles", **{"skin": "vector", **params})
        assert "max-age=300," in reply.headers["cache-control"]
    debug = load(browser, "site.styles", only="styles", debug="1", version=version)
    assert "no-cache" in debug.headers["cache-control"]


def test_what_is_unchanged_is_not_sent_again(browser: Browser) -> None:
    reply = load(browser, "ext.cite.styles", only="styles")
    tag = reply.headers["etag"]
    assert tag
    assert load(browser, "ext.cite.styles", only="styles", etag=tag).status == 304
    head = load(browser, "ext.cite.styles", "HEAD", only="styles")
    assert (head.status, head.text) == (200, "")
    assert load(browser, "x", "POST").status == 405


def test_values_that_are_not_known_are_replaced(browser: Browser) -> None:
    text = load(browser, "startup", only="scripts", lang='x"', skin="<script>").text
    assert '"wgUserLanguage": "en"' in text
    assert '"skin": "vector-2022"' in text


def test_a_private_wiki_gives_nothing_of_its_pages(make_site: Callable[..., Site]) -> None:
    site = make_site(
        PAGES, config={"extensions": {"gadgets": {}}, "permissions": {"anonymous_rights": []}}
    )
    browser = Browser(site)
    for name in ("site.styles", "site", "ext.gadget.tint"):
        assert "missing" in load(browser, name).text
    assert ".references" in styles(browser, "ext.cite.styles")


def test_without_the_table_there_are_no_gadgets(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES)
    assert "missing" in load(Browser(site), "ext.gadget.tint").text


def load_addresses(browser: Browser, page: str) -> list[str]:
    """The addresses of load.php on a page."""
    tree = browser.page(page)
    addresses = [node.attributes.get("href") for node in tree.css("link[rel=stylesheet]")]
    addresses += [node.attributes.get("src") for node in tree.css("script[src]")]
    return [address for address in addresses if address and "/load.php" in address]


def test_pages_link_the_style_sheets_of_the_wiki(browser: Browser) -> None:
    (address,) = load_addresses(browser, "/wiki/Common.css")
    reply = browser.get(*address.partition("?")[::2])
    assert reply.text.startswith(".tint { color: red }\n.site { color: green }")
    assert "max-age=2592000" in reply.headers["cache-control"]


def test_pages_link_nothing_where_there_is_nothing(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "a"})
    assert load_addresses(Browser(site), "/wiki/A") == []


def test_backgrounds_of_the_wiki_keep_their_colours_in_dark_mode(
    make_site: Callable[..., Site],
) -> None:
    site = make_site({"MediaWiki:Common.css": ".box { background: #eee }", "A": "a"})
    sheet = styles(Browser(site), "site.styles", skin="wikiapi")
    assert sheet.startswith(".box { background: #eee }")
    assert "@media (prefers-color-scheme:dark)" in sheet
    assert styles(Browser(site), "site.styles", skin="vector") == ".box { background: #eee }\n"


def test_scripts_of_the_wiki_run_where_that_is_set(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"gadgets": {}, "reader": {"site_scripts": True}}}
    site = make_site(PAGES, config=config)
    browser = Browser(site)
    startup = load_addresses(browser, "/wiki/Common.css")[1]
    tree = browser.page("/wiki/Common.css")
    node = tree.css_first("script#page-config")
    assert node is not None
    page = json.loads(node.text())
    assert page["modules"] == ["site"]
    assert page["config"]["wgPageName"] == "Common.css"
    modules = registrations(browser.get(*startup.partition("?")[::2]).text)
    assert modules["site"][3] == 1


def test_scripts_of_the_wiki_come_after_jquery(browser: Browser) -> None:
    modules = registrations(load(browser, "startup", only="scripts").text)
    if "jquery" not in modules:
        pytest.skip("XStatic-jQuery is not installed")
    number = list(modules).index("jquery")
    assert all(number in modules[name][2] for name in ("site", "ext.gadget.shout"))
    assert "window.$ = window.jQuery = module.exports;" in load(browser, "jquery").text
