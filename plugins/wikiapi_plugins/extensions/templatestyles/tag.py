"""``<templatestyles src= wrapper=>``: a style sheet, which applies only to the page's content."""

from __future__ import annotations

from functools import partial
from sys import getsizeof

from wikiapi.cache import BoundedCache
from wikiapi.store.queries import texts
from wikiapi.store.queries.texts import PageText
from wikiapi.title import TEMPLATE, Title
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    ParserOptions,
    ParseState,
    PluginState,
    TagCall,
    encode_attributes,
)
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.templatestyles.selectors import is_wrapper
from wikiapi_plugins.extensions.templatestyles.sheet import sanitized

MAX_BYTES = 102_400
_MODEL = "sanitized-css"
_CATEGORY = "templatestyles-page-error-category"
_SCOPE = "mw-parser-output"
_KEPT_BYTES = 4 * 1024 * 1024
"""Maximum memory of the cache of checked sheets."""
_MESSAGE = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)


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
    return _styled(call, title, wrapper, sheets)


def _styled(call: TagCall, title: Title, wrapper: str, sheets: Sheets) -> Expansion | str:
    page = _page(call.state, title)
    if page is None or page.text is None:
        call.state.output.add_template(title)
        return _error(call, "templatestyles-bad-src-missing", title)
    call.state.output.add_template(title, page.page_id, page.revision_id)
    if page.model != _MODEL:
        return _error(call, "templatestyles-bad-src", title)
    if len(page.text.encode()) > MAX_BYTES:
        return _error(call, "templatestyles-size-exceeded", title)
    key = f"TemplateStyles:r{page.revision_id}" + (f"/{_SCOPE}/{wrapper}" if wrapper else "")
    attributes = encode_attributes({"data-mw-deduplicate": key})
    css = sheets.checked(key, page.text, wrapper)
    return Expansion(f"<style{attributes}>{css}</style>", html=True)


_PAGES: PluginState[dict[tuple[int, str], PageText | None]] = PluginState(lambda state: {})
"""The pages of style sheets, by the keys of their titles."""


def _page(state: ParseState, title: Title) -> PageText | None:
    """Return the page of a style sheet, which is loaded once for each rendering.

    Whether it exists is usually known, as it is fetched together with the page's templates.
    """
    known = state.plugin(_PAGES)
    if title.key not in known:
        keys = [title.key] if state.loader.get(title) else []
        known[title.key] = texts.current(state.site.db, keys).get(title.key)
    return known[title.key]


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


def _error(call: TagCall, key: str, title: Title | None = None) -> str:
    call.state.notices.add_tracking_category(_CATEGORY)
    if not call.state.makes_html:
        return ""
    params = (title.prefixed_text, title.prefixed_text) if title else ()
    return f'<strong class="error">{_message_html(call.state, key, params)}</strong>'


_MESSAGES: PluginState[dict[tuple[str, tuple[str, ...]], str]] = PluginState(lambda state: {})
"""Messages as HTML, by key and parameters."""


def _message_html(state: ParseState, key: str, params: tuple[str, ...]) -> str:
    """Return an interface text as HTML; its links do not count as links of the page."""
    known = state.plugin(_MESSAGES)
    if (key, params) not in known:
        html = state.parser.parse(state.messages.text(key, *params), state.title, _MESSAGE).html
        known[key, params] = html.strip().removeprefix("<p>").removesuffix("</p>").strip()
    return known[key, params]


def declaration() -> ExtensionTag:
    """Return the tag for a site."""
    return ExtensionTag("templatestyles", partial(templatestyles, sheets=Sheets()))
