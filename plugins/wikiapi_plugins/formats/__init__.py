"""Output formats: one module per ``format=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.formats.htmlform import with_html_form
from wikiapi_plugins.formats.json import Json
from wikiapi_plugins.formats.none import NoneFormat

if TYPE_CHECKING:
    from wikiapi.api.format import Format

MODULES: tuple[type[Format], ...] = (*with_html_form(Json), NoneFormat)
