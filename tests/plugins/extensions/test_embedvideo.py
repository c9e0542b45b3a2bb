from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from tests.plugins.rendering import parsed
from wikiapi.site import Site
from wikiapi_plugins.extensions.embedvideo.services import SERVICES, service_of_address

ID = "pSsYTj9kCHE"


pytestmark = pytest.mark.wiki({"Page": ""}, writable=False)


def frame(html: str) -> dict[str, Any]:
    match = re.search(r'data-mw-iframeconfig="([^"]*)"', html)
    assert match
    return json.loads(unescape(match[1]))


SAME = (
    f"{{{{#ev:youtube|{ID}}}}}",
    f"{{{{#ev:youtube|https://youtu.be/{ID}}}}}",
    f"{{{{#evt:service=youtube|id={ID}}}}}",
    f"{{{{#evu:https://www.youtube.com/watch?app=d&v={ID}&t=1}}}}",
    f"<youtube>{ID}</youtube>",
    f'<embedvideo service="YouTube">{ID}</embedvideo>',
    f"<embedvideo>https://www.youtube.com/shorts/{ID}</embedvideo>",
)


@pytest.mark.parametrize("text", SAME)
def test_ways_to_name_a_video(site: Site, text: str) -> None:
    html = parsed(site, text)["text"]
    assert frame(html) == {"src": f"https://www.youtube-nocookie.com/embed/{ID}?autoplay=1"}


def test_nothing_is_loaded_before_a_click(site: Site) -> None:
    html = parsed(site, SAME[0])["text"]
    assert not re.search(r"<(?:iframe|img|script|video)\b| src=", html)


def test_size_keeps_proportions(site: Site) -> None:
    html = parsed(site, f"{{{{#ev:youtube|{ID}|x180px}}}}")["text"]
    assert {"width": 320, "height": 180}.items() <= frame(html).items()
    assert 'style="width:320px"' in html


def test_caption_is_wikitext(site: Site) -> None:
    answer = parsed(site, f"{{{{#ev:youtube|{ID}||right|a ''b'' [[Page]]|frame|start=3}}}}")
    assert 'class="embedvideo frame mw-halign-right"' in answer["text"]
    assert re.search(r"<figcaption>a <i>b</i> <a [^>]*>Page</a></figcaption>", answer["text"])
    assert frame(answer["text"])["src"].endswith("?autoplay=1&start=3")


@pytest.mark.parametrize(
    "text",
    [
        '{{#ev:youtube|"><script>alert(1)</script>}}',
        "{{#ev:x<script>|1}}",
        f'{{{{#ev:youtube|{ID}|1"onload=x}}}}',
        f'{{{{#ev:youtube|{ID}|||||"><script>}}}}',
        f'<youtube alignment="&quot;&gt;&lt;script&gt;" title="&lt;script&gt;">{ID}</youtube>',
    ],
)
def test_nothing_of_the_call_becomes_markup(site: Site, text: str) -> None:
    assert "<script" not in parsed(site, text)["text"]


def test_services_can_be_left_out(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"extensions": {"embedvideo": {"services": ["vimeo"]}}})
    assert "not recognized" in parsed(site, SAME[0])["text"]
    assert "&lt;youtube&gt;" in parsed(site, "<youtube>x</youtube>")["text"]


def test_links_to_videos(site: Site) -> None:
    answer = parsed(site, f"{{{{#evl:{ID}|the ''video''}}}}")
    assert "the <i>video</i></a>" in answer["text"]
    assert answer["externallinks"] == [f"https://www.youtube.com/watch?v={ID}"]


ADDRESSES = {
    "https://vimeo.com/59194942": "vimeo",
    "https://archive.org/details/some-film_1": "archiveorg",
    "https://www.twitch.tv/videos/123456": "twitchvod",
    "https://www.twitch.tv/somebody": "twitch",
    "https://www.dailymotion.com/video/x7xyz12": "dailymotion",
    "https://www.bilibili.com/video/BV1xx411c7mD": "bilibili",
    "https://open.spotify.com/track/0123456789abcdefghijAB": "spotifytrack",
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_tell_the_service(address: str) -> None:
    service = service_of_address(address)
    assert service
    assert service.name == ADDRESSES[address]


def test_services_are_complete() -> None:
    for service in SERVICES.values():
        assert "$1" in service.player
        assert "$1" in service.page
        assert service.privacy.startswith("https://")
