"""What a store lacks to look like the live wiki."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.importing.gaps import (
    Missing,
    UnknownName,
    lua_modules,
    missing_files,
    missing_templates,
    recorded_names,
    sample_names,
)
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.wikitext.unknown import PROPERTY

PAGES = {"A": "<quiz>x</quiz> {{#nobody:x}}", "B": "<quiz>y</quiz>", "C": "plain"}
NAMES = [UnknownName("<quiz>", 2, "Quiz"), UnknownName("{{#nobody:}}", 1, "")]


def test_names_are_noted_with_the_links(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES)
    mark_all(site.db)
    LinksUpdate(site).run()
    assert recorded_names(site.db) == NAMES
    site.db.execute_sql("UPDATE text SET old_text = 'plain'")
    mark_all(site.db)
    LinksUpdate(site).run()
    assert recorded_names(site.db) == []


def test_a_sample_is_bounded_by_time(make_site: Callable[..., Site]) -> None:
    site = make_site({f"Page {n}": "<quiz>x</quiz>" for n in range(45)})
    moments = iter([0.0, 0.5, 0.9, 1.0])
    sample = sample_names(site, 1.0, lambda: next(moments))
    assert sample.parsed == 40
    assert sample.pages == 45
    assert sample.names == [UnknownName("<quiz>", 40, "Quiz")]


def test_a_sample_writes_nothing(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES)
    site.db.execute_sql("DELETE FROM page_props")
    assert sample_names(site, 60.0).names == NAMES
    assert not site.db.execute_sql(f"SELECT * FROM page_props WHERE pp_propname = '{PROPERTY}'")


def test_files(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "[[File:X.png]] [[File:Y.png]]", "B": "[[File:X.png]] [[File:Z.png]]"})
    mark_all(site.db)
    LinksUpdate(site).run()
    assert missing_files(site.db) == Missing(3, 3)
    site.db.execute_sql(
        "INSERT INTO image (img_name, img_metadata, img_description_id, img_actor, img_timestamp)"
        " VALUES ('X.png', '', 1, 1, '20260101000000')"
    )
    assert missing_files(site.db) == Missing(2, 3)


@pytest.mark.parametrize("pages", [{"A": "x"}, {}])
def test_nothing_is_missing(make_site: Callable[..., Site], pages: dict[str, str]) -> None:
    site = make_site(pages)
    assert missing_files(site.db) == Missing(0, 0)
    assert recorded_names(site.db) == []
    assert lua_modules(site.db) == 0


def test_missing_templates_and_modules(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "{{Box}} {{B}}", "B": "{{Box}} {{:Nowhere}}", "Template:B": ""})
    assert missing_templates(site.db) == Missing(2, 3)
    assert missing_templates(make_site({"A": "text"}).db) == Missing(0, 0)
