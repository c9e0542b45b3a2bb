"""Connects mwclient and Pywikibot to a wiki under test, logged in as one of its users.

The clients are optional and are imported when their functions are called. The extras
``wikiapi-server[mwclient]`` and ``wikiapi-server[pywikibot]`` install them.
"""

from __future__ import annotations

import atexit
import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wikiapi.testing.wiki import Wiki

_PASSWORDS = "passwords"
_FAMILY_DOC = "A family with a single wiki, which is under test."


def bot_of(wiki: Wiki) -> str:
    """Return the name of the first declared bot, or else of the first user; "" if there is none."""
    bots = (user.name for user in wiki.users.values() if "bot" in user.groups)
    return next(bots, next(iter(wiki.users), ""))


def mwclient_site(wiki: Wiki, user: str | None = None) -> Any:
    """Return an ``mwclient.Site`` for a wiki, which is served on a local port.

    Args:
        wiki: the wiki.
        user: the user to log in as, by default the first declared bot or user; empty for none.

    Raises:
        ImportError: mwclient is not installed.
        UndeclaredUser: no such user is declared.
    """
    import mwclient

    name = bot_of(wiki) if user is None else user
    site = mwclient.Site(
        wiki.host,
        scheme="http",
        path=wiki.script_path,
        max_retries=3,
        retry_timeout=0,
        force_login=bool(name) and wiki.site.config.site.writable,
    )
    if name and wiki.site.config.site.writable:
        site.login(name, wiki.users[name].secret)
    return site


def pywikibot_site(wiki: Wiki, user: str | None = None) -> Any:
    """Return a Pywikibot site for a wiki, which is served on a local port.

    Pywikibot reads no configuration, does not wait between edits, and keeps cookies, caches and
    logs in a temporary folder. Each wiki has its own family, since Pywikibot caches families.

    Args:
        wiki: the wiki.
        user: the user to log in as, by default the first declared bot or user; empty for none.

    Raises:
        ImportError: Pywikibot is not installed.
        UndeclaredUser: no such user is declared.
    """
    os.environ |= {"PYWIKIBOT_NO_USER_CONFIG": "2", "PYWIKIBOT_DIR": str(_folder())}
    import pywikibot
    from pywikibot import config
    from pywikibot.family import SingleSiteFamily
    from pywikibot.login import ClientLoginManager

    config.base_dir = str(_folder())
    config.put_throttle = config.minthrottle = config.maxthrottle = config.retry_wait = 0
    config.noisysleep = 0
    config.max_retries = 3
    host, path = wiki.host, wiki.script_path.rstrip("/")

    class Family(SingleSiteFamily):  # type: ignore[misc, unused-ignore]
        __doc__ = _FAMILY_DOC

        name = f"wiki{host.rpartition(':')[2]}"
        domain = host

        def protocol(self, code: str) -> str:
            """Return the protocol."""
            return "http"

        def scriptpath(self, code: str) -> str:
            """Return the path of ``api.php``."""
            return path

    name = bot_of(wiki) if user is None else user
    config.password_file = str(_folder() / _PASSWORDS)
    site = pywikibot.Site(Family.name, Family(), user=name or None)
    _wait_as_told(site.throttle)
    if name and wiki.site.config.site.writable:
        password = wiki.users[name].secret
        # Used when the session is lost. Pywikibot takes the last line that matches.
        with (_folder() / _PASSWORDS).open("a", encoding="utf-8") as file:
            file.write(f"{(Family.name, Family.name, name, password)!r}\n")
        ClientLoginManager(password=password, site=site, user=name).login()
        site.login()
    return site


def _wait_as_told(throttle: Any) -> None:
    """Let Pywikibot wait for lagging replicas only as long as ``Retry-After`` says.

    It takes 0 for no answer, and waits as long as the replicas lag.
    """
    wait = throttle.lag
    throttle.lag = lambda seconds=None: wait(seconds if throttle.retry_after else 0)


@cache
def _folder() -> Path:
    """Return a folder for the files of Pywikibot, which is removed when the process ends."""
    folder = TemporaryDirectory(prefix="wikiapi-pywikibot-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / _PASSWORDS
    file.touch(mode=0o600)
    return Path(folder.name)
