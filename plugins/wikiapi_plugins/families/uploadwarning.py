"""What an upload form warns of when a file of the same or a suspicious name is there already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.filerepo import paths
from wikiapi.i18n.message import Message
from wikiapi.store import pages
from wikiapi.wikitext.options import ParserOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.file import File
    from wikiapi.site import Site
    from wikiapi.title.title import Title

_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)
_THUMB_NAME = re.compile(r"[0-9]{2,}px-(.+)\Z", re.ASCII | re.DOTALL)
_CAMERA_NAMES = ("CIMG", "DSC_", "DSCF", "DSCN", "DUW", "JD", "MGP", "PICT")


def upload_warnings(site: Site, files: Sequence[File]) -> list[str]:
    """The warning for each file as HTML, empty for none. Two queries for all that do not exist."""
    absent = [file.title for file in files if not file.current.exists]
    stored = pages.by_titles(site.db, {title.key for title in absent}) if absent else {}
    others = {_thumb_of(site, title) for title in absent} - {None}
    existing = site.files.local.existing(title.dbkey for title in others if title)
    return [_html(site, _message(site, file, set(stored), existing), file) for file in files]


def _message(
    site: Site, file: File, described: set[tuple[int, str]], existing: set[str]
) -> Message | None:
    name = file.title.prefixed_text
    if file.current.exists:
        return Message("fileexists", (name,))
    if file.title.key in described:
        return Message("filepageexists", (name,))
    if thumb_of := _thumb_of(site, file.title):
        if thumb_of.dbkey in existing:
            return Message("fileexists-thumbnail-yes", (thumb_of.prefixed_text,))
        return Message("file-thumbnail-no", (name,))
    prefix = next((p for p in _CAMERA_NAMES if file.title.dbkey.startswith(p)), None)
    return Message("filename-bad-prefix", (prefix,)) if prefix else None


def _thumb_of(site: Site, title: Title) -> Title | None:
    """The file that a name such as ``120px-Name.jpg`` seems to be a thumbnail of."""
    match = _THUMB_NAME.match(title.dbkey)
    if not match or not paths.extension(title.dbkey):
        return None
    return site.titles.try_parse(match[1], title.ns)


def _html(site: Site, message: Message | None, file: File) -> str:
    if message is None:
        return ""
    text = site.messages.text(message, site.language)
    return site.parser.parse(text, file.title, _OPTIONS).html
