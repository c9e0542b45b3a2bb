"""TemplateData: ``<templatedata>`` describes a template to readers and ``action=templatedata``.

The description is stored as the page property ``templatedata``, in the normal form made by
:mod:`~wikiapi_plugins.extensions.templatedata.normal`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from wikiapi.languages import MessageParam
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.store import RawBytes
from wikiapi.store.models import PageProps
from wikiapi.wikitext import ExtensionTag, TagCall, encode_attributes, escape_text
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.templatedata.checks import Mistake
from wikiapi_plugins.extensions.templatedata.normal import encoded, in_language, parse

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


Say = Callable[..., str]


PROPERTY = "templatedata"


def templatedata(call: TagCall) -> str:
    """Return a table of the parameters, or the error in the description."""
    state = call.state
    try:
        data = parse(call.inner or "", call.site.language)
    except Mistake as mistake:
        text = state.messages.text(mistake.message.key, *mistake.message.params)
        error = f"<p>{escape_text(text)}\n</p>"
        return f'<div class="mw-message-box-error mw-message-box">{error}</div>'
    state.output.properties[PROPERTY] = encoded(data)
    state.output.module_styles.setdefault("ext.templateData")
    described = in_language(data, call.site.language)
    page = None if state.options.preview else call.frame.title.prefixed_text
    return Table(described, page, state.messages.text).html()


DECLARATION = ExtensionTag("templatedata", templatedata, is_verbatim=True)


_MUTED = "mw-templatedata-doc-muted"
_ORDER = {"deprecated": -1, "optional": 0, "suggested": 1, "required": 2}
_SORTABLE_FROM = 2
_COLUMNS = ("desc", "type", "status")
_ALL_COLUMNS = "7"


class Table:
    """Renders the table of a description.

    ``data`` has its texts in one language; ``say`` returns the interface message of a key.
    """

    def __init__(self, data: Mapping[str, Any], page: str | None, say: Say) -> None:
        """Render ``data``, which can be edited on ``page``, or nowhere if that is ``None``."""
        self._data = data
        self._page = page
        self._say = say

    def html(self) -> str:
        """Return the section with the table."""
        css = "wikitable mw-templatedata-doc-params"
        if len(self._data["params"]) >= _SORTABLE_FROM:
            css += " sortable"
        columns = "".join(_element("th", self._text(f"param-{name}")) for name in _COLUMNS)
        first = f'<th colspan="2">{self._text("param-name")}</th>'
        head = _element("thead", _element("tr", first + columns))
        edit = ""
        if self._page is not None:
            attributes = encode_attributes({"page": self._page})
            edit = f"<mw:edittemplatedata{attributes}></mw:edittemplatedata>"
        title = _element("p", self._text("params") + edit, "mw-templatedata-caption")
        form, form_html = self._data["format"], ""
        if form is not None:
            name = form if form in ("inline", "block") else "custom"
            form_html = _element("p", self._text(f"format-{name}"))
        caption = _element("caption", title + form_html)
        params = self._data["params"]
        names = self._data.get("paramOrder", list(params))
        rows = "".join(_element("tr", "".join(self._row(name, params[name]))) for name in names)
        if not rows:
            attributes = encode_attributes({"class": _MUTED, "colspan": _ALL_COLUMNS})
            rows = _element("tr", f"<td{attributes}>{self._text('no-params-set')}</td>")
        table = _element("table", caption + head + _element("tbody", rows), css)
        text = self._data["description"]
        if text is None:
            css = f"mw-templatedata-doc-desc {_MUTED}"
            header = _element("header", _element("p", self._text("desc-empty"), css))
        else:
            header = _element(
                "header", _element("p", escape_text(text), "mw-templatedata-doc-desc")
            )
        return _element("section", header + table, "mw-templatedata-doc-wrap")

    def _text(self, key: str, *params: MessageParam) -> str:
        return escape_text(self._say(f"templatedata-doc-{key}", *params))

    def _row(self, name: str, param: Mapping[str, Any]) -> Iterator[str]:
        yield _element("th", escape_text(param["label"] or name))
        names = [_element("code", escape_text(name))]
        css = "mw-templatedata-doc-param-alias"
        names += (_element("code", escape_text(alias), css) for alias in param["aliases"])
        yield _element("td", " ".join(names), "mw-templatedata-doc-param-name")
        text = param["description"]
        description = self._text("param-desc-empty") if text is None else escape_text(text)
        facts = _element("dl", "".join(self._facts(param)))
        yield _element("td", _element("p", description) + facts, _MUTED if text is None else "")
        kind = param["type"]
        css = "mw-templatedata-doc-param-type" + (f" {_MUTED}" if kind == "unknown" else "")
        yield _element("td", self._text(f"param-type-{kind}"), css)
        named = ("deprecated", "required", "suggested")
        status = next((name for name in named if param[name]), "optional")
        attributes = {
            "class": f"mw-templatedata-doc-param-status-{status}",
            "data-sort-value": str(_ORDER[status]),
        }
        label = self._text(f"param-status-{status}")
        yield f"<td{encode_attributes(attributes)}>{label}</td>"

    def _facts(self, param: Mapping[str, Any]) -> Iterator[str]:
        values = [_element("code", escape_text(value)) for value in param["suggestedvalues"]]
        if values:
            yield self._fact("suggestedvalues", " ".join(values))
        for key in ("default", "example"):
            if param[key] is not None:
                yield self._fact(key, escape_text(param[key]))
        if param["autovalue"] is not None:
            yield self._fact("autovalue", _element("code", escape_text(param["autovalue"])))

    def _fact(self, key: str, html: str) -> str:
        return _element("dt", self._text(f"param-{key}")) + _element("dd", html)


def _element(tag: str, html: str, css: str = "") -> str:
    attributes = encode_attributes({"class": css}) if css else ""
    return f"<{tag}{attributes}>{html}</{tag}>"


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
            params = {
                name: Obj(param | {"aliases": Arr(param["aliases"], "alias")}, bools=_FLAGS)
                for name, param in described["params"].items()
            }
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
