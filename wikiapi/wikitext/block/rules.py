"""Horizontal rules: four or more hyphens at the start of a line."""

from __future__ import annotations

import re

_RULE = re.compile(r"^-----*", re.MULTILINE)


def draw_rules(text: str) -> str:
    """Lines of hyphens as ``<hr>``."""
    return _RULE.sub("<hr />", text) if "----" in text else text
