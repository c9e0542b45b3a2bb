"""``/v1/file/{title}``: a file, and where its forms are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from wikiapi_plugins.web.rest.routing import RestCall, RestError, RestParam, RestReply, Route

_INFO = "timestamp|user|userid|url|size|mediatype|mime"
_NAMESPACE = 6
_TITLES_PER_QUERY = 50
_DRAWING = "DRAWING"


class File(Route):
    """A file."""

    path = "/v1/file/{title}"
    params = (RestParam("title", is_required=True),)

    def get(self, call: RestCall) -> RestReply:
        """Return the file, of this wiki or of a repository."""
        name = call.text("title")
        query = call.query(titles=name, prop="info")
        page = next(iter(query.get("pages", ())), None)
        if page is None or page.get("ns") != _NAMESPACE or "missing" in page:
            raise RestError(HTTPStatus.NOT_FOUND, "rest-nonexistent-title", name)
        files = file_data(call, [page["title"]], with_thumbnail=True)
        if page["title"] not in files:
            raise RestError(HTTPStatus.NOT_FOUND, "rest-cannot-load-file", name)
        data = files[page["title"]]
        return RestReply(data, modified=data["latest"]["timestamp"])


def file_data(
    call: RestCall, titles: Sequence[str], *, with_thumbnail: bool
) -> dict[str, Mapping[str, Any]]:
    """Return what the API tells about files that exist, by the titles of their pages."""
    settings = call.site.config.files
    width, height = settings.image_limits[settings.image_size]
    files = {}
    for first in range(0, len(titles), _TITLES_PER_QUERY):
        query = call.query(
            titles="|".join(titles[first : first + _TITLES_PER_QUERY]),
            prop="imageinfo",
            iiprop=_INFO,
            iiurlwidth=width,
            iiurlheight=height,
            redirects=True,
        )
        moved = {redirect["from"]: redirect["to"] for redirect in query.get("redirects", ())}
        pages = {page["title"]: page for page in query.get("pages", ())}
        for title in titles[first : first + _TITLES_PER_QUERY]:
            page = pages.get(moved.get(title, title), {})
            for info in page.get("imageinfo", ()):
                if "url" in info:
                    files[title] = _file(page["title"], info, with_thumbnail=with_thumbnail)
    return files


def _file(title: str, info: Mapping[str, Any], *, with_thumbnail: bool) -> Mapping[str, Any]:
    user = {"id": info.get("userid"), "name": info.get("user")}
    original = _form(info, info["url"], info["width"], info["height"], info["size"])
    preferred = original
    if info["thumburl"] != info["url"]:
        size = info["size"] if info["mediatype"] == _DRAWING else None
        preferred = _form(info, info["thumburl"], info["thumbwidth"], info["thumbheight"], size)
    data = {
        "title": title.partition(":")[2],
        "file_description_url": info["descriptionurl"],
        "latest": {"timestamp": info["timestamp"], "user": user},
        "preferred": preferred,
        "original": original,
    }
    # A drawing has to be rendered, whatever its size.
    thumbnail = preferred if info["mediatype"] == _DRAWING else original
    return data | ({"thumbnail": thumbnail} if with_thumbnail else {})


def _form(
    info: Mapping[str, Any], url: str, width: int, height: int, size: int | None
) -> dict[str, Any]:
    return {
        "mediatype": info["mediatype"],
        "size": size,
        "width": width,
        "height": height,
        "duration": info.get("duration"),
        "url": url,
    }
