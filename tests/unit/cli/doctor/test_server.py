from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from wikiapi.cli.doctor.environment import check_debug_info, check_listen, check_proxies
from wikiapi.config import Config


def test_a_free_port(config_of: Callable[..., Config]) -> None:
    assert list(check_listen(config_of(http={"listen": "127.0.0.1:0"}))) == []


def test_a_port_in_use(config_of: Callable[..., Config]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        (finding,) = check_listen(config_of(http={"listen": listen}))
    assert finding.problem.startswith(
        f"the server cannot listen on {listen}: Address already in use"
    )
    assert "--listen" in finding.advice


@pytest.mark.parametrize("listen", [":80"])
def test_invalid_addresses(config_of: Callable[..., Config], listen: str) -> None:
    (finding,) = check_listen(config_of(http={"listen": listen}))
    assert finding.problem == f"http.listen is {listen!r}"


@pytest.mark.parametrize(
    ("listen", "count"),
    [("127.0.0.1:80", 0), ("localhost:80", 0), ("[::1]:80", 0), ("0.0.0.0:80", 1),
     ("w.example:80", 1)],
)  # fmt: skip
def test_debug_info_for_everybody(
    config_of: Callable[..., Config], listen: str, count: int
) -> None:
    config = config_of(http={"listen": listen, "debug_info": "on"})
    assert len(list(check_debug_info(config))) == count


def test_proxies(config_of: Callable[..., Config]) -> None:
    config = config_of(http={"trusted_proxies": ["10.0.0.0/8", "::1", "proxy"]})
    (finding,) = check_proxies(config)
    assert finding.problem == "http.trusted_proxies has 'proxy'"
