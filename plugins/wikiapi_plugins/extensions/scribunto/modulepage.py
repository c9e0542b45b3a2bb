"""Pages of modules: their documentation, then their source."""

from __future__ import annotations

import re
from dataclasses import replace

from wikiapi.i18n import Message
from wikiapi.site import Site
from wikiapi.title import MODULE, Title
from wikiapi.wikitext import ContentModel, ParserOptions, ParserOutput, Target, escape_text
from wikiapi.wikitext.html.container import wrap_output
from wikiapi_plugins.highlighting.colours import source_page

_DOCUMENTATION = "/doc"
_REDIRECT = re.compile(r"return require \[\[([^\[\]\n]+)\]\]")


def render(site: Site, source: str, title: Title, options: ParserOptions) -> ParserOutput:
    """Render the documentation of a module, or a link to create it, and the highlighted source."""
    output = _documentation(site, title, replace(options, wrapper_class="", limit_report=False))
    if options.target is Target.HTML:
        output.html = wrap_output(output.html + _source_html(source, site, output), site, options)
    return output


def _source_html(source: str, site: Site, output: ParserOutput) -> str:
    """Return the source as HTML, highlighted if that is possible and it is not too long."""
    coloured = source_page(source, "lua", site, output)
    if coloured is not None:
        return coloured
    return f'<pre lang="en" dir="ltr" class="mw-code mw-script">\n{escape_text(source)}\n</pre>'


def _documentation(site: Site, title: Title, options: ParserOptions) -> ParserOutput:
    page = _documentation_page(site, title)
    if page is None:
        return ParserOutput()
    exists = page.key in site.parser.pages.existing([page.key])
    key = "scribunto-doc-page-show" if exists else "scribunto-doc-page-does-not-exist"
    text = site.messages.text(Message(key, (page.prefixed_text,)), site.language)
    output = site.parser.parse(text, title, options)
    output.add_template(page, *output.template_ids.get(page.key, ()))
    return output


def _documentation_page(site: Site, title: Title) -> Title | None:
    """Return the page that documents a module; documentation and pages elsewhere have none."""
    if title.ns != MODULE or title.dbkey.endswith(_DOCUMENTATION):
        return None
    name = site.messages.text(Message("scribunto-doc-page-name", (title.text,)), site.language)
    return site.titles.try_parse(name)


def redirect_target(site: Site, source: str) -> Title | None:
    """Return the target of a redirect: the module of a mere ``return require [[Module:Name]]``."""
    match = _REDIRECT.fullmatch(source)
    if match is None:
        return None
    title = site.titles.try_parse(match[1])
    return title if title and title.full_text == match[1] else None


DECLARATION = ContentModel("Scribunto", ("text/plain",), render, redirect_target=redirect_target)
