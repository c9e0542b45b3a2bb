"""``load.php``: serving the style sheets and scripts of extensions, the wiki and its gadgets."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from wsgiref.types import WSGIApplication

from wikiapi.errors import BudgetExceeded, StoreTimeout, StoreUnavailable
from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount, Reply, WebRequest, may_read
from wikiapi.languages import is_known_language
from wikiapi.site import Site
from wikiapi_plugins.shared.interface.skins import DEFAULT, OWN_SKIN, SKINS
from wikiapi_plugins.shared.resources.names import TooManyModules, unpacked_names
from wikiapi_plugins.shared.resources.wikipages import digest
from wikiapi_plugins.web.load.loaded import NAME as STARTUP
from wikiapi_plugins.web.load.loaded import SCRIPT, LoadedModule, load_modules, startup_script
from wikiapi_plugins.web.paths import script, suffixes
from wikiapi_plugins.web.replies import content_reply, web_app

_STYLES, _SCRIPTS = "styles", "scripts"
_CSS, _JAVASCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
_PLAIN = "text/plain; charset=utf-8"
_VERSIONED = "public, max-age=2592000, s-maxage=2592000"
_UNVERSIONED = "public, max-age=300, s-maxage=300"
_OWN = "private, no-cache, must-revalidate"
_ANYBODY = ("Access-Control-Allow-Origin", "*")
"""On a public wiki, answers are the same for everybody, and other sites may read them."""
_NOBODY_ELSE = ("Cross-Origin-Resource-Policy", "same-origin")
"""On a private wiki, answers depend on the session, and other sites must not load them."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """The parameters of a request."""

    names: tuple[str, ...]
    only: str
    language: str
    skin: str
    version: str
    is_debug: bool
    is_raw: bool
    """Whether to omit the call that tells the loader the states of the modules."""

    @classmethod
    def of(cls, request: WebRequest, site: Site) -> LoadRequest:
        """Return the parameters of a request; unknown languages and skins are ignored.

        Raises:
            TooManyModules: the request names too many modules.
        """
        params = request.params
        code, skin = params.get("lang", ""), params.get("skin", "")
        is_known = code.isascii() and is_known_language(code)
        return cls(
            names=tuple(unpacked_names(params.get("modules", ""))),
            only=params.get("only", ""),
            language=code if is_known else site.language,
            skin=skin if skin in SKINS or skin == OWN_SKIN else DEFAULT,
            version=params.get("version", ""),
            is_debug=params.get("debug", "") in ("1", "2", "true"),
            is_raw=params.get("raw", "") in ("1", "true"),
        )

    @property
    def content_type(self) -> str:
        """The type of the answer."""
        return _CSS if self.only == _STYLES else _JAVASCRIPT


class Loader:
    """``load.php`` of one wiki.

    ``api`` is the application that answers the API; it is set when the application is complete, and
    is needed to find out who may read a private wiki.
    """

    def __init__(self, site: Site) -> None:
        """Serve the modules of this wiki."""
        self._site = site
        self.api: WSGIApplication | None = None

    def app(self, mounted: str) -> WSGIApplication:
        """Return the application for a mount."""
        return web_app(self._answer, mounted, compressed=self._site.config.http.compress)

    def _answer(self, request: WebRequest) -> Reply:
        try:
            load_request = LoadRequest.of(request, self._site)
            is_reader = may_read(self._site, self.api, request)
            with self._site.answering():
                names = [name for name in load_request.names if name != STARTUP]
                modules = load_modules(self._site, names, load_request.skin, may_read=is_reader)
                served = {module.name for module in modules}
                missing = [name for name in names if name not in served]
                if load_request.only == _STYLES:
                    body = styles_body(modules, missing)
                else:
                    body = scripts_body(load_request, modules, missing)
                    if STARTUP in load_request.names and load_request.only == _SCRIPTS:
                        language, skin = load_request.language, load_request.skin
                        start = startup_script(
                            self._site, request.root, language, skin, may_read=is_reader
                        )
                        body = start + body
                if not load_request.names:
                    body = "/* No modules were requested. */\n"
                versions = "".join(sorted_versions(modules))
                is_current = load_request.version == versions and versions and not missing
                is_private = self._site.config.permissions.is_private
                is_own = load_request.is_debug or is_private
                cache = _OWN if is_own else _VERSIONED if is_current else _UNVERSIONED
                return content_reply(
                    body.encode("utf-8", "replace"),
                    load_request.content_type,
                    cache=cache,
                    etag=digest(body),
                    headers=[_NOBODY_ELSE if is_private else _ANYBODY],
                )
        except TooManyModules:
            return content_reply(b"Too many modules are requested.\n", _PLAIN, status=400)
        except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
            logger.warning("%s: %s", ascii(request.path), error)
            return content_reply(b"This took too long.\n", _PLAIN, status=503)


def sorted_versions(modules: Iterable[LoadedModule]) -> list[str]:
    """Return the versions of modules, in the order of the modules' names."""
    return [module.version for module in sorted(modules, key=lambda module: module.name)]


def styles_body(modules: Iterable[LoadedModule], missing: Sequence[str]) -> str:
    """Return the style sheets of modules, after a comment that lists the missing ones."""
    sheets = [module.styles.rstrip("\n") for module in modules]
    text = "".join(f"{sheet}\n" for sheet in sheets if sheet)
    if not missing:
        return text
    states = json.dumps(dict.fromkeys(missing, "missing")).replace("*/", "*\\/")
    return f"/*\nProblematic modules: {states}\n*/\n{text}"


def scripts_body(
    load_request: LoadRequest, modules: Sequence[LoadedModule], missing: Sequence[str]
) -> str:
    """Return the scripts of modules, followed by the states that the loader cannot know itself.

    The scripts run by themselves with ``only=scripts``, and are passed to the loader otherwise.
    """
    states = dict.fromkeys(missing, "missing")
    if load_request.only == _SCRIPTS:
        states |= dict.fromkeys((module.name for module in modules), "ready")
        text = "".join(f"{bare_script(module)}\n" for module in modules)
    else:
        text = "".join(f"{implementation(module)}\n" for module in modules)
    if not states or load_request.is_raw:
        return text
    return f"{text}mw.loader.state({json.dumps(states)});\n"


def bare_script(module: LoadedModule) -> str:
    """Return a module's script in a form that runs by itself."""
    if not module.files:
        return f"{module.scripts}\n;" if module.scripts else ""
    return implementation(module)


def implementation(module: LoadedModule) -> str:
    """Return the call that passes a module to the loader."""
    parts = [json.dumps(f"{module.name}@{module.version}"), _function(module)]
    if module.styles:
        parts.append(json.dumps({"css": [module.styles]}))
    return f"mw.loader.impl(function(){{return[{','.join(parts)}];}});"


def _function(module: LoadedModule) -> str:
    if not module.files:
        if not module.scripts:
            return "null"
        return f"function($,jQuery,require,module){{{module.scripts}\n}}"
    files = ",".join(
        f"{json.dumps(name)}:{_file(name, text)}" for name, text in module.files.items()
    )
    main = json.dumps(next(iter(module.files)))
    return f'{{"main":{main},"files":{{{files}}}}}'


def _file(name: str, text: str) -> str:
    """Return a file of a package: a function or, for JSON, its data."""
    if not name.endswith(".json"):
        return f"function(require,module,exports){{{text}\n}}"
    try:
        return json.dumps(json.loads(text))
    except (ValueError, RecursionError):
        return "null"


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount ``load.php`` beside the API."""
    loader = site.derived(Loader)
    paths = suffixes(script(site, SCRIPT), f"/{SCRIPT}")
    return [Mount(path, loader.app(path)) for path in paths]


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """Give ``load.php`` the application, which knows who may read a private wiki."""
    site.derived(Loader).api = app
    return None
