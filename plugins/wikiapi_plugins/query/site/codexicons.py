"""``list=codexicons``."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from wikiapi.api import ListModule, Obj, string
from wikiapi.errors import ApiError
from wikiapi.languages import Plain


class CodexIcons(ListModule):
    """Return icons of the design system Codex.

    The icons are not part of wikiapi. The setting ``file`` in ``[extensions.codexicons]`` is the
    path of the file ``codex-icons.json`` from the npm package ``@wikimedia/codex-icons``.
    """

    name = "codexicons"
    params = (string("names", "The names of the icons, such as cdxIconAdd.", multi=True,
                     required=True),)  # fmt: skip
    examples = (("action=query&list=codexicons&names=cdxIconInfo|cdxIconTrash", "Two icons"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Codexicons",)

    def execute(self) -> None:
        """Add the icons to the answer.

        Raises:
            ApiError: ``codexicons-unavailable``, ``codexicons-unknown``.
        """
        file = self.site.config.extensions.get("codexicons", {}).get("file")
        if not file:
            raise ApiError("codexicons-unavailable", "apierror-codexicons-unavailable")
        icons = read_icons(self.site.config.path(str(file)))
        for name in self.p.texts("names"):
            if name not in icons:
                raise ApiError("codexicons-unknown", "apierror-codexicons-unknown", Plain(name))
        self.result.set(
            ("query",), self.name, Obj({name: icons[name] for name in self.p.texts("names")})
        )


@lru_cache(maxsize=4)
def read_icons(file: str) -> dict[str, Any]:
    """Return the icons of a file, by name. Read once for each process.

    Raises:
        ApiError: ``codexicons-unavailable``; the file cannot be read.
    """
    try:
        icons: dict[str, Any] = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ApiError("codexicons-unavailable", "apierror-codexicons-unavailable") from error
    return icons
