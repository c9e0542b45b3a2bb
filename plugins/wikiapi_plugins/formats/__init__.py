"""Output formats, the values of the parameter ``format``."""

from __future__ import annotations

from wikiapi.api import Format
from wikiapi_plugins.formats.htmlform import with_html_form
from wikiapi_plugins.formats.json import Json
from wikiapi_plugins.formats.none import NoneFormat
from wikiapi_plugins.formats.php import Php
from wikiapi_plugins.formats.rawfm import Raw
from wikiapi_plugins.formats.xml import Xml

MODULES: tuple[type[Format], ...] = (
    *with_html_form(Json),
    *with_html_form(Php),
    *with_html_form(Xml),
    with_html_form(Raw)[1],
    NoneFormat,
)
