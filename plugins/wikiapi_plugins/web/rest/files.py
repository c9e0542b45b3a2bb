"""``/v1/file/{title}``: a file, and where its forms are; the files that a page uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from wikiapi.rest import RestCall, RestError, RestReply, Route
from wikiapi.title import FILE
from wikiapi_plugins.web.rest.pages import TITLE, find_page, look_up

_INFO = "timestamp|user|userid|url|size|mediatype|mime"
_DRAWING = "DRAWING"
_MOST_FILES = 100


class File(Route):
    """A file."""

    path = "/v1/file/{title}"
    params = (TITLE,)
    examples = ("/v1/file/File:Jupiter.png",)

    def get(self, call: RestCall) -> RestReply:
        """Return the file, of this wiki or of a repository."""
        name, page = call.text("title"), look_up(call, default_namespace=FILE)
        if page is None or page["ns"] != FILE or "missing" in page:
            raise RestError(HTTPStatus.NOT_FOUND, "rest-nonexistent-title", name)
        files = _file_data(call, [page["title"]], with_thumbnail=True)
        if page["title"] not in files:
            raise RestError(HTTPStatus.NOT_FOUND, "rest-cannot-load-file", name)
        data = files[page["title"]]
        return RestReply(data, modified=data["latest"]["timestamp"])


class MediaLinks(Route):
    """The files that a page uses."""

    path = "/v1/page/{title}/links/media"
    params = (TITLE,)
    examples = ("/v1/page/Jupiter/links/media",)

    def get(self, call: RestCall) -> RestReply:
        """Return the files, in the order of their names."""
        current = find_page(call)
        query = call.query(pageids=current.page["pageid"], prop="images", imlimit=_MOST_FILES + 1)
        titles = [image["title"] for image in query["pages"][0].get("images", ())]
        if len(titles) > _MOST_FILES:
            raise RestError(
                HTTPStatus.BAD_REQUEST, "rest-media-too-many-links", call.text("title"),
                str(_MOST_FILES),
            )  # fmt: skip
        files = _file_data(call, titles, with_thumbnail=False)
        return RestReply(
            {"files": [files[title] for title in titles if title in files]},
            modified=current.page["touched"],
        )


def _file_data(
    call: RestCall, titles: Sequence[str], *, with_thumbnail: bool
) -> dict[str, Mapping[str, Any]]:
    """Return what the API tells about files that exist, by the titles of their pages."""
    settings = call.site.config.files
    width, height = settings.image_limits[settings.image_size]
    files = {}
    pages: dict[str, Mapping[str, Any]] = {}
    moved: dict[str, str] = {}
    for query in call.queries(
        "titles",
        titles,
        prop="imageinfo",
        iiprop=_INFO,
        iiurlwidth=width,
        iiurlheight=height,
        redirects=True,
    ):
        moved |= {redirect["from"]: redirect["to"] for redirect in query.get("redirects", ())}
        pages |= {page["title"]: page for page in query.get("pages", ())}
    for title in titles:
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
