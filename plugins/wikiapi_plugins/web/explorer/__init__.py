"""The API explorer: a page with forms for all modules, generated from their descriptions."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from pathlib import Path
from string import Template
from urllib.parse import quote

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount, Reply, WebRequest
from wikiapi.site import Site
from wikiapi_plugins.shared.interface.explorer import PATH
from wikiapi_plugins.shared.resources.look import LOOK
from wikiapi_plugins.web.replies import REVALIDATE, content_policy, html_reply, web_app
from wikiapi_plugins.web.static import StaticFiles

FILES = f"{PATH}/"
_FOLDER = Path(__file__).parent
_SCRIPT = "/api.php"
_SHEET = "style.css"
_PREFIX = "explorer/"
_ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" '
    'rx="3" fill="#0b5a6b"/><path d="M6 4 2.5 8 6 12M10 4l3.5 4-3.5 4" fill="none" stroke="#fff" '
    'stroke-width="2"/></svg>'
)


class ExplorerPage:
    """The page of a site, which may be mounted at any path."""

    def __init__(self, site: Site) -> None:
        """Read the scripts and the template of the page."""
        self._site = site
        sheet = (_FOLDER / "static" / _SHEET).read_text("utf-8")
        self.files = StaticFiles(_FOLDER / "static", FILES, {_SHEET: f"{LOOK}\n{sheet}"})
        self._document = Template((_FOLDER / "page.html").read_text("utf-8"))
        self._modules = sorted(path.stem for path in (_FOLDER / "static").glob("*.js"))

    def answer(self, request: WebRequest) -> Reply:
        """Return the page with the URLs of the mounted site."""
        addresses = {
            _PREFIX + name: self.files.url(f"{name}.js", request.root) for name in self._modules
        }
        # A URL cannot end the script element, because the mount point is percent-encoded.
        imports = json.dumps({"imports": addresses})
        links = ""
        if self._site.plugins.has_plugin("openapi"):
            links = f'<a href="{html.escape(request.root)}/openapi.json">OpenAPI</a>\n'
        text = self._document.substitute(
            {name: html.escape(value) for name, value in self._addresses(request.root).items()},
            imports=imports,
            links=links,
        )
        etag = hashlib.sha256(text.encode()).hexdigest()[:16]
        digest = base64.b64encode(hashlib.sha256(imports.encode()).digest()).decode()
        policy = content_policy(
            script_src=f"'self' 'sha256-{digest}'",
            style_src="'self'",
            connect_src="'self'",
            img_src="data:",
            form_action="'none'",
        )
        return html_reply(text, policy, cache=REVALIDATE, etag=etag)

    def _addresses(self, root: str) -> dict[str, str]:
        site = self._site.config.site
        api = api_path(root, site.script_path)
        return {
            "site": site.name,
            "page": site.main_page,
            "api": api,
            "help": f"{api}?action=help",
            "home": f"{root}/",
            "article": article_path(root, site.article_path),
            "icon": _ICON,
            "style": self.files.url(_SHEET, root),
            "main": self.files.url("main.js", root),
        }


def api_path(root: str, script_path: str) -> str:
    """Return the path of the API on this server for a site mounted at ``root``.

    The configured script path may or may not include the mount point, and the mount point may be
    the script path itself.
    """
    is_whole = bool(root) and script_path.startswith(root)
    is_root = bool(script_path) and root.endswith(script_path)
    return root + (_SCRIPT if is_whole or is_root else script_path + _SCRIPT)


def article_path(root: str, path: str) -> str:
    """Return the path of pages with the mount point, which the settings may contain already."""
    return path if root and path.startswith(f"{root}/") else root + path


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount the page, and the folder of its scripts and style sheet."""
    page = ExplorerPage(site)
    return (Mount(PATH, web_app(page.answer, PATH), "Explorer"), Mount(FILES, page.files.app()))
