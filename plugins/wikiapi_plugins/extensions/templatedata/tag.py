"""``<templatedata>``: JSON that describes the template whose page it is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wikiapi.languages import MessageParam
from wikiapi.wikitext import ExtensionTag, TagCall, encode_attributes, escape_text
from wikiapi_plugins.extensions.templatedata.checks import Mistake
from wikiapi_plugins.extensions.templatedata.normal import encoded, in_language, parse

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


DECLARATION = ExtensionTag("templatedata", templatedata)


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
        caption = _element("caption", title + self._form())
        params = self._data["params"]
        names = self._data.get("paramOrder", list(params))
        rows = "".join(_element("tr", "".join(self._row(name, params[name]))) for name in names)
        if not rows:
            attributes = encode_attributes({"class": _MUTED, "colspan": _ALL_COLUMNS})
            rows = _element("tr", f"<td{attributes}>{self._text('no-params-set')}</td>")
        table = _element("table", caption + head + _element("tbody", rows), css)
        return _element("section", self._header() + table, "mw-templatedata-doc-wrap")

    def _text(self, key: str, *params: MessageParam) -> str:
        return escape_text(self._say(f"templatedata-doc-{key}", *params))

    def _header(self) -> str:
        text = self._data["description"]
        if text is None:
            css = f"mw-templatedata-doc-desc {_MUTED}"
            return _element("header", _element("p", self._text("desc-empty"), css))
        return _element("header", _element("p", escape_text(text), "mw-templatedata-doc-desc"))

    def _form(self) -> str:
        form = self._data["format"]
        if form is None:
            return ""
        name = form if form in ("inline", "block") else "custom"
        return _element("p", self._text(f"format-{name}"))

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
