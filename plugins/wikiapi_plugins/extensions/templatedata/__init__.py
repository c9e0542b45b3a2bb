"""TemplateData: ``<templatedata>`` describes a template to readers and ``action=templatedata``.

The description is stored as the page property ``templatedata``, in the normal form made by
:mod:`~wikiapi_plugins.extensions.templatedata.normal`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from wikiapi.api import (
    PAGE_SET,
    Action,
    Arr,
    CacheMode,
    Obj,
    PageSet,
    Params,
    QueryRun,
    boolean,
    string,
    write_spellings,
)
from wikiapi.errors import ApiError
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.store import RawBytes
from wikiapi.store.models import PageProps
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.templatedata.normal import in_language
from wikiapi_plugins.extensions.templatedata.tag import DECLARATION, PROPERTY

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "TemplateData",
            description="Descriptions of template parameters",
            tags=(DECLARATION,),
            actions=(TemplateData,),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


_GZIP = b"\x1f\x8b"
_LARGEST = 16_777_216
"""Maximum size of decompressed data in bytes."""
_FLAGS = ("required", "suggested", "deprecated")
_NO_MODULES = {"prop": None, "list": None, "meta": None, "rawcontinue": False}


class TemplateData(Action):
    """Fetch data stored by the TemplateData extension."""

    name = "templatedata"
    params = (
        boolean("includeMissingTitles", "Also return pages that do not exist or have no data."),
        boolean("doNotIgnoreMissingTitles", "Old name of includeMissingTitles.", deprecated=True),
        string("lang", "Return texts only in this language."),
        string("continue", "When more results are available, use this to continue."),
        *PAGE_SET,
    )
    examples = (
        ("action=templatedata&titles=Template:Stub|Template:Example&includeMissingTitles=1",
         "The data of two templates"),
        ("action=templatedata&titles=Template:Stub", "The data of one template"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:TemplateData",)

    def cache_mode(self) -> CacheMode:
        """Return public: the answer is the same for every user."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Add the data of each page that has some."""
        run = QueryRun(self.context, cast("Params", {**_NO_MODULES, **self.p}))
        page_set = run.load_pages()
        pages = Obj(self._without_data(page_set))
        pages |= self._with_data(page_set)
        self.result.set((), "pages", pages)
        write_spellings(self.context, page_set)
        run.continuation.write(self.result)

    def _without_data(self, page_set: PageSet) -> Iterator[tuple[str, Obj]]:
        if not (self.p["includeMissingTitles"] or self.p["doNotIgnoreMissingTitles"]):
            return
        for page_id, title in page_set.missing.items():
            yield str(page_id), Obj({"title": title.prefixed_text, "missing": True})
        for page_id, title in page_set.titles.items():
            yield str(page_id), Obj({"title": title.prefixed_text, "notemplatedata": True})

    def _with_data(self, page_set: PageSet) -> dict[str, Obj]:
        if not page_set.good:
            return {}
        query = PageProps.select(PageProps.pp_page, RawBytes(PageProps.pp_value)).where(
            PageProps.pp_page.in_(list(page_set.good)), PageProps.pp_propname == PROPERTY
        )
        return {
            str(page_id): self._description(page_id, page_set.titles[page_id].prefixed_text, value)
            for page_id, value in self.db.execute(query.order_by(PageProps.pp_page))
        }

    def _description(self, page_id: int, title: str, value: bytes) -> Obj:
        try:
            data = json.loads(_unpacked(value))
            language = self.p["lang"]
            described = in_language(data, language) if language else data
            params = {name: _param(param) for name, param in described["params"].items()}
            item = Obj({"title": title, **described})
            item["params"] = Obj(params)
            item["sets"] = Arr(
                (Obj(one | {"params": Arr(one["params"], "param")}) for one in described["sets"]),
                "set",
            )
            return item
        except (ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
            message = "apierror-templatedata-corrupt"
            raise ApiError("templatedata-corrupt", message, page_id) from error


def _unpacked(value: bytes) -> bytes:
    """Return the data, which MediaWiki stores compressed if it is long."""
    if not value.startswith(_GZIP):
        return value
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    unpacked = unpacker.decompress(value, _LARGEST)
    if not unpacker.eof:
        raise ValueError("compressed data that is too long or cut off")
    return unpacked


def _param(param: dict[str, Any]) -> Obj:
    item = Obj(param, bools=_FLAGS)
    item["aliases"] = Arr(param["aliases"], "alias")
    return item
