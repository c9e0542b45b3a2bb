from __future__ import annotations

import pytest

from wikiapi.attach.database import Access, NotSupported, server_url
from wikiapi.attach.takeover import without_password


@pytest.mark.parametrize(
    ("access", "url"),
    [
        (Access("mysql", "localhost", "w"), "mysql://localhost/w"),
        (Access("mysql", "p:localhost", "w"), "mysql://localhost/w"),
        (Access("mysql", "db:3307", "w", "u", "p"), "mysql://u:p@db:3307/w"),
        (Access("mysql", "[::1]:3307", "w", "u"), "mysql://u@[::1]:3307/w"),
        (Access("mysql", ":/run/x.sock", "w"), "mysql:///w?socket=/run/x.sock"),
        (Access("mysql", "localhost:/run/x.sock", "w"), "mysql://localhost/w?socket=/run/x.sock"),
        (Access("mysql", "db", "a/b", "u@v", "p:/?#"), "mysql://u%40v:p%3A%2F%3F%23@db/a%2Fb"),
        (Access("mysql", "db", "w", prefix="mw_"), "mysql://db/w?prefix=mw_"),
        (Access("postgres", "", "w", "u"), "postgresql://u@/w"),
        (Access("postgres", "db", "w", port=5433), "postgresql://db:5433/w"),
        (Access("postgres", "/run/pg", "w"), "postgresql:///w?host=/run/pg"),
        (
            Access("postgres", "db", "w", schema="mediawiki"),
            "postgresql://db/w?options=-csearch_path%3Dmediawiki",
        ),
    ],
)
def test_url_of_a_server(access: Access, url: str) -> None:
    assert server_url(access) == url


@pytest.mark.parametrize(
    "access", [Access("oracle", "db", "w"), Access("mysql", "a b:c:d", "w"), Access("", "", "")]
)
def test_servers_that_cannot_be_used(access: Access) -> None:
    with pytest.raises(NotSupported):
        server_url(access)


def test_passwords_are_not_shown() -> None:
    text = 'listen = "http://a:80/"\nurl = "mysql://u:p%40q@h/d"\nmail = "a@b"'
    assert without_password(text) == text.replace("p%40q", "***")
