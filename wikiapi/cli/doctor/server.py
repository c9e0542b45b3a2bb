"""The address that is listened on, and what is shown to whoever asks there."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

from wikiapi.cli.doctor.declaration import problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.store.check.finding import Finding

_NAME = "server"


def check_listen(config: Config) -> Iterator[Finding]:
    """The address can be listened on."""
    listen = config.http.listen
    host, port = _address(listen)
    if port is None:
        advice = 'Write host and port: listen = "127.0.0.1:8080".'
        yield problem(_NAME, f"http.listen is {listen!r}", advice)
        return
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        yield warning(
            _NAME,
            f"{listen} cannot be listened on: {error.strerror}",
            "Fine if that is wikiapi itself; if not, `wikiapi serve --listen 127.0.0.1:PORT`"
            " takes another port.",
        )


def check_debug_info(config: Config) -> Iterator[Finding]:
    """Requests, SQL and files of the server are not shown to the world."""
    http = config.http
    if http.debug_info == "on" and not _is_loopback(_address(http.listen)[0]):
        text = "everybody who can reach the server is shown its SQL and files"
        yield warning(_NAME, text, 'Set debug_info = "auto" in [http].')


def check_proxies(config: Config) -> Iterator[Finding]:
    """Trusted proxies are addresses or networks."""
    for text in config.http.trusted_proxies:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            advice = "Write an IP address or a network: 192.0.2.1, 10.0.0.0/8."
            yield problem(_NAME, f"http.trusted_proxies has {text!r}", advice)


def _address(listen: str) -> tuple[str, int | None]:
    host, _, port = listen.rpartition(":")
    usable = host and port.isascii() and port.isdigit() and int(port[:6]) < 65_536
    return host.strip("[]"), int(port) if usable else None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
