"""Dates and times in each language: names, formats of ``{{#time:}}``, calendars, usual formats."""

from __future__ import annotations

from wikiapi.languages.dates.names import Messages, calendar_name, calendar_texts
from wikiapi.languages.dates.timeformat import format_moment
from wikiapi.languages.dates.usual import format_usual

__all__ = [
    "Messages",
    "calendar_name",
    "calendar_texts",
    "format_moment",
    "format_usual",
]
