from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from peewee import fn

from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.testing import ask
from wikiapi_plugins.extensions.geodata.geosearch import Area, around, read_area
from wikiapi_plugins.extensions.geodata.parserfunction import BadCoordinates, read_place
from wikiapi_plugins.extensions.geodata.places import NotOnGlobe, Place, distance, read_pair
from wikiapi_plugins.extensions.geodata.tags import GeoTags, tile

PAGES = {
    "London": "{{#coordinates:51.5074|-0.1278|primary|type:city_region:GB-LND|name=London}}",
    "Eye": "{{#coordinates:51|30|12|N|0|7|10|W|primary|dim:200}}"
    "{{#coordinates:51.5|-0.12|type:landmark|name=Pier}}",
    "Crater": "{{#coordinates:51.5|-0.12|primary|globe:Moon}}",
    "Fiji": "{{#coordinates:-17|179.999|primary}}",
    "Taveuni": "{{#coordinates:-17|-179.999|primary}}",
    "Talk:London": "{{#coordinates:51.5074|-0.1278|primary}}",
    "Nowhere": "no place",
}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


def places(site: Site, titles: str, **params: str) -> dict[str, Any]:
    query = {"action": "query", "prop": "coordinates", "titles": titles, **params}
    answer = ask(site, query)
    assert not answer.codes
    return {page["title"]: page.get("coordinates") for page in answer.data["query"]["pages"]}


def near(site: Site, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": "geosearch", **params})
    assert not answer.codes
    return answer.data["query"]["geosearch"]


def names(items: list[dict[str, Any]]) -> list[str]:
    return [item["title"] for item in items]


def test_primary_coordinates_of_pages(site: Site) -> None:
    assert places(site, "London|Nowhere|Crater") == {
        "London": [{"lat": 51.5074, "lon": -0.1278, "primary": True, "globe": "earth"}],
        "Crater": [{"lat": 51.5, "lon": -0.12, "primary": True, "globe": "moon"}],
        "Nowhere": None,
    }


def test_all_that_is_known_of_a_place(site: Site) -> None:
    everything = "type|name|dim|country|region|globe"
    assert places(site, "London", coprop=everything)["London"] == [
        {
            "lat": 51.5074,
            "lon": -0.1278,
            "primary": True,
            "type": "city",
            "name": "London",
            "dim": 10000,
            "country": "GB",
            "region": "LND",
            "globe": "earth",
        }
    ]


def test_secondary_coordinates(site: Site) -> None:
    pier = {"lat": 51.5, "lon": -0.12, "primary": False, "globe": "earth"}
    assert places(site, "Eye", coprimary="secondary")["Eye"] == [pier]
    assert len(places(site, "Eye", coprimary="all")["Eye"]) == 2


def test_distances(site: Site) -> None:
    here = places(site, "London", codistancefrompoint="51.5074|-0.1278")["London"][0]
    there = places(site, "London", codistancefrompage="Eye")["London"][0]
    assert here["dist"] == 0
    assert there["dist"] == pytest.approx(750, abs=150)
    assert "dist" not in places(site, "Crater", codistancefrompage="Eye")["Crater"][0]


def test_walk(site: Site) -> None:
    query = {
        "action": "query",
        "prop": "coordinates",
        "titles": "London|Eye",
        "coprimary": "all",
        "colimit": "1",
    }
    items, going_on = [], {}
    for _ in range(3):
        data = ask(site, query | going_on).data
        items += [place for page in data["query"]["pages"] for place in page.get("coordinates", [])]
        going_on = data.get("continue", {})
    assert len(items) == 3
    assert going_on == {}


def test_search_around_a_point(site: Site) -> None:
    items = near(site, gscoord="51.5074|-0.1278", gsradius="1000")
    assert names(items) == ["London", "Eye"]
    assert items[0] == {
        "pageid": 1,
        "ns": 0,
        "title": "London",
        "lat": 51.5074,
        "lon": -0.1278,
        "dist": 0,
        "primary": True,
    }


@pytest.mark.parametrize(
    ("params", "titles"),
    [
        ({"gspage": "London", "gsradius": "1000"}, ["Eye"]),
        ({"gscoord": "51.5074|-0.1278", "gslimit": "1"}, ["London"]),
        ({"gscoord": "51.5074|-0.1278", "gsmaxdim": "500", "gsradius": "1000"}, ["Eye"]),
        ({"gscoord": "51.5074|-0.1278", "gsnamespace": "1"}, ["Talk:London"]),
        ({"gscoord": "51.5|-0.12", "gsprimary": "secondary"}, ["Eye"]),
        ({"gscoord": "51.5|-0.12", "gsprimary": "all", "gsradius": "500"}, ["Eye", "Eye"]),
        ({"gscoord": "-17|180", "gsradius": "10000"}, ["Fiji", "Taveuni"]),
        ({"gsbbox": "-16.9|179.9|-17.1|-179.9"}, ["Fiji", "Taveuni"]),
        ({"gsbbox": "52|-1|51|1"}, ["Eye", "London"]),
        ({"gscoord": "0|0"}, []),
        ({"gscoord": "90|0", "gsradius": "10000"}, []),
    ],
)
def test_search(site: Site, params: dict[str, str], titles: list[str]) -> None:
    assert sorted(names(near(site, **params))) == titles


def test_generator_numbers_its_pages(site: Site) -> None:
    query = {"generator": "geosearch", "ggscoord": "51.5074|-0.1278", "ggsradius": "1000"}
    pages = ask(site, {"action": "query", **query}).data["query"]["pages"]
    assert {page["title"]: page["index"] for page in pages} == {"London": -1, "Eye": 0}


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "missingparam"),
        ({"gscoord": "1|1", "gspage": "London"}, "invalidparammix"),
        ({"gscoord": "1"}, "invalid-coord"),
        ({"gscoord": "1_0|٥"}, "invalid-coord"),
        ({"gscoord": "91|0"}, "invalid-coord"),
        ({"gscoord": "1|1\n"}, ""),
        ({"gsbbox": "1|1|2|2"}, "invalid-bbox"),
        ({"gsbbox": "1|1"}, "invalid-bbox"),
        ({"gsbbox": "80|-170|-80|170"}, "toobig"),
        ({"gspage": "Nowhere"}, "no-coordinates"),
        ({"gspage": "Missing"}, "missingtitle"),
        ({"gspage": "<"}, "invalidtitle"),
        ({"gscoord": "1|1", "gsradius": "10001"}, "outofrange"),
    ],
)
def test_refusals_of_searches(site: Site, params: dict[str, str], code: str) -> None:
    assert ask(site, {"action": "query", "list": "geosearch", **params}).codes == code


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"codistancefrompoint": "x"}, "invalid-coord"),
        ({"codistancefrompoint": "1|1", "codistancefrompage": "London"}, "invalidparammix"),
        ({"cocontinue": "1"}, "badcontinue"),
        ({"cocontinue": "1|x"}, "badcontinue"),
    ],
)
def test_refusals_of_the_prop(site: Site, params: dict[str, str], code: str) -> None:
    query = {"action": "query", "prop": "coordinates", "titles": "London", **params}
    assert ask(site, query).codes == code


def test_coordinates_show_nothing_and_mistakes_show(site: Site) -> None:
    def html(text: str) -> str:
        output = site.parser.parse(text, site.titles.parse("Page"))
        return output.html + "|".join(output.categories)

    assert "error" not in html("{{#coordinates:1|2}} {{#coordinates:}}")
    for text in ("1", "1|<b>", "1|2|3", "91|0", "0|181", "61|N|0|E|1|1", "1|60|N|1|0|E"):
        markup = html(f"{{{{#coordinates:{text}}}}}")
        assert 'class="error"' in markup, text
        assert "Pages_with_malformed_coordinate_tags" in markup
    twice = html("{{#coordinates:1|2|primary}}{{#coordinates:1|3|primary}}")
    assert "one primary" in twice


def test_a_page_has_so_many_coordinates_at_most(make_site: Callable[..., Site]) -> None:
    text = "".join(f"{{{{#coordinates:1|{n / 10}}}}}" for n in range(505))
    site = make_site({"A": text})
    assert site.db.scalar(GeoTags.select(_count())) == 500


def _count() -> Any:
    return fn.COUNT(GeoTags.gt_id)


def test_deriving_again_doubles_nothing(site: Site) -> None:
    before = site.db.scalar(GeoTags.select(_count()))
    mark_all(site.db)
    LinksUpdate(site).run()
    assert site.db.scalar(GeoTags.select(_count())) == before == 7


def test_store_without_the_table_has_no_places(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    path = tmp_path / "wiki.sqlite"
    off = {"plugins": {"disabled": ["geodata"]}}
    old = make_site(PAGES, config=off, path=path)
    old.db.close()
    site = open_site(Config(), database=Database(f"sqlite:///{path}", read_only=True))
    assert places(site, "London") == {"London": None}
    assert near(site, gscoord="51.5|0") == []
    site.db.close()
    site = open_site(Config(), database=Database(f"sqlite:///{path}"))
    assert places(site, "London") == {"London": None}
    mark_all(site.db)
    LinksUpdate(site).run()
    assert places(site, "London")["London"]
    site.db.close()


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["1.5", "-2"], Place(1.5, -2.0, dim=1000)),
        (["10", "S", "20", "W"], Place(-10.0, -20.0, dim=1000)),
        (["10", "30", "N", "20", "15", "E"], Place(10.5, 20.25, dim=1000)),
        (["1", "2", "3.6", "N", "4", "5", "6", "e"], Place(1.03433333, 4.085, dim=1000)),
        (["1", "2", "scale:50000"], Place(1.0, 2.0, dim=5000)),
        (["1", "2", "dim:3km"], Place(1.0, 2.0, dim=3000)),
        (["1", "2", "type:City(12,000)_dim:x"], Place(1.0, 2.0, dim=10000, type="city")),
        (["1", "2", "region:us-ny"], Place(1.0, 2.0, dim=1000, country="US", region="NY")),
        (["1", "2", "region:nowhere"], Place(1.0, 2.0, dim=1000)),
        (["1", "200", "globe:mars"], Place(1.0, 200.0, "mars", dim=1000)),
        (["1", "2", "name=é" + "é" * 200], Place(1.0, 2.0, dim=1000, name="é" * 127)),
    ],
)
def test_arguments(arguments: list[str], place: Place) -> None:
    assert read_place(arguments, "primary") == place


@pytest.mark.parametrize(
    "arguments",
    [[], ["1"], ["1", "x"], ["1_0", "2"], ["٥", "2"], ["1", "2", "3"], ["-1", "N", "1", "E"],
     ["1.5", "3", "N", "1", "0", "E"], ["1", "E", "1", "N"], ["1"] * 10],
)  # fmt: skip
def test_no_coordinates(arguments: list[str]) -> None:
    with pytest.raises(BadCoordinates):
        read_place(arguments, "primary")


@pytest.mark.parametrize(
    ("lat", "lon", "axis"), [("91", "0", "latitude"), ("0", "-181", "longitude")]
)
def test_angles_out_of_range(lat: str, lon: str, axis: str) -> None:
    with pytest.raises(NotOnGlobe) as caught:
        read_place([lat, lon], "primary")
    assert caught.value.axis == axis


def test_distance_along_the_equator_and_across_the_date_line() -> None:
    assert distance((0, 0), (0, 1)) == pytest.approx(111_195, abs=5)
    assert distance((0, 179.5), (0, -179.5)) == pytest.approx(111_195, abs=5)
    assert distance((90, 0), (-90, 77)) == pytest.approx(20_015_118, abs=5)


def test_areas() -> None:
    assert around((89.99, 0), 10_000) == Area(90.0, -180.0, pytest.approx(89.9, abs=0.001), 180.0)
    assert around((0, 179.99), 10_000).east < 0
    assert read_area("1|2|3|4") is None
    assert read_area("3|170|1|-170") == Area(3.0, 170.0, 1.0, -170.0)
    assert Area(3.0, 170.0, 1.0, -170.0).centre == (2.0, -180.0)
    assert read_pair("1|2|3") is None


@pytest.mark.parametrize(("degrees", "number"), [(0.05, 1), (-0.05, -1), (0.04, 0), (51.5074, 515)])
def test_tiles(degrees: float, number: int) -> None:
    assert tile(degrees) == number
