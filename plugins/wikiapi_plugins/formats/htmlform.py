"""The HTML form of formats (``jsonfm``, ``xmlfm``...), for people to read. It is the default."""

from __future__ import annotations

import json
from typing import Any, cast
from urllib.parse import urlencode

from wikiapi.api import Format, Rendered, boolean
from wikiapi_plugins.formats import page
from wikiapi_plugins.formats.dataformat import DataFormat, disposition, to_bytes
from wikiapi_plugins.shared.interface.ownstyle import own_style_policy

_SUFFIX = "fm"
_WRAPPED_TYPE = "text/mediawiki-api-prettyprint-wrapped"
_WRAPPED = boolean("wrappedhtml", "Return the HTML within a JSON object, as ApiSandbox wants it.")


class HtmlForm(DataFormat):
    """A mixin that shows the output of a format as HTML.

    It must precede the class of the format in the bases of a class.
    """

    def render(self, root: Any) -> Rendered:
        """Return the answer as an HTML page or, if requested, as HTML in a JSON object."""
        text = self.serialize(root, pretty=True)
        plain_name = self.plain_name or self.name.removesuffix(_SUFFIX)
        content = page.content(text, self.label, plain_name, self._plain_query(plain_name))
        return self._wrapped(content, root) if self.p["wrappedhtml"] else _document(content)

    def stream(self, root: Any) -> None:
        """Return ``None``, since the HTML form is not streamed."""

    def _plain_query(self, plain_name: str) -> str | None:
        """Return the query string for the plain form; ``None`` for a POST request."""
        request = self.context.request
        if request.is_posted or not request.params:
            return None
        return urlencode({**request.params, "format": plain_name}, errors="surrogateescape")

    def _wrapped(self, content: str, root: Any) -> Rendered:
        elapsed = self.site.clock() - self.context.now
        wrapped: dict[str, object] = {
            "status": 200,
            "statustext": "OK",
            "html": content,
            "modules": [],
            "continue": root.get("continue") if isinstance(root, dict) else None,
            "time": round(elapsed.total_seconds() * 1000),
        }
        body = to_bytes(json.dumps(wrapped, ensure_ascii=False, separators=(",", ":")))
        headers = [disposition("json", "api-result-wrapped")]
        return Rendered(body, f"{_WRAPPED_TYPE}; charset=utf-8", headers)


def _document(content: str) -> Rendered:
    headers = [disposition("html"), ("Content-Security-Policy", own_style_policy(page.STYLE))]
    return Rendered(to_bytes(page.page(content)), "text/html; charset=utf-8", headers)


def with_html_form(plain: type[DataFormat]) -> tuple[type[Format], type[Format]]:
    """Return a format and its HTML form, which has the same parameters and the suffix ``fm``."""
    attributes = {
        "__doc__": f"{plain.summary().removesuffix('.')} (shown in HTML for people to read).",
        "__module__": plain.__module__,
        "name": plain.name + _SUFFIX,
        "params": (_WRAPPED, *plain.params),
    }
    form = type(f"{plain.__name__}Html", (HtmlForm, plain), attributes)
    return plain, cast("type[Format]", form)
