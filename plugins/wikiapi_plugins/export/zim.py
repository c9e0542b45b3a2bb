"""Packing the documents and files of an export into a ZIM file."""

from __future__ import annotations

import io
import mimetypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from babel.core import get_global
from PIL import Image, ImageDraw

from wikiapi.errors import PluginError
from wikiapi.languages import html_code
from wikiapi.site import Site
from wikiapi.store.queries import redirects
from wikiapi_plugins.export import ExportError
from wikiapi_plugins.export.documents import DocumentBatch
from wikiapi_plugins.export.running import STORED_RESULTS, stored_results
from wikiapi_plugins.export.site.build import main_file
from wikiapi_plugins.export.state import State

_HTML = "text/html"
_OCTETS = "application/octet-stream"
_ICON = 48
_DOCUMENTS = "SELECT namespace, title, file FROM names WHERE NOT is_redirect ORDER BY page"
_REDIRECTS = "SELECT page, namespace, title, file FROM names WHERE is_redirect ORDER BY page"
_FILE = "SELECT file FROM names WHERE namespace = ? AND title = ?"
_BATCH = 500

_INDEXED_AT_ONCE = "500"
"""The number of pages that are indexed in memory before they are written."""


def check_libzim() -> None:
    """Check that libzim is installed.

    Raises:
        PluginError: it is not installed.
    """
    _writer()


def write_zim(site: Site, state: State, folder: Path, path: Path, threads: int) -> None:
    """Write the documents in a state to a ZIM file, which is renamed when it is complete.

    Args:
        site: the wiki.
        state: the state of the export, with the documents.
        folder: where the files are that the documents show.
        path: the file to write.
        threads: the number of threads that compress and index; each needs some 80 MB.

    Raises:
        ExportError: libzim cannot write the file.
    """
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with _quiet_library():
            main = main_file(site, state) or next(
                (file for *_, file in state.rows(_DOCUMENTS)), "static/style.css"
            )
            # Libzim's index is made by Xapian, which otherwise holds 10,000 pages in memory.
            os.environ.setdefault("XAPIAN_FLUSH_THRESHOLD", _INDEXED_AT_ONCE)
            creator = _writer().Creator(str(part))
            creator.config_indexing(True, three_letters(site.language)).config_nbworkers(threads)
            creator.set_mainpath(main)
            with creator:
                creator.add_illustration(_ICON, _icon(site))
                for name, value in _metadata(site).items():
                    creator.add_metadata(name, value)
                for item in _items(state, folder):
                    creator.add_item(item)
                for source, title, target in _redirects(site, state):
                    creator.add_redirection(source, title, target, {})
    except RuntimeError as error:  # libzim raises nothing else.
        raise ExportError(f"{path} cannot be written: {error}") from error
    part.replace(path)


@contextmanager
def _quiet_library() -> Iterator[None]:
    """Discard what libzim prints to standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _writer() -> Any:
    try:
        return import_module("libzim.writer")
    except ImportError as error:
        raise PluginError("ZIM files need libzim: pip install 'wikiapi-server[zim]'") from error


def _metadata(site: Site) -> dict[str, str]:
    settings = site.config.site
    name = settings.name
    return {
        "Title": name[:30],
        "Name": f"{settings.wiki_id}_{site.language}",
        "Description": name[:80],
        "Language": three_letters(site.language),
        "Creator": name,
        "Publisher": "wikiapi",
        "Date": f"{site.clock():%Y-%m-%d}",
        "Scraper": settings.generator,
        "Source": settings.source or settings.server,
        "License": settings.rights_text or "unknown",
    }


def three_letters(language: str) -> str:
    """Return the ISO 639-3 code of a language of MediaWiki; ``mul`` if it is not known."""
    code = html_code(language).partition("-")[0]
    if len(code) == _LETTERS:
        return code
    longer = (long for long, short in get_global("language_aliases").items() if short == code)
    return _THREE_LETTERS.get(code) or next((c for c in longer if len(c) == _LETTERS), "mul")


_LETTERS = 3
_THREE_LETTERS = {
    "ak": "aka", "ar": "ara", "ay": "aym", "az": "aze", "bg": "bul", "bn": "ben", "bo": "bod",
    "ca": "cat", "cr": "cre", "cs": "ces", "cy": "cym", "da": "dan", "de": "deu", "dz": "dzo",
    "el": "ell", "en": "eng", "eo": "epo", "es": "spa", "et": "est", "eu": "eus", "fa": "fas",
    "ff": "ful", "fi": "fin", "fr": "fra", "gl": "glg", "gn": "grn", "gu": "guj", "he": "heb",
    "hi": "hin", "hr": "hrv", "hu": "hun", "hy": "hye", "id": "ind", "ik": "ipk", "is": "isl",
    "it": "ita", "iu": "iku", "ja": "jpn", "ka": "kat", "kg": "kon", "ko": "kor", "kr": "kau",
    "ku": "kur", "kv": "kom", "la": "lat", "lt": "lit", "lv": "lav", "mg": "mlg", "mi": "mri",
    "mk": "mkd", "mn": "mon", "ms": "msa", "my": "mya", "nb": "nob", "ne": "nep", "nl": "nld",
    "nn": "nno", "no": "nor", "oj": "oji", "om": "orm", "or": "ori", "pl": "pol", "ps": "pus",
    "pt": "por", "qu": "que", "ro": "ron", "ru": "rus", "sa": "san", "sc": "srd", "sh": "hbs",
    "sk": "slk", "sl": "slv", "sq": "sqi", "sr": "srp", "sv": "swe", "sw": "swa", "ta": "tam",
    "th": "tha", "tl": "tgl", "tr": "tur", "tw": "twi", "uk": "ukr", "ur": "urd", "uz": "uzb",
    "vi": "vie", "yi": "yid", "za": "zha", "zh": "zho",
}  # fmt: skip
"""The codes of languages for which CLDR has several, or none."""


def _icon(site: Site) -> bytes:
    """Return a PNG image with the first letter of the wiki's name."""
    picture = Image.new("RGB", (_ICON, _ICON), "#0a5c8a")
    letter = site.config.site.name[:1].upper()
    draw = ImageDraw.Draw(picture)
    draw.text((_ICON / 2, _ICON / 2), letter, fill="white", anchor="mm", font_size=_ICON * 0.7)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _items(state: State, folder: Path) -> Iterator[Any]:
    """Yield the documents in the order of their page ids, then the files in the folder."""
    writer = _writer()
    hints = {writer.Hint.FRONT_ARTICLE: True}

    class Item(writer.Item):  # type: ignore[misc,name-defined]
        def __init__(self, path: str, title: str, content: str | Path) -> None:
            self._path = path
            self._title = title
            self._content = content

        def get_path(self) -> str:
            return self._path

        def get_title(self) -> str:
            return self._title

        def get_mimetype(self) -> str:
            if isinstance(self._content, str):
                return _HTML
            return mimetypes.guess_type(self._path)[0] or _OCTETS

        def get_hints(self) -> dict[Any, Any]:
            return hints if isinstance(self._content, str) else {}

        def get_contentprovider(self) -> Any:
            if isinstance(self._content, str):
                return writer.StringProvider(self._content)
            return writer.FileProvider(str(self._content))

    for result in stored_results(state.rows(STORED_RESULTS, (0,))):
        for document in DocumentBatch.decoded(result.data).documents:
            yield Item(document.file, document.title, document.text)
    for top in ("static", "files"):
        for path in sorted((folder / top).rglob("*")):
            if path.is_file():
                yield Item(path.relative_to(folder).as_posix(), path.name, path)


def _redirects(site: Site, state: State) -> Iterator[tuple[str, str, str]]:
    """Yield the file, title and target file of each redirect."""
    waiting = state.rows(_REDIRECTS)
    while rows := list(islice(waiting, _BATCH)):
        targets = redirects.targets(site.db, [row[0] for row in rows])
        for page, namespace, title, file in rows:
            target = targets.get(page)
            if target is None or target.interwiki:
                continue
            path = next((file for (file,) in state.rows(_FILE, target.key)), None)
            if path and path != file:
                yield file, site.titles.make(namespace, title).prefixed_text, path
