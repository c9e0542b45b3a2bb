"""TemplateStyles: ``<templatestyles src="...">``, sanitized style sheets of templates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from sys import getsizeof

from wikiapi.cache import BoundedCache
from wikiapi.errors import ApiError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Num, Plain
from wikiapi.plugins import Extension
from wikiapi.store.queries import PageText, texts
from wikiapi.title import TEMPLATE, Title
from wikiapi.wikitext import (
    ContentModel,
    Expansion,
    ExtensionTag,
    Parser,
    PluginState,
    TagCall,
    encode_attributes,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.templatestyles.selectors import is_wrapper
from wikiapi_plugins.extensions.templatestyles.sheet import problems, sanitized
from wikiapi_plugins.wikitext.contentmodels.code import Code

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "TemplateStyles",
            description="Styles of templates",
            tags=(ExtensionTag("templatestyles", partial(templatestyles, sheets=Sheets())),),
            content_models=(SHEET,),
            messages=FOLDER / "messages",
        ),
    )


def saved(_: Parser, text: str, __: Title) -> str:
    """Return the text of a sheet.

    Raises:
        ApiError: the sheet contains something that is not allowed; the first is reported.
    """
    for problem in problems(text):
        key = f"templatestyles-error-{problem.code}"
        raise ApiError(key, key, problem.line, problem.column, Plain(problem.name))
    return text


_MODEL = "sanitized-css"
SHEET = ContentModel(_MODEL, ("text/css",), Code("css", "mw-code mw-css").render, saved=saved)

MAX_BYTES = 102_400
_CATEGORY = "templatestyles-page-error-category"
_SCOPE = "mw-parser-output"
_KEPT_BYTES = 4 * 1024 * 1024
"""Maximum memory of the cache of checked sheets."""


def templatestyles(call: TagCall, sheets: Sheets) -> Expansion | str:
    """Return the sheet as ``<style>``, or an error; its page counts as transcluded."""
    src = trim(call.attributes.get("src", ""))
    if not src:
        return _error(call, "templatestyles-missing-src")
    title = call.site.titles.try_parse(src, TEMPLATE)
    if title is None or title.interwiki or title.ns < 0 or not title.dbkey:
        return _error(call, "templatestyles-invalid-src")
    wrapper = trim(call.attributes.get("wrapper", ""))
    if wrapper and not is_wrapper(wrapper):
        return _error(call, "templatestyles-invalid-wrapper")
    # The page is loaded once for each rendering. Whether it exists is usually known, as it is
    # fetched together with the page's templates.
    pages = call.state.plugin(_PAGES)
    if title.key not in pages:
        keys = [title.key] if call.state.loader.get(title) else []
        pages[title.key] = texts.current(call.state.site.db, keys).get(title.key)
    page = pages[title.key]
    if page is None or page.text is None:
        call.state.output.add_template(title)
        return _error(call, "templatestyles-bad-src-missing", title)
    call.state.output.add_template(title, page.page_id, page.revision_id)
    if page.model != _MODEL:
        key = f"content-model-{page.model}"
        is_named = call.state.messages.template(key, call.site.language)
        model = call.state.messages.text(key) if is_named else page.model
        return _error(call, "templatestyles-bad-src", title, model)
    if len(page.text.encode()) > MAX_BYTES:
        size = Num(MAX_BYTES // 1024)
        written = call.state.messages.text("size-kilobytes", size)
        return _error(call, "templatestyles-size-exceeded", None, str(MAX_BYTES), written)
    key = f"TemplateStyles:r{page.revision_id}" + (f"/{_SCOPE}/{wrapper}" if wrapper else "")
    attributes = encode_attributes({"data-mw-deduplicate": key})
    css = sheets.checked(key, page.text, wrapper)
    return Expansion(f"<style{attributes}>{css}</style>", html=True)


_PAGES: PluginState[dict[tuple[int, str], PageText | None]] = PluginState(lambda state: {})
"""The pages of style sheets, by the keys of their titles."""


class Sheets:
    """A cache of one site's checked sheets, as checking can take longer than rendering a page."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._cache: BoundedCache[str, str] = BoundedCache(_KEPT_BYTES)

    def checked(self, key: str, text: str, wrapper: str) -> str:
        """Return the checked sheet; ``key`` identifies its revision and its wrapper."""
        css = self._cache.get(key)
        if css is None:
            css = sanitized(text, f".{_SCOPE} {wrapper}".rstrip())
            self._cache.put(key, css, getsizeof(key) + getsizeof(css))
        return css


def _error(call: TagCall, key: str, title: Title | None = None, *more: str) -> str:
    call.state.notices.add_tracking_category(_CATEGORY)
    if not call.state.makes_html:
        return ""
    params = (title.prefixed_text, title.prefixed_text, *more) if title else more
    # A message is parsed once for each page that it names.
    texts = call.state.plugin(_MESSAGES)
    if (key, params) not in texts:
        texts[key, params] = call.state.messages.html(key, *params)
    return f'<strong class="error">{texts[key, params]}</strong>'


_MESSAGES: PluginState[dict[tuple[str, tuple[str, ...]], str]] = PluginState(lambda state: {})
"""Messages as HTML, by key and parameters."""
