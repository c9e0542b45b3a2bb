"""Queries another wiki for its files: their addresses, uploaders and descriptions.

The wiki is not trusted. Every answer is validated, and an error in the facts about one file is
reported for that file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from wikiapi.errors import DumpError
from wikiapi.filerepo.scaling import Size
from wikiapi.filerepo.sha1 import from_hex, to_hex
from wikiapi.importing.files.importer import Origin
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.jsonobject import LARGEST_SIZE, JsonObject, unusable
from wikiapi.store.write.ids import Person

BATCH = 50
"""How many titles an anonymous user may send in a request."""

_PREFIX = "File:"
_INFO = "timestamp|user|userid|comment|url|size|sha1|mime|mediatype|extmetadata"
_CREDITS = ("ImageDescription", "Artist", "LicenseShortName")
_MIME = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,90}", re.ASCII)
_MEDIA_TYPE = re.compile(r"[A-Z0-9]{1,20}", re.ASCII)
_UNKNOWN_USER = "Unknown user"
_LONGEST_NAME = 255
_LONGEST_COMMENT = 500
"""Characters that MediaWiki truncates a summary to."""
_LONGEST_CREDIT = 2_000
_LARGEST_SIDE = 1 << 30
_MAX_PARTS = 50
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of another wiki. ``name`` is the requested name; ``sha1`` is in base 36."""

    name: str
    url: str
    size: int
    sha1: str
    origin: Origin


@dataclass(slots=True)
class FilesAnswer:
    """The result of a query: the files that a wiki has, and names with errors.

    A name that the wiki does not have is in neither list.
    """

    files: list[RemoteFile] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RemoteFiles:
    """The files of another wiki.

    Args:
        api: the API of the wiki.
        prefix: put before the names of its users, as in ``commons>Ada``; empty for the wiki that
            the pages come from, whose users are those of the store.
        language: the language of descriptions.
        longest_text: the largest size of a description page in bytes.
    """

    api: LiveApi
    prefix: str
    language: str
    longest_text: int

    def find(self, names: Sequence[str]) -> FilesAnswer:
        """Return the files with up to fifty names, in one request unless the answer is continued.

        Raises:
            DumpError: the wiki did not answer, or its answer is invalid.
        """
        titles = {_PREFIX + name.replace("_", " "): name for name in names}
        steps: dict[str, str] = {}
        pages: dict[str, dict[str, Any]] = {}
        for number, part in enumerate(self.api.query(self._params(titles))):
            if number > _MAX_PARTS:
                raise unusable("the answers continue without end")
            facts = JsonObject(part, "the answer")
            for kind in ("normalized", "redirects"):
                for step in facts.objects(kind, BATCH):
                    steps.setdefault(step.text("from"), step.text("to"))
            for page in facts.objects("pages", 2 * BATCH):
                pages.setdefault(page.text("title"), {}).update(page.values)
        answer = FilesAnswer()
        for title, name in titles.items():
            page = JsonObject(pages.get(_target(title, steps), {}), name)
            try:
                if file := self._remote_file(page, name):
                    answer.files.append(file)
            except DumpError as error:
                answer.wrong.append((name, str(error)))
        return answer

    def _params(self, titles: Iterable[str]) -> dict[str, str]:
        params = {
            "prop": "imageinfo",
            "titles": "|".join(titles),
            "redirects": "1",
            "iiprop": _INFO,
            "iiextmetadatafilter": "|".join(_CREDITS),
            "iiextmetadatalanguage": self.language,
        }
        if not self.prefix:
            params |= {"prop": "imageinfo|revisions", "rvprop": "content", "rvslots": "main"}
        return params

    def _remote_file(self, page: JsonObject, name: str) -> RemoteFile | None:
        """Return the file of a page, or None if there is none or it is hidden or lost."""
        versions = page.values.get("imageinfo")
        if not isinstance(versions, list) or not versions:
            return None
        info = JsonObject.of(versions[0], name)
        if "filemissing" in info.values or "filehidden" in info.values or not info.text("url", ""):
            return None
        sha1 = info.text("sha1", "")
        sha1 = from_hex(sha1) or (sha1 if to_hex(sha1) else "")
        if not sha1:
            raise unusable(f"there is no valid SHA-1 of {name}")
        try:
            url = urljoin(self.api.url, info.text("url"))
        except ValueError:
            raise unusable(f"the address of {name} is invalid") from None
        size = info.number("size", most=LARGEST_SIZE)
        repository = page.text("imagerepository", "local")
        prefix = self.prefix or ("" if repository == "local" else repository)
        mime, media_type = info.text("mime", ""), info.text("mediatype", "")
        text = _credits(info) if prefix else _description(page)
        origin = Origin(
            uploader=_uploader(info, prefix),
            comment=info.text("comment", "")[:_LONGEST_COMMENT],
            timestamp=info.time("timestamp"),
            text=text if len(text.encode("utf-8", "replace")) <= self.longest_text else "",
            mime=mime if _MIME.fullmatch(mime) else "",
            media_type=media_type if _MEDIA_TYPE.fullmatch(media_type) else "",
            size=Size(
                info.number("width", 0, most=_LARGEST_SIDE),
                info.number("height", 0, most=_LARGEST_SIDE),
            ),
        )
        return RemoteFile(name, url, size, sha1, origin)


def _target(title: str, steps: Mapping[str, str]) -> str:
    """Return the title that a requested one leads to by normalisation and redirects."""
    seen = {title}
    while (following := steps.get(title)) and following not in seen:
        seen.add(following)
        title = following
    return title


def _uploader(info: JsonObject, prefix: str) -> Person:
    name = info.text("user", "")
    full_name = f"{prefix}>{name}" if prefix and name else name
    if not full_name or not full_name.isprintable() or len(full_name.encode()) > _LONGEST_NAME:
        return Person(0, _UNKNOWN_USER)
    return Person(0 if prefix else info.number("userid", 0), full_name)


def _description(page: JsonObject) -> str:
    """Return the wikitext of a description page, or "" if the answer does not have it."""
    for revision in page.objects("revisions", 1):
        return revision.object("slots").object("main").text("content", "")
    return ""


def _credits(info: JsonObject) -> str:
    """Return a description page for a file of a foreign repository.

    The original page would need the repository's templates.
    """
    metadata = info.object("extmetadata")
    texts = [_nowiki(metadata.object(name).values.get("value")) for name in _CREDITS]
    description, *rest = texts
    source = _UNSEEN.sub("_", info.text("descriptionurl", ""))
    if source.startswith(("http://", "https://")):
        rest.append(source)
    return "\n\n".join(filter(None, (description, " · ".join(filter(None, rest)))))


def _nowiki(html: Any) -> str:
    """Return the text of HTML on one line, as wikitext in which nothing has a meaning."""
    if not isinstance(html, str) or not html:
        return ""
    text = LexborHTMLParser(html[:_LONGEST_CREDIT], is_fragment=True).text()
    escaped = _UNSEEN.sub(" ", text).strip().replace("<", "&lt;")
    return f"<nowiki>{escaped}</nowiki>" if escaped else ""
