"""The services whose videos can be embedded: the form of their ids, and where players are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import quote, urlsplit

_MOST = 2000
"""Maximum length of an id or address, in characters."""


@dataclass(frozen=True, slots=True)
class Service:
    """A site that hosts videos.

    Attributes:
        name: its name in wikitext.
        title: its name as readers see it.
        player: the address of a video's player; ``$1`` stands for the video's id.
        page: the address of a video's page, with ``$1`` as in ``player``.
        id: the pattern of a video's id.
        addresses: patterns of addresses of videos' pages; their first group is the id.
        privacy: the address of the site's privacy policy.
        height: the height of a player that is 640 pixels wide.
        arguments: query parameters of every player besides ``autoplay=1``.
        frame: further attributes of the player's ``<iframe>``.
    """

    name: str
    title: str
    player: str
    page: str
    id: str
    addresses: tuple[str, ...] = ()
    privacy: str = ""
    height: int = 360
    arguments: tuple[str, ...] = ()
    frame: Mapping[str, object] = field(default_factory=dict)

    def read(self, text: str) -> str | None:
        """Return the id of a video, given as the id or as the address of a page, or ``None``."""
        text, is_id = text[:_MOST], _IDS[self.name]
        if is_id.fullmatch(text):
            return text
        matches = (pattern.match(text) for pattern in _ADDRESSES[self.name])
        match = next(filter(None, matches), None)
        return match[1] if match and is_id.fullmatch(match[1]) else None

    def player_address(self, video: str, more: str) -> str:
        """Return the address of a video's player, with ``more`` appended to its query."""
        address = self.player.replace("$1", quote(video, safe="/:&=-_.~"))
        query = "&".join(filter(None, (*self.arguments, "autoplay=1", more)))
        return f"{address}{'&' if '?' in address else '?'}{query}"

    def page_address(self, video: str) -> str:
        """Return the address of a video's page."""
        return self.page.replace("$1", quote(video, safe="/:-_.~"))


def _spotify(kind: str) -> Service:
    return Service(
        f"spotify{kind}",
        title="Spotify",
        player=f"https://open.spotify.com/embed/{kind}/$1",
        page=f"https://open.spotify.com/{kind}/$1",
        id="[0-9A-Za-z]{22}",
        addresses=(rf"open\.spotify\.com/{kind}/([0-9A-Za-z]+)",),
        privacy="https://www.spotify.com/legal/privacy-policy/",
        height=380,
    )


_YOUTUBE = partial(
    Service,
    title="YouTube",
    privacy="https://www.youtube.com/howyoutubeworks/user-settings/privacy/",
    frame={"modestbranding": 1, "allowfullscreen": "true", "frameBorder": 0},
)
_TWITCH = partial(
    Service, title="Twitch", privacy="https://www.twitch.tv/p/en/legal/privacy-notice/"
)


_ALL = (
    Service(
        "archiveorg",
        title="Archive.org",
        player="//archive.org/embed/$1",
        page="https://archive.org/details/$1",
        id=r"[A-Za-z0-9_.\-]{1,200}",
        addresses=(r"archive\.org/(?:details|embed)/([^/?#\s]+)",),
        privacy="https://archive.org/about/terms.php",
        height=493,
    ),
    Service(
        "bandcamp",
        title="Bandcamp",
        player="https://bandcamp.com/EmbeddedPlayer/album=$1/size=large/tracklist=false/",
        page="https://bandcamp.com/EmbeddedPlayer/album=$1/",
        id="[0-9]{1,20}",
        privacy="https://bandcamp.com/privacy",
        height=120,
    ),
    Service(
        "bilibili",
        title="Bilibili",
        player="//player.bilibili.com/player.html?bvid=$1",
        page="https://www.bilibili.com/video/$1",
        id="(?:BV|av)?[0-9A-Za-z]{3,16}",
        addresses=(r"bilibili\.com/video/([0-9A-Za-z]+)",),
        privacy="https://www.bilibili.com/blackboard/privacy-pc.html",
    ),
    Service(
        "ccc",
        title="media.ccc.de",
        player="https://media.ccc.de/v/$1/oembed",
        page="https://media.ccc.de/v/$1",
        id=r"[0-9A-Za-z_\-]{1,200}",
        addresses=(r"media\.ccc\.de/v/([^/?#\s]+)",),
        privacy="https://media.ccc.de/about.html",
    ),
    Service(
        "dailymotion",
        title="Dailymotion",
        player="//www.dailymotion.com/embed/video/$1",
        page="https://www.dailymotion.com/video/$1",
        id="[0-9A-Za-z]{4,12}",
        addresses=(r"dailymotion\.com/(?:embed/)?video/([0-9A-Za-z]+)", r"dai\.ly/([0-9A-Za-z]+)"),
        privacy="https://www.dailymotion.com/legal/privacy",
    ),
    Service(
        "kakaotv",
        title="KakaoTV",
        player="https://play-tv.kakao.com/embed/player/cliplink/$1",
        page="https://tv.kakao.com/v/$1",
        id="[0-9]{1,20}",
        addresses=(r"tv\.kakao\.com/(?:v|channel/[0-9]{1,20}/cliplink)/([0-9]+)",),
        privacy="https://www.kakao.com/policy/privacy",
    ),
    Service(
        "loom",
        title="Loom",
        player="https://www.loom.com/embed/$1",
        page="https://www.loom.com/share/$1",
        id="[0-9a-f]{32}",
        addresses=(r"loom\.com/(?:share|embed)/([0-9a-f]+)",),
        privacy="https://www.loom.com/privacy-policy",
    ),
    Service(
        "navertv",
        title="Naver TV",
        player="https://tv.naver.com/embed/$1",
        page="https://tv.naver.com/v/$1",
        id="[0-9]{1,20}",
        addresses=(r"tv\.naver\.com/(?:v|embed)/([0-9]+)",),
        privacy="https://policy.naver.com/policy/privacy.html",
    ),
    Service(
        "niconico",
        title="Niconico",
        player="//embed.nicovideo.jp/watch/$1",
        page="https://www.nicovideo.jp/watch/$1",
        id="(?:sm|nm|so)?[0-9]{1,20}",
        addresses=(r"nicovideo\.jp/watch/([0-9a-z]+)", r"nico\.ms/([0-9a-z]+)"),
        privacy="https://account.nicovideo.jp/rules/account",
    ),
    Service(
        "soundcloud",
        title="SoundCloud",
        player="https://w.soundcloud.com/player/?url=$1",
        page="$1",
        id=r"https://(?:www\.|m\.)?soundcloud\.com/[0-9A-Za-z_\-]{1,100}(?:/[0-9A-Za-z_\-]{1,200}){1,3}",
        privacy="https://soundcloud.com/pages/privacy",
        height=166,
    ),
    _spotify("album"),
    _spotify("artist"),
    _spotify("track"),
    _TWITCH(
        "twitch",
        player="https://player.twitch.tv/?channel=$1",
        page="https://www.twitch.tv/$1",
        id=r"[0-9A-Za-z_]{2,30}",
        addresses=(r"twitch\.tv/([0-9A-Za-z_]+)\Z",),
    ),
    _TWITCH(
        "twitchclip",
        player="https://clips.twitch.tv/embed?clip=$1",
        page="https://clips.twitch.tv/$1",
        id=r"[0-9A-Za-z_\-]{1,120}",
        addresses=(r"(?:clips\.twitch\.tv|twitch\.tv/[0-9A-Za-z_]{2,30}/clip)/([0-9A-Za-z_\-]+)",),
    ),
    _TWITCH(
        "twitchvod",
        player="https://player.twitch.tv/?video=$1",
        page="https://www.twitch.tv/videos/$1",
        id="v?[0-9]{1,20}",
        addresses=(r"twitch\.tv/videos/([0-9]+)",),
    ),
    Service(
        "vimeo",
        title="Vimeo",
        player="//player.vimeo.com/video/$1",
        page="https://vimeo.com/$1",
        id="[0-9]{1,20}",
        addresses=(r"(?:player\.)?vimeo\.com/(?:video/|channels/[0-9A-Za-z]{1,100}/)?([0-9]+)",),
        privacy="https://vimeo.com/privacy",
        arguments=("dnt=true",),
    ),
    Service(
        "wistia",
        title="Wistia",
        player="https://fast.wistia.net/embed/iframe/$1",
        page="https://fast.wistia.net/embed/iframe/$1",
        id="[0-9a-z]{10}",
        addresses=(r"[0-9a-z\-]{1,60}\.wistia\.(?:com|net)/(?:medias|embed/iframe)/([0-9a-z]+)",),
        privacy="https://wistia.com/privacy",
    ),
    Service(
        "youku",
        title="Youku",
        player="//player.youku.com/embed/$1",
        page="https://v.youku.com/v_show/id_$1.html",
        id="[0-9A-Za-z=]{8,24}",
        addresses=(r"(?:v|player)\.youku\.com/(?:v_show/id_|embed/)([0-9A-Za-z=]+)",),
        privacy="https://terms.alicdn.com/legal-agreement/terms/suit_bu1_unification/",
    ),
    _YOUTUBE(
        "youtube",
        player="https://www.youtube-nocookie.com/embed/$1",
        page="https://www.youtube.com/watch?v=$1",
        id=r"[0-9A-Za-z_\-]{11}",
        addresses=(
            r"youtube(?:-nocookie)?\.com/watch\?(?:[^#&\s]{1,60}&){0,10}v=([0-9A-Za-z_\-]+)",
            r"youtube(?:-nocookie)?\.com/(?:embed|shorts|live|v)/([0-9A-Za-z_\-]+)",
            r"youtu\.be/([0-9A-Za-z_\-]+)",
        ),
    ),
    _YOUTUBE(
        "youtubeplaylist",
        player="https://www.youtube-nocookie.com/embed/videoseries?list=$1",
        page="https://www.youtube.com/playlist?list=$1",
        id=r"[0-9A-Za-z_\-]{12,60}",
        addresses=(r"youtube\.com/playlist\?(?:[^#&\s]{1,60}&){0,10}list=([0-9A-Za-z_\-]+)",),
    ),
    _YOUTUBE(
        "youtubevideolist",
        player="https://www.youtube-nocookie.com/embed/?playlist=$1",
        page="https://www.youtube.com/watch_videos?video_ids=$1",
        id=r"[0-9A-Za-z_\-]{11}(?:,[0-9A-Za-z_\-]{11}){0,50}",
    ),
)
_IDS = {one.name: re.compile(one.id, re.ASCII) for one in _ALL}
_ADDRESSES = {
    one.name: [
        re.compile(rf"(?:https?:)?//(?:www\.|m\.)?{text}", re.ASCII) for text in one.addresses
    ]
    for one in _ALL
}
SERVICES: Mapping[str, Service] = {service.name: service for service in _ALL}
PLAYER_SITES = tuple(sorted({f"https://{urlsplit(one.player).hostname}" for one in _ALL}))
"""The origins of the players."""


def service_of_address(address: str) -> Service | None:
    """Return the service whose video page has this address, or ``None``."""
    if "//" not in address[:10]:
        return None
    return next((one for one in _ALL if one.read(address) is not None), None)
