"""Style sheets of pages in the dark: a ground they set is light, so the letters on it must be dark.

Templates bring sheets that were made for dark letters on white (TemplateStyles). Where a rule sets
a ground and leaves the letters as they are, the colours of daylight are set for what it matches.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import tinycss2

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHEET = re.compile(r"(<style\b[^<>]*+>)([^<]*+)(</style>)")
_DAYLIGHT = (
    "color-scheme:light;color:#1f2326;--paper:#fff;--sunken:#f0efeb;--line:#d5d3cc;--edge:#8b887f;"
    "--ink:#1f2326;--quiet:#575d63;--link:#0a5c8a;--visited:#6a3d8f;--new:#a8261b"
)
_GROUNDS = ("background", "background-color")
_NO_GROUND = re.compile(r"\A\s*(?:none|transparent|inherit|unset|initial)\b|var\(--", re.I)


def with_dark_grounds(html: str) -> str:
    """The HTML with rules for the dark added to each of its style sheets that needs some."""
    if "<style" not in html:
        return html
    return _SHEET.sub(lambda match: f"{match[1]}{match[2]}{_rules(match[2])}{match[3]}", html)


def _rules(sheet: str) -> str:
    selectors = ",".join(_selectors(sheet))
    if not selectors:
        return ""
    return f"@media (prefers-color-scheme:dark){{{selectors}{{{_DAYLIGHT}}}}}"


def _selectors(sheet: str) -> Iterator[str]:
    """What rules match that set a ground and no colour; those in ``@media`` stay as they are."""
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule" and _needs_daylight(rule.content):
            yield tinycss2.serialize(rule.prelude).strip()


def _needs_daylight(content: object) -> bool:
    declared = {
        node.lower_name: tinycss2.serialize(node.value)
        for node in tinycss2.parse_blocks_contents(
            content, skip_comments=True, skip_whitespace=True
        )
        if node.type == "declaration"
    }
    grounds = [declared[name] for name in _GROUNDS if name in declared]
    return "color" not in declared and any(not _NO_GROUND.search(value) for value in grounds)
