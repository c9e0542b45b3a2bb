"""The objects that all views of a site share: settings, addresses, templates and renderings."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from wikiapi.site import Site
from wikiapi_plugins.editing.writable import is_writable
from wikiapi_plugins.resources.declared import page_scripts, page_styles
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.rendering import Renderings
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.replies import content_policy
from wikiapi_plugins.web.static import StaticFiles
from wikiapi_plugins.web.templating import templates_in

STYLES = "styles.css"
"""The name of the style sheet of all pages."""
_SCRIPT = "reader.js"
_OWN_SHEETS = ("reader.css", "dark.css")


class Reader:
    """The reader of one site. It can be used from several threads.

    ``api`` is the application that answers the API; it is set when the application is complete.
    """

    def __init__(self, site: Site) -> None:
        """Read settings and static files.

        Raises:
            ConfigError: a setting of the reader is invalid.
        """
        self.site = site
        self.settings = Settings.of(site)
        self.addresses = Addresses(site)
        sources = image_sources(site, self.settings.image_sources)
        scripts, frames = page_scripts(site)
        self.skin = Skin(self.addresses.static, sources, style_sheet(site), scripts, frames)
        self.renderings = Renderings(site)
        self.is_writable = is_writable(site)
        self.api: WSGIApplication | None = None
        self.is_private = site.config.permissions.is_private


def folder(name: str) -> Path:
    """Return the path of a folder of this package."""
    return Path(str(resources.files("wikiapi_plugins.web.reader"))) / name


def style_sheet(site: Site) -> str:
    """Return the style sheet of all pages: that of the reader and those for page content."""
    palette, content = page_styles(site)
    frame, dark = ((folder("static") / name).read_text("utf-8") for name in _OWN_SHEETS)
    return "\n".join((palette, frame, content, dark))


class Skin:
    """The static files, the content security policy and the templates."""

    def __init__(
        self,
        static_path: str,
        image_sources: Iterable[str],
        styles: str,
        scripts: str = "",
        frame_sources: Iterable[str] = (),
    ) -> None:
        """Read the static files; templates are read when they are first used.

        ``scripts`` are run on every page after the reader's own script. They may embed frames from
        ``frame_sources``.
        """
        own = (folder("static") / _SCRIPT).read_text("utf-8")
        made = {STYLES: styles, _SCRIPT: f"{own}\n{scripts}"}
        self.static = StaticFiles(folder("static"), static_path, made)
        self.policy = content_policy(
            script_src="'self'",
            style_src="'self' 'unsafe-inline'",
            img_src=" ".join(("'self'", "data:", *image_sources)),
            media_src=" ".join(("'self'", *image_sources)),
            connect_src="'self'",
            form_action="'self'",
            **({"frame_src": frames} if (frames := " ".join(frame_sources)) else {}),
        )
        self._templates = templates_in(folder("templates"))

    def render(self, template: str, data: dict[str, Any]) -> str:
        """Return the document from a template and its variables."""
        return self._templates.get_template(template).render(data)


def image_sources(site: Site, configured: Iterable[str]) -> list[str]:
    """Return the sources from which pictures may be loaded, in addition to this server.

    The wiki's own upload folder may be on another host. The hosts of foreign repositories are only
    known from their answers, so that all HTTPS hosts are allowed if none are configured.
    """
    sources = list(configured)
    if not sources and site.files.foreign:
        sources.append("https:")
    for url in (site.config.files.url, site.config.files.thumbnail_url):
        origin = _origin(url)
        if origin:
            sources.append(origin)
    return list(dict.fromkeys(sources))


def _origin(url: str) -> str:
    scheme, mark, rest = url.partition("//")
    host = rest.partition("/")[0]
    is_plain = host and not any(char in host for char in " ;,'\"")
    return f"{scheme}//{host}" if mark and is_plain and scheme in ("http:", "https:") else ""
