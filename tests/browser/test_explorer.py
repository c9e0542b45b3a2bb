"""The API explorer in a real browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.browser.chromium import Browser
from tests.browser.contrast import faint_texts
from tests.browser.explorerpage import ExplorerPage
from tests.browser.wikis import served

INFO = {"action": "query", "prop": "info", "titles": "Alpha"}


def test_a_request_is_put_together_and_answered(page: ExplorerPage) -> None:
    page.open({"action": "checktoken"})
    page.choose("action", "query")
    page.tick("prop", "info")
    page.fill("titles", "Alpha|Nowhere")
    page.tick("inprop", "url")
    answer = page.run()
    nowhere, alpha = answer["query"]["pages"]
    assert (alpha["title"], nowhere["title"]) == ("Alpha", "Nowhere")
    assert alpha["fullurl"].endswith("/wiki/Alpha")
    status = page.status()
    assert status[0] == "HTTP 200"
    assert status[1].endswith(" ms")
    assert int(status[2].removesuffix(" bytes without debuginfo")) == len(
        json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    )
    assert status[3].endswith(" ms on the server")
    assert status[4].endswith("SQL statements") or status[4] == "1 SQL statement"
    assert "debuginfo" not in answer
    assert page.browser.one(".sql summary").text.startswith("SQL (")
    assert page.browser.one(".sql code").get_attribute("textContent").startswith("SELECT")


def test_modules_unfold_with_their_prefix_and_fold_again(page: ExplorerPage) -> None:
    page.open({"action": "query"})
    assert page.sections() == ["action=query", "Options of every request", "format=json"]
    page.tick("list", "allpages")
    page.choose("generator", "allpages")
    page.browser.wait(lambda: len(page.sections()) == 5)
    assert page.sections()[1:3] == ["list=allpages", "generator=allpages"]
    page.fill("gapfrom", "Beta")
    page.fill("gaplimit", "1")
    assert [item["title"] for item in page.run()["query"]["pages"]] == ["Beta"]
    page.tick("list", "allpages")
    page.browser.wait(lambda: len(page.sections()) == 4)
    assert page.value("gapfrom") == "Beta"


def test_what_stands_for_all_values_stands_alone(page: ExplorerPage) -> None:
    page.open({"action": "query", "list": "search", "srsearch": "Alpha"})
    page.tick("srnamespace", "0")
    page.tick("srnamespace", "4")
    page.browser.wait(lambda: "srnamespace=0%7C4" in page.browser.driver.current_url)
    page.tick("srnamespace", "*")
    page.browser.wait(lambda: "srnamespace=*&" in page.browser.driver.current_url)
    assert "warnings" not in page.run()


def test_templated_parameters_follow_their_source(page: ExplorerPage) -> None:
    page.open({"action": "compare"})
    assert not page.has("fromtext-main")
    page.tick("fromslots", "main")
    page.browser.wait(lambda: page.has("fromtext-main"))
    assert page.browser.driver.switch_to.active_element.get_attribute("value") == "main"


def test_the_address_holds_the_request(page: ExplorerPage) -> None:
    page.open(INFO)
    page.fill("titles", "Beta & Co")
    address = page.browser.wait(
        lambda: "Beta" in page.browser.driver.current_url and page.browser.driver.current_url
    )
    page.browser.open(address)
    page.ready()
    assert page.value("titles") == "Beta & Co"
    assert page.run()["query"]["pages"][0]["title"] == "Beta & Co"


def test_secrets_stay_out_of_the_address(page: ExplorerPage) -> None:
    page.open({"action": "login"})
    page.fill("lgname", "Ada")
    page.fill("lgpassword", "sesame")
    page.browser.wait(lambda: "lgname=Ada" in page.browser.driver.current_url)
    assert "sesame" not in page.browser.driver.current_url


def test_the_next_batch_can_be_loaded(page: ExplorerPage) -> None:
    page.open({"action": "query", "list": "allpages", "aplimit": "1"})
    first = page.run()["query"]["allpages"]
    page.browser.one("#more button").click()
    page.browser.wait(lambda: page.answer()["query"]["allpages"] != first)


def test_titles_are_links_and_never_markup(page: ExplorerPage) -> None:
    evil = "<img src=x onerror=alert(1)>"
    page.open({"action": "query", "titles": "Alpha"} | {"requestid": evil})
    page.run()
    assert page.browser.all("#result img") == []
    links = [link.get_attribute("href") for link in page.browser.all("#result a")]
    assert links == [f"{page.server}/wiki/Alpha"]
    assert evil in page.browser.one("#result").text


def test_what_is_posted_gets_its_token(page: ExplorerPage) -> None:
    page.open({"action": "edit", "title": "Alpha", "text": "x"})
    assert page.browser.one("button.primary").text == "Run POST"
    assert page.run()["error"]["code"] not in ("badtoken", "missingparam", "mustposttoken")
    assert page.value("token").endswith("+\\")
    assert "+\\" not in page.browser.driver.current_url
    assert "failed" in page.browser.one("#status").get_attribute("class")


def test_other_formats_are_shown_as_they_are(page: ExplorerPage) -> None:
    page.open({"action": "query", "titles": "Alpha", "format": "xml"})
    page.press_run()
    assert page.browser.one("#result").text.startswith("<?xml")


def test_a_server_that_is_gone_is_reported(page: ExplorerPage) -> None:
    page.open(INFO)
    page.browser.script("window.fetch = () => Promise.reject(new Error('no network'))")
    page.browser.one("button.primary").click()
    page.browser.wait(lambda: "no network" in page.browser.one("#status").text)


def test_it_can_be_used_with_the_keyboard_alone(page: ExplorerPage) -> None:
    page.open(INFO)
    chain = ActionChains(page.browser.driver)
    chain.send_keys(Keys.TAB).perform()
    assert page.browser.driver.switch_to.active_element.text == "Skip to the request"
    page.browser.one("#p-titles").send_keys(Keys.ENTER)
    page.answered()
    page.open({"action": "parse", "text": "'''x'''", "prop": "text"})
    page.browser.one("#p-text").send_keys(Keys.CONTROL, Keys.ENTER)
    page.answered()
    assert "<b>x</b>" in page.answer()["parse"]["text"]


def test_every_control_has_a_name_and_help(page: ExplorerPage) -> None:
    everything = {"action": "query", "prop": "info|revisions", "list": "search", "meta": "tokens"}
    page.open(everything)
    unnamed = page.browser.script(
        "return [...document.querySelectorAll('input, select, textarea')]"
        ".filter(e => !e.labels.length).map(e => e.outerHTML)"
    )
    assert unnamed == []
    lost = page.browser.script(
        "return [...document.querySelectorAll('[aria-describedby]')]"
        ".filter(e => !document.getElementById(e.getAttribute('aria-describedby'))"
        ".textContent).map(e => e.outerHTML)"
    )
    assert lost == []
    assert len(page.browser.all("#form [id]")) == len(
        set(
            page.browser.script(
                "return [...document.querySelectorAll('#form [id]')].map(e => e.id)"
            )
        )
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_have_contrast_with_their_background(page: ExplorerPage, dark: bool) -> None:
    page.browser.look(dark=dark)
    page.open({"action": "edit", "list": "allpages"})
    page.run()
    assert faint_texts(page.browser) == []


def test_a_small_window_is_wide_enough(page: ExplorerPage) -> None:
    page.browser.look(width=320, height=640)
    page.open({"action": "query", "prop": "revisions", "list": "allpages", "titles": "Alpha"})
    page.run()
    assert page.browser.overflow() <= 0
    assert page.wider_than_the_window() == []


def test_every_action_has_a_form(page: ExplorerPage) -> None:
    page.open(INFO)
    actions = [module for module in page.described("*") if module["group"] == "action"]
    assert len(actions) > 50
    for module in actions:
        assert names_of(module) <= page.parameters_for({"action": module["name"]}), module["name"]


def test_every_module_of_query_has_a_form(page: ExplorerPage) -> None:
    page.open(INFO)
    modules = page.described("query+*")
    assert len(modules) > 60
    asked: dict[str, str] = {}
    for module in modules:
        asked[module["group"]] = "|".join(
            filter(None, (asked.get(module["group"]), module["name"]))
        )
    names = page.parameters_for({"action": "query", **asked})
    for module in modules:
        assert names_of(module) <= names, module["path"]


def names_of(module: dict[str, Any]) -> set[str]:
    return {module["prefix"] + param["name"] for param in module["parameters"]}


def test_it_works_where_the_wiki_is_mounted(browser: Browser) -> None:
    with served(lambda app: DispatcherMiddleware(elsewhere, {"/team": app})) as server:
        page = ExplorerPage(browser, f"{server}/team")
        page.open(INFO)
        assert page.run()["query"]["pages"][0]["title"] == "Alpha"
        assert page.snippet("Address").startswith(f"{server}/team/w/api.php?action=query&")
        assert browser.errors() == []


def elsewhere(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("404 Not Found", [("Content-Type", "text/plain"), ("Content-Length", "0")])
    return [b""]


def test_the_link_is_copied(page: ExplorerPage) -> None:
    page.open(INFO)
    page.browser.one("#link").click()
    page.browser.wait(lambda: page.browser.one("#copied").text)
    assert Select(page.browser.one("#language")).first_selected_option.text == "Address"


def test_parameters_can_be_searched(page: ExplorerPage) -> None:
    page.open(INFO)
    page.browser.one("#search").send_keys("VARIANTS")
    names = [
        row.get_attribute("data-name") for row in page.browser.all(".row") if row.is_displayed()
    ]
    assert "converttitles" in names
    assert "titles" not in names
    page.browser.one("#search").clear()
    page.browser.one("#search").send_keys("\n")
    page.answered()


def test_buttons_lead_to_the_sections(page: ExplorerPage) -> None:
    page.open(INFO)
    buttons = {button.text: button for button in page.browser.all("#outline button")}
    assert list(buttons) == page.sections()
    buttons["Options of every request"].click()
    focused = page.browser.driver.switch_to.active_element
    assert focused.get_attribute("data-param") == "format"
    assert focused.is_displayed()
