"""Pages of modules, which show the documentation and the source."""

from __future__ import annotations

import re
from dataclasses import replace

from wikiapi.errors import ApiError
from wikiapi.languages import Message
from wikiapi.title import MODULE, Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    ContentModel,
    Parser,
    ParserOptions,
    ParserOutput,
    Target,
    escape_text,
    notify_rendering_ended,
    wrap_output,
)
from wikiapi_plugins.extensions.scribunto.errors import (
    LUA_ERROR,
    LUA_ERROR_AT,
    ScriptError,
    error_message,
)
from wikiapi_plugins.extensions.scribunto.invoke import SESSION
from wikiapi_plugins.shared.highlighting.highlighter import source_page

_DOCUMENTATION = "/doc"
_REDIRECT = re.compile(r"return require \[\[([^\[\]\n]+)\]\]")


def render(parser: Parser, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Render the documentation of a module, or a link to create it, and the highlighted source."""
    output = _documentation(parser, title, replace(options, wrapper_class="", limit_report=False))
    if options.target is Target.HTML:
        # Without a highlighter, and if it is too long, the source is plain.
        code = source_page(source, "lua", parser, output)
        if code is None:
            text = escape_text(source)
            code = f'<pre lang="en" dir="ltr" class="mw-code mw-script">\n{text}\n</pre>'
        output.html = wrap_output(output.html + code, parser.site, options)
    return output


def _documentation(parser: Parser, title: Title, options: ParserOptions) -> ParserOutput:
    site = parser.site
    if title.ns != MODULE or title.dbkey.endswith(_DOCUMENTATION):
        return ParserOutput()
    name = site.messages.text(Message("scribunto-doc-page-name", (title.text,)), site.language)
    page = site.titles.try_parse(name)
    if page is None:
        return ParserOutput()
    exists = page.key in parser.pages.existing([page.key])
    key = "scribunto-doc-page-show" if exists else "scribunto-doc-page-does-not-exist"
    text = site.messages.text(Message(key, (page.prefixed_text,)), site.language)
    output = parser.parse(text, title, options)
    output.add_template(page, *output.template_ids.get(page.key, ()))
    return output


def redirect_target(site: Wiki, source: str) -> Title | None:
    """Return the target of a redirect, a module that is only ``return require [[Module:Name]]``."""
    match = _REDIRECT.fullmatch(source)
    if match is None:
        return None
    title = site.titles.try_parse(match[1])
    return title if title and title.full_text == match[1] else None


def redirect_text(site: Wiki, title: Title) -> str | None:
    """Return the source of a redirect to a module, or ``None`` if the target is another page."""
    return f"return require [[{title.full_text}]]" if title.ns == MODULE else None


_SYNTAX_ERRORS = frozenset({LUA_ERROR, LUA_ERROR_AT})
_UNREACHABLE = "do return end "
"""A prefix for a module, with which Lua compiles the module but executes none of it."""


def saved(parser: Parser, source: str, title: Title) -> str:
    """Return the source of a module to be saved.

    Raises:
        ApiError: the source has a syntax error.
    """
    if title.dbkey.endswith(_DOCUMENTATION):
        return source
    state = parser.new_state(title, ParserOptions(limit_report=False))
    name = title.prefixed_text
    try:
        state.plugin(SESSION).evaluate(title, "return {}", name, f"{_UNREACHABLE}{source}")
    except ScriptError as error:
        if error.key in _SYNTAX_ERRORS:
            raise ApiError(error.key, error_message(error, parser.site)) from error
    finally:
        notify_rendering_ended(state)
    return source


DECLARATION = ContentModel(
    "Scribunto",
    ("text/plain",),
    render,
    saved=saved,
    redirect_target=redirect_target,
    redirect_text=redirect_text,
)
