"""Adapting style sheets that assume dark text on a white background to the dark mode.

If a rule sets a background but no text colour, a further rule sets the colours of the light mode
for the elements that it matches.
"""

from __future__ import annotations

import re

import tinycss2

_SHEET = re.compile(r"(<style\b[^<>]*+>)([^<]*+)(</style>)")
_LIGHT_COLOURS = (
    "color-scheme:light;color:#1f2326;--paper:#fff;--sunken:#f0efeb;--line:#d5d3cc;--edge:#8b887f;"
    "--ink:#1f2326;--quiet:#575d63;--link:#0a5c8a;--visited:#6a3d8f;--new:#a8261b"
)
_BACKGROUNDS = ("background", "background-color")
_LONGEST_SHEET = 500_000
_NO_BACKGROUND = re.compile(r"\A\s*(?:none|transparent|inherit|unset|initial)\b|var\(--", re.I)


def with_dark_mode_rules(html: str) -> str:
    """Return HTML with rules for the dark mode added to the style sheets that need them."""
    if "<style" not in html:
        return html
    return _SHEET.sub(
        lambda match: f"{match[1]}{match[2]}{dark_mode_rules(match[2])}{match[3]}", html
    )


def dark_mode_rules(sheet: str) -> str:
    """Return the rules for the dark mode that a style sheet needs; empty for none."""
    if len(sheet) > _LONGEST_SHEET:
        return ""
    # Rules that set a background and no colour, outside of ``@media``.
    selectors = ",".join(
        tinycss2.serialize(rule.prelude).strip()
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        if rule.type == "qualified-rule" and _needs_light_colours(rule.content)
    )
    if not selectors:
        return ""
    return f"@media (prefers-color-scheme:dark){{{selectors}{{{_LIGHT_COLOURS}}}}}"


def _needs_light_colours(content: object) -> bool:
    declared = {
        node.lower_name: tinycss2.serialize(node.value)
        for node in tinycss2.parse_blocks_contents(
            content, skip_comments=True, skip_whitespace=True
        )
        if node.type == "declaration"
    }
    backgrounds = [declared[name] for name in _BACKGROUNDS if name in declared]
    return "color" not in declared and any(
        not _NO_BACKGROUND.search(value) for value in backgrounds
    )
