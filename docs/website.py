"""What the web site needs beyond the Markdown files: `mkdocs.yml` names this module as its hook.

The files are written for people who read them in the repository, too. For the site, files of the
root become pages, and links to other files of the repository become their names.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the repository that are pages of the site."""

_LINK = re.compile(r"\[(?P<text>(?:[^\[\]\n]|\n(?!\n))++)\]\((?P<target>[^()\s]++)\)")
_ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):<code>~?(?P<name>[^<]++)</code>")
_ITEM = re.compile(r"(?:[0-9]++\.|-) ")
_INDENT = 4


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are files of the root."""
    from mkdocs.structure.files import File

    for source, name in ROOT_PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Return the text of a page for the site."""
    return with_wider_lists(with_links(markdown, page.file.src_uri))


def on_page_content(html: str, **_: object) -> str:
    """Return the HTML of a page; roles and ``::`` in docstrings are marks for other programs."""
    return _ROLE.sub(r"<code>\g<name></code>", html).replace("<p>::</p>\n", "")


def with_links(markdown: str, name: str) -> str:
    """Return a text whose links lead to pages of the site."""
    source = next((root for root, made in ROOT_PAGES.items() if made == name), f"docs/{name}")
    folder = posixpath.dirname(source)

    def changed(match: re.Match[str]) -> str:
        target, mark, anchor = match["target"].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        path = posixpath.normpath(posixpath.join(folder, target))
        if path == "README.md":
            path = "docs/index.md"
        made = ROOT_PAGES.get(path) or path.removeprefix("docs/")
        if path in ROOT_PAGES or (path.startswith("docs/") and path.endswith(".md")):
            there = posixpath.relpath(made, posixpath.dirname(name) or ".")
            return f"[{match['text']}]({there}{mark}{anchor})"
        # A file of the repository, which the site does not have.
        return f"{match['text']} (`{path}`)" if path not in match["text"] else match["text"]

    return _LINK.sub(changed, markdown)


def with_wider_lists(markdown: str) -> str:
    """Return a text whose list items are indented by four spaces, as the site's Markdown has it."""
    lines = []
    missing = 0
    in_block = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            in_block, missing = not in_block, 0
        elif not in_block:
            if item := _ITEM.match(line):
                missing = max(0, _INDENT - len(item[0]))
            elif line and not line.startswith(" "):
                missing = 0
            elif line.strip():
                line = " " * missing + line
        lines.append(line)
    return "\n".join(lines)
