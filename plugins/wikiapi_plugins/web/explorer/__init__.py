"""The API explorer: pages with forms for all modules and routes, generated from their descriptions.

One page is for the Action API; the other, below it, for the REST API.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template
from urllib.parse import quote

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount, Reply, WebRequest
from wikiapi.rest import SCRIPT as REST_SCRIPT
from wikiapi.site import Site
from wikiapi_plugins.shared.interface.explorer import PATH
from wikiapi_plugins.shared.resources.look import LOOK
from wikiapi_plugins.web.replies import REVALIDATE, content_policy, html_reply, web_app
from wikiapi_plugins.web.static import StaticFiles

FILES = f"{PATH}/"
REST_PATH = f"{PATH}/rest"
_FOLDER = Path(__file__).parent
_SCRIPT = "/api.php"
_DESCRIPTION = "/openapi/rest.json"
_SHEET = "style.css"
_PREFIX = "explorer/"
_ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" '
    'rx="3" fill="#0b5a6b"/><path d="M6 4 2.5 8 6 12M10 4l3.5 4-3.5 4" fill="none" stroke="#fff" '
    'stroke-width="2"/></svg>'
)


class ExplorerPages:
    """The pages of a site, which may be mounted at any path."""

    def __init__(self, site: Site) -> None:
        """Read the scripts and the template of the pages."""
        self._site = site
        sheet = (_FOLDER / "static" / _SHEET).read_text("utf-8")
        self.files = StaticFiles(_FOLDER / "static", FILES, {_SHEET: f"{LOOK}\n{sheet}"})
        self._document = Template((_FOLDER / "page.html").read_text("utf-8"))
        self._modules = sorted(path.stem for path in (_FOLDER / "static").glob("*.js"))
        self._is_described = site.plugins.has_plugin("openapi")
        self.has_rest = self._is_described and site.plugins.has_plugin("rest")
        """Whether there is a page for the REST API, which is made from its description."""

    def action_api(self, request: WebRequest) -> Reply:
        """Return the page for the Action API."""
        links = {REST_PATH: "REST API"} if self.has_rest else {}
        links |= {"/openapi.json": "OpenAPI"} if self._is_described else {}
        return self._page(request, "API explorer", "main.js", links)

    def rest_api(self, request: WebRequest) -> Reply:
        """Return the page for the REST API."""
        links = {PATH: "Action API", _DESCRIPTION: "OpenAPI"}
        return self._page(request, "REST API explorer", "rest.js", links)

    def _page(
        self, request: WebRequest, title: str, script: str, links: Mapping[str, str]
    ) -> Reply:
        """Return a page with the URLs of the mounted site, and links to paths of the site."""
        addresses = {
            _PREFIX + name: self.files.url(f"{name}.js", request.root) for name in self._modules
        }
        # A URL cannot end the script element, because the mount point is percent-encoded.
        imports = json.dumps({"imports": addresses})
        values = {
            "title": title,
            "main": self.files.url(script, request.root),
            **self._addresses(request.root),
        }
        text = self._document.substitute(
            {name: html.escape(value) for name, value in values.items()},
            imports=imports,
            links="".join(
                f'<a href="{html.escape(request.root + path)}">{label}</a>\n'
                for path, label in links.items()
            ),
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
            "rest": f"{api.removesuffix(_SCRIPT)}/{REST_SCRIPT}",
            "description": f"{root}{_DESCRIPTION}",
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
    """Mount the pages, and the folder of their scripts and style sheet."""
    pages = ExplorerPages(site)
    yield Mount(PATH, web_app(pages.action_api, PATH), "Explorer")
    yield Mount(FILES, pages.files.app())
    if pages.has_rest:
        yield Mount(REST_PATH, web_app(pages.rest_api, REST_PATH))
