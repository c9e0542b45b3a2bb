"""The objects that all views of a site share: settings, addresses, templates and renderings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

from wikiapi.site import Site
from wikiapi_plugins.shared.resources.declared import page_scripts, page_styles
from wikiapi_plugins.web.reader.addresses import Addresses
from wikiapi_plugins.web.reader.rendering import Renderings
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.replies import content_policy
from wikiapi_plugins.web.static import StaticFiles
from wikiapi_plugins.web.templating import templates_in

STYLES = "styles.css"
"""The name of the style sheet of all pages."""
_SCRIPT = "reader.js"
_SCHEMES = ("http:", "https:")
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
        self.skin = Skin(
            self.addresses.static,
            style_sheet(site),
            scripts,
            ANY_SOURCE if site.config.wikitext.raw_html else own_sources(sources, frames),
        )
        self.renderings = Renderings(site)
        self.is_writable = site.is_writable
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
        styles: str,
        scripts: str,
        sources: Mapping[str, str],
    ) -> None:
        """Read the static files; templates are read when they are first used.

        ``scripts`` are run on every page after the reader's own script. ``sources`` are those of
        :func:`~wikiapi_plugins.web.replies.content_policy`.
        """
        own = (folder("static") / _SCRIPT).read_text("utf-8")
        made = {STYLES: styles, _SCRIPT: f"{own}\n{scripts}"}
        self.static = StaticFiles(folder("static"), static_path, made)
        self.policy = content_policy(**sources)
        self._templates = templates_in(folder("templates"))

    def render(self, template: str, data: dict[str, Any]) -> str:
        """Return the document from a template and its variables."""
        return self._templates.get_template(template).render(data)


ANY_SOURCE: Mapping[str, str] = {
    "script_src": "* data: blob: 'unsafe-inline' 'unsafe-eval'",
    "style_src": "* data: 'unsafe-inline'",
    "img_src": "* data: blob:",
    "media_src": "* data: blob:",
    "font_src": "* data:",
    "connect_src": "*",
    "form_action": "*",
    "frame_src": "* data: blob:",
    "object_src": "*",
    "worker_src": "* blob:",
}
"""The sources of a wiki whose pages hold HTML of any kind: what works there works here."""


def own_sources(image_sources: Iterable[str], frame_sources: Iterable[str]) -> Mapping[str, str]:
    """Return the sources of a wiki whose pages hold only what wikitext makes."""
    frames = " ".join(frame_sources)
    return {
        "script_src": "'self'",
        "style_src": "'self' 'unsafe-inline'",
        "img_src": " ".join(("'self'", "data:", *image_sources)),
        "media_src": " ".join(("'self'", *image_sources)),
        "connect_src": "'self'",
        "form_action": "'self'",
        **({"frame_src": frames} if frames else {}),
    }


def image_sources(site: Site, configured: Iterable[str]) -> list[str]:
    """Return the sources from which pictures may be loaded, in addition to this server.

    The wiki's own upload folder may be on another host. The hosts of foreign repositories are only
    known from their answers, so that all HTTPS hosts are allowed if none are configured. Then there
    are those of ``wikitext.external_images``.
    """
    sources = list(configured)
    if not sources and site.files.foreign:
        sources.append("https:")
    for url in (site.config.files.url, site.config.files.thumbnail_url):
        origin = _origin(url)
        if origin:
            sources.append(origin)
    images = site.config.wikitext.external_images
    beginnings = ("",) if images is True else images or ()
    sources += (source for beginning in beginnings for source in _sources_with(beginning))
    return list(dict.fromkeys(sources))


def _sources_with(beginning: str) -> Iterator[str]:
    """Yield the sources of the addresses that begin so."""
    host, slash, _ = beginning.partition("//")[2].rpartition("@")[2].partition("/")
    for scheme in _SCHEMES:
        has_scheme = beginning.startswith(f"{scheme}//")
        if has_scheme and slash:
            yield from filter(None, (_origin(f"{scheme}//{host}"),))
        elif has_scheme or f"{scheme}//".startswith(beginning):
            yield scheme


def _origin(url: str) -> str:
    scheme, mark, rest = url.partition("//")
    host = rest.partition("/")[0]
    is_plain = host and not any(char in host for char in " ;,'\"")
    return f"{scheme}//{host}" if mark and is_plain and scheme in _SCHEMES else ""
