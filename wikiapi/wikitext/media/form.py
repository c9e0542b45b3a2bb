"""The two forms of the HTML of images."""

from __future__ import annotations

from enum import Enum


class MediaForm(Enum):
    """What the HTML of images looks like.

    There is a function for each form wherever images are written; a rendering has one form.
    """

    FIGURES = "figures"
    """``<figure>``, as in MediaWiki from 1.41 and in Parsoid's HTML."""
    THUMBS = "thumbs"
    """``<div class="thumb">``, as in MediaWiki before 1.41."""
