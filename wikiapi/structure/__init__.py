"""What a page contains, as data: templates, sections, tables, infobox and references.

Calls of templates are read in the page's source (`calls`), all else in its HTML (`contents`,
`tables`, `texts`).
"""

from __future__ import annotations

from wikiapi.structure.calls import TemplateArgument, TemplateCall, template_calls
from wikiapi.structure.contents import (
    Field,
    Infobox,
    PageSection,
    Reference,
    page_infobox,
    page_references,
    page_sections,
)
from wikiapi.structure.tables import Cell, Table, page_tables, spread
from wikiapi.structure.texts import plain_text

__all__ = [
    "Cell",
    "Field",
    "Infobox",
    "PageSection",
    "Reference",
    "Table",
    "TemplateArgument",
    "TemplateCall",
    "page_infobox",
    "page_references",
    "page_sections",
    "page_tables",
    "plain_text",
    "spread",
    "template_calls",
]
