"""EmbedVideo: videos from other sites, which are loaded only when a reader asks for them.

``{{#ev:}}``, ``{{#evt:}}``, ``{{#evu:}}``, ``{{#evl:}}``, ``<embedvideo>`` and a tag for each
service. Settings of ``[extensions.embedvideo]``: ``default_width`` (640) in pixels; ``services``,
the names of the allowed services, all by default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.site import Site
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    Frame,
    FunctionCall,
    ParserFunction,
    ParseState,
    TagCall,
    encode_attributes,
    escape_attribute,
    escape_text,
    finish_fragment,
    parse_fragment,
    trim,
)
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.embedvideo.services import (
    PLAYER_SITES,
    SERVICES,
    Service,
    service_of_address,
)

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "EmbedVideo",
            description="Videos of other sites",
            tags=tags(site),
            functions=FUNCTIONS,
            messages=FOLDER / "messages",
            resources=lambda: read_modules(
                FOLDER / "resources", in_reader=True, frame_sources=PLAYER_SITES
            ),
        ),
    )


_NAME = "embedvideo"
_STYLES, _SCRIPT = "ext.embedVideo.styles", "ext.embedVideo.consent"
_PARAMETERS = (
    *("service", "id", "dimensions", "alignment", "description", "container", "urlargs"),
    *("autoresize", "valignment", "width", "height", "title", "text"),
)
_POSITIONAL = _PARAMETERS[:9]
_SIZE = re.compile(r"([0-9]{1,5})?(?:px)?(?:\s?x\s?([0-9]{1,5})(?:px)?)?", re.ASCII)
_URL_ARGUMENTS = re.compile(r"[0-9A-Za-z_\-=&.%:,;]*", re.ASCII)
_DEFAULT_WIDTH = 640
_LARGEST = 10_000


class Mistake(Exception):
    """A call that cannot show a video; holds the key and parameter of the error message."""

    def __init__(self, key: str, parameter: str = "") -> None:
        """Store the key and parameter of the error message."""
        super().__init__(key)
        self.key = key
        self.parameter = parameter


# Calls


def ev(call: FunctionCall) -> str | Expansion:
    """Return ``{{#ev:service|id|dimensions|alignment|description|container|urlargs}}``."""
    return _video_html(_named_arguments(call.args, _POSITIONAL), call.frame, call.state)


def evt(call: FunctionCall) -> str | Expansion:
    """Return ``{{#evt:service=...|id=...}}``, which is ``{{#ev:}}`` with named parameters."""
    return _video_html(_named_arguments(call.args, ()), call.frame, call.state)


def evu(call: FunctionCall) -> str | Expansion:
    """Return ``{{#evu:address|dimensions|...}}``, whose service follows from the address."""
    arguments = _named_arguments(call.args, _POSITIONAL[1:])
    service = service_of_address(arguments.get("id", ""))
    return _video_html(
        {"service": service.name if service else "", **arguments}, call.frame, call.state
    )


def evl(call: FunctionCall) -> str | Expansion:
    """Return ``{{#evl:id|text|...|service=...}}``, a link to the page of a video."""
    arguments = _named_arguments(call.args, ("id", "text", "player"))
    try:
        service, video = _video({"service": "youtube", **arguments}, call.site)
    except Mistake as mistake:
        return _error(mistake, call.state)
    address = service.page_address(video)
    text = parse_fragment(arguments.get("text") or service.title, call.frame, call.state)
    call.state.output.add_external_link(address)
    link = {"rel": "nofollow", "class": "external embedvideo-evl", "href": address}
    return Expansion(f"<a{encode_attributes(link)}>{text}</a>", html=True)


FUNCTIONS = (
    ParserFunction("#ev", ev),
    ParserFunction("#evt", evt),
    ParserFunction("#evu", evu),
    ParserFunction("#evl", evl),
)


def tags(site: Wiki) -> list[ExtensionTag]:
    """Return ``<embedvideo service="">``, and a tag for each service that the wiki allows."""
    services = sorted(_allowed(site))
    return [
        ExtensionTag("embedvideo", _tag(None)),
        *(ExtensionTag(name, _tag(name)) for name in services),
    ]


def _tag(name: str | None) -> Callable[[TagCall], str | Expansion]:
    def show(call: TagCall) -> str | Expansion:
        arguments = {one: call.attributes[one] for one in _PARAMETERS if one in call.attributes}
        arguments["id"] = trim(call.expand(call.inner or "")) or arguments.get("id", "")
        if name is not None:
            arguments["service"] = name
        elif "service" not in arguments and (service := service_of_address(arguments["id"])):
            arguments["service"] = service.name
        return _video_html(arguments, call.frame, call.state)

    return show


def _named_arguments(arguments: Iterable[str], positional: tuple[str, ...]) -> dict[str, str]:
    """Return the parameters of a call by name."""
    values: dict[str, str] = {}
    names = iter(positional)
    for argument in arguments:
        name, mark, value = argument.partition("=")
        if mark and trim(name).lower() in _PARAMETERS:
            values[trim(name).lower()] = trim(value)
        elif (position := next(names, None)) is not None:
            values[position] = argument
    return values


# Videos


@dataclass(frozen=True, slots=True)
class _Size:
    width: int
    height: int
    is_given: bool


def _video_html(arguments: Mapping[str, str], frame: Frame, state: ParseState) -> str | Expansion:
    try:
        service, video = _video(arguments, state.site)
        size = _size(arguments, service, state.site)
    except Mistake as mistake:
        return _error(mistake, state)
    output = state.output
    output.modules.setdefault(_SCRIPT)
    output.module_styles.setdefault(_STYLES)
    # The script makes an iframe with these attributes.
    iframe = {
        "class": "embedvideo-player",
        "loading": "lazy",
        "frameborder": 0,
        "allow": "accelerometer; clipboard-write; encrypted-media; fullscreen; gyroscope; "
        "picture-in-picture; autoplay",
        **service.frame,
        "width": _DEFAULT_WIDTH,
        "height": service.height,
    }
    output.js_config_vars[f"ev-{service.name}-config"] = iframe
    html = finish_fragment(
        parse_fragment(arguments.get("description", ""), frame, state), state
    ).strip()
    inside = html.removeprefix("<p>").removesuffix("</p>").strip()
    caption = html if "<p>" in inside else inside
    more = arguments.get("urlargs", "").lstrip("?&")
    if not _URL_ARGUMENTS.fullmatch(more):
        more = ""
    if service.player.find("twitch.tv") >= 0:
        host = urlsplit(state.site.config.site.server).hostname or "localhost"
        more = "&".join(filter(None, (f"parent={host}", more)))
    player = service.player_address(video, more)
    # A strip marker replaces the figure until paragraphs are made, so that none are made in it.
    return state.strip.add_nowiki(_figure(service, player, size, arguments, caption, state), _NAME)


def _video(arguments: Mapping[str, str], site: Wiki) -> tuple[Service, str]:
    """Return the service and the id of the video there.

    Raises:
        Mistake: one of them is missing, the service is unknown or the id is invalid.
    """
    name, text = arguments.get("service", "").lower(), arguments.get("id", "")
    if not name or not text:
        raise Mistake("embedvideo-missing")
    service = SERVICES.get(name) if name in _allowed(site) else None
    if service is None:
        raise Mistake("embedvideo-unknown-service", name)
    video = service.read(text)
    if video is None:
        raise Mistake("embedvideo-bad-id")
    return service, video


def _allowed(site: Wiki) -> Iterable[str]:
    settings = site.config.extensions.get(_NAME, {})
    return [name for name in settings.get("services", SERVICES) if name in SERVICES]


def _size(arguments: Mapping[str, str], service: Service, site: Wiki) -> _Size:
    """Return the size in pixels; a missing dimension follows from the service's proportions.

    Raises:
        Mistake: the size cannot be read.
    """
    text = arguments.get("dimensions") or (
        f"{arguments.get('width', '')}x{arguments['height']}"
        if arguments.get("height")
        else arguments.get("width", "")
    )
    match = _SIZE.fullmatch(trim(text))
    if match is None:
        raise Mistake("embedvideo-bad-size", text)
    settings = site.config.extensions.get(_NAME, {})
    default = int(settings.get("default_width", _DEFAULT_WIDTH))
    width, height = int(match[1] or 0), int(match[2] or 0)
    if height and not width:
        width = round(height * _DEFAULT_WIDTH / service.height)
    is_given = bool(width)
    width = min(width or default, _LARGEST)
    height = min(height or round(width * service.height / _DEFAULT_WIDTH), _LARGEST)
    return _Size(width, height, is_given)


def _figure(
    service: Service,
    player: str,
    size: _Size,
    arguments: Mapping[str, str],
    caption: str,
    state: ParseState,
) -> str:
    """Return the figure of a video, which contains a button until the video is loaded."""
    sizes = {"width": size.width, "height": size.height} if size.is_given else {}
    config = json.dumps({**sizes, "src": player}, separators=(",", ":"))
    classes = ["embedvideo"]
    container, side = arguments.get("container", "").lower(), arguments.get("alignment", "").lower()
    if container in _CONTAINERS:
        classes.append("frame" if container in ("frame", "thumb", "thumbnail") else container)
    if side in _ALIGNMENTS:
        classes.append(f"mw-halign-{side}")
    elif side == "inline":
        classes.append("embedvideo--inline")
    if (height := arguments.get("valignment", "").lower()) in _HEIGHTS:
        classes.append(f"mw-valign-{height}")
    attributes = {
        "class": " ".join(classes),
        "data-service": service.name,
        "data-mw-iframeconfig": config,
        "style": f"width:{size.width}px",
    }
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    title = trim(arguments.get("title", ""))
    heading = f'\t\t\t<div class="embedvideo-loader__title">{escape_text(title)}</div>\n'
    text = {
        key: escape_text(state.messages.interface_text(f"embedvideo-{key}"))
        for key in ("load", "continue", "dismiss", "policy")
    }
    privacy = escape_text(state.messages.interface_text("embedvideo-privacy", service.title))
    return (
        f"<figure{encode_attributes(attributes)}>\n"
        f'\t<div class="embedvideo-wrapper" style="height:{size.height}px">\n'
        '\t\t<div class="embedvideo-consent" data-show-privacy-notice="1">\n'
        '\t<div class="embedvideo-overlay">\n'
        '\t\t<div class="embedvideo-loader" role="button">\n'
        f"{heading if title else ''}"
        f'\t\t\t<div class="embedvideo-loader__fakeButton">{text["load"]}</div>\n'
        '\t\t\t<div class="embedvideo-loader__footer">\n'
        f'\t\t\t\t<div class="embedvideo-loader__service">{escape_text(service.title)}</div>\n'
        "\t\t\t</div>\n\t\t</div>\n"
        '\t\t<div class="embedvideo-privacyNotice hidden">\n'
        f'\t\t\t<div class="embedvideo-privacyNotice__content">{privacy} '
        f'<a href="{escape_attribute(service.privacy)}" rel="nofollow,noopener" target="_blank" '
        f'class="embedvideo-privacyNotice__link">{text["policy"]}</a></div>\n'
        '\t\t\t<div class="embedvideo-privacyNotice__buttons">\n'
        f'\t\t\t\t<button class="embedvideo-privacyNotice__continue">{text["continue"]}</button>\n'
        f'\t\t\t\t<button class="embedvideo-privacyNotice__dismiss">{text["dismiss"]}</button>\n'
        "\t\t\t</div>\n\t\t</div>\n\t</div>\n</div>\n\n"
        f"\t</div>{below}\n</figure>\n"
    )


_CONTAINERS = ("frame", "thumb", "thumbnail", "frameless")
_ALIGNMENTS = ("left", "right", "center", "none")
_HEIGHTS = ("top", "middle", "bottom", "baseline")


def _error(mistake: Mistake, state: ParseState) -> str | Expansion:
    text = escape_text(state.messages.text(mistake.key, mistake.parameter))
    if mistake.key == "embedvideo-missing":
        return Expansion(f'<div class="errorbox">{text}</div>', html=True)
    return Expansion(text, html=True)
