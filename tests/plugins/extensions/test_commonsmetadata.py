from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, ask

ON = {"extensions": {"commonsmetadata": {}}}
DESCRIPTION = """{|
| id="fileinfotpl_desc" | Description
| A ''rose'' of [[Main Page|mine]]
|-
| id="fileinfotpl_aut" | Author
| Ada
|}
<div class="licensetpl"><span class="licensetpl_short">CC BY 4.0</span>
<span class="licensetpl_link">https://cc.example/by/4.0</span>
<span class="licensetpl_attr_req">true</span></div>
<span class="geo">48.2; 16.3</span>
[[Category:Roses]] [[Category:Quality images of roses]]"""


pytestmark = pytest.mark.wiki(
    {"File:Rose.png": DESCRIPTION, "Main Page": ""},
    files=[DeclaredFile("Rose.png", 400, 200), DeclaredFile("Bare.png", 40, 20)],
    config=ON,
    writable=False,
)


def extmetadata(site: Site, name: str, **more: str) -> dict[str, Any]:
    params = {"action": "query", "titles": name, "prop": "imageinfo", "iiprop": "extmetadata"}
    page = ask(site, params | more).data["query"]["pages"][0]
    return page["imageinfo"][0]["extmetadata"]


def test_description_pages_tell_of_files(site: Site) -> None:
    metadata = extmetadata(site, "File:Rose.png")
    values = {name: entry["value"] for name, entry in metadata.items()}
    assert values["ImageDescription"].startswith("A <i>rose</i> of <a ")
    assert values["Artist"] == "Ada"
    assert values["LicenseShortName"] == "CC BY 4.0"
    assert values["License"] == "cc-by-4.0"
    assert values["LicenseUrl"] == "https://cc.example/by/4.0"
    assert values["AttributionRequired"] == "true"
    assert values["Categories"] == "Roses|Quality images of roses"
    assert values["Assessments"] == "quality"
    assert (values["GPSLatitude"], values["GPSLongitude"]) == ("48.2", "16.3")
    assert values["ObjectName"] == "Rose"
    assert metadata["Artist"]["source"] == "commons-desc-page"


def test_files_without_a_page_have_no_more_than_empty_lists(site: Site) -> None:
    metadata = extmetadata(site, "File:Bare.png")
    assert set(metadata) == {"Categories", "Assessments", "DateTime", "ObjectName"}


def test_wikis_have_to_enable_it(make_site: Callable[..., Site]) -> None:
    site = make_site({}, files=[DeclaredFile("Bare.png", 40, 20)])
    assert set(extmetadata(site, "File:Bare.png")) == {"DateTime", "ObjectName"}


def test_filter(site: Site) -> None:
    assert set(extmetadata(site, "File:Rose.png", iiextmetadatafilter="Artist|License")) == {
        "Artist",
        "License",
    }


def test_number_of_pages_is_bounded(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"commonsmetadata": {"most_files": 0}}}
    site = make_site({"File:Rose.png": DESCRIPTION}, files=[DeclaredFile("Rose.png", 4, 2)],
                     config=config)  # fmt: skip
    assert "Artist" not in extmetadata(site, "File:Rose.png")
