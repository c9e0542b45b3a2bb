"""The wiki whose worst requests are searched: hostile templates, long histories, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikiapi.config import NamespaceConfig
from wikiapi.testing import DeclaredUser, Edit, make_site
from wikiapi.testing.declaration import History

ADMIN, USER, LIGHT = "Admin", "Plain user", "Light user"
"""Accounts that send requests: with all rights, with the usual ones, and at the side."""
OTHERS = ("Ada", "Bob", "Carol", "Dora")
"""Accounts that may be blocked, renamed and so on."""
GROUPS = ("sysop", "bureaucrat", "suppress", "interface-admin", "bot")
MANY = 400
"""The pages of a category, with a template that all of them use."""
SUBPAGES = 120
REVISIONS = 300
LINES = 12_000
STORE = "wiki.sqlite"
NAMESPACES = (
    NamespaceConfig(828, "Module", subpages=True),
    NamespaceConfig(829, "Module talk", subpages=True),
)
_MODULE = Path(__file__).with_name("hostile.lua")


def pages() -> dict[str, History]:
    """Return the pages."""
    words = "".join(f"line {n} of many {n * n}\n" for n in range(LINES))
    other = "".join(f"line {n * 2} of some {n * n}\n" for n in range(LINES))
    sections = "".join(
        f"<section begin=s{n} />a{n} [[b]]<section end=s{n} />\n" for n in range(800)
    )
    return {
        "Main Page": "Welcome to [[Sections]].",
        "Quiet": "quiet",
        "Sections": sections,
        "Lines": [
            Edit(words, user="Ada"),
            Edit(other, user="Bob"),
            Edit("".join(f"== h{n} ==\n{n}\n" for n in range(1500)), user="Carol"),
        ],
        "Long": "'''Word''' [[Many 1]] {{Echo|a}} and so on.\n\n" * 6_000,
        "Long 2": "a" * 1_000_000,
        "History": [Edit(f"text {n}\n" * 20, user=OTHERS[n % 4]) for n in range(REVISIONS)],
        "History 2": [Edit(f"other {n}\n" * 20, user=OTHERS[n % 4]) for n in range(REVISIONS)],
        "Gone": [Edit(f"text {n}", user="Ada") for n in range(50)],
        "Cascading": "".join(f"{{{{:Many {n}}}}}" for n in range(100)),
        "Tree": "root",
        **{f"Tree/Sub {n}": f"[[Tree]] {{{{Used|{n}}}}}" for n in range(SUBPAGES)},
        **{f"Talk:Tree/Sub {n}": f"talk {n}" for n in range(0, SUBPAGES, 3)},
        **{
            f"Many {n}": f"{{{{Used|{n}}}}} [[Many {n + 1}]] [[Many 1]] == h ==\n[[File:Photo.png]]"
            f" <section begin=a />x<section end=a /> [[Category:Many]] [[Category:C{n % 7}]]"
            for n in range(MANY)
        },
        **{f"Category:C{n}": "[[Category:Many]]" for n in range(20)},
        "Category:Many": "[[Category:Many]]",
        "Category:No members": "x",
        "Redirect": "#REDIRECT [[Many 1]]",
        "File:Photo.png": "a photo",
        "MediaWiki:Edit": "Edit {{Wide}}",
        "MediaWiki:Gadgets-definition": "* a[ResourceLoader]|a.js\n" * 50,
        **{title: _only_included(text) for title, text in _templates()},
        "Module:Hostile": _MODULE.read_text(encoding="utf-8"),
        "Module:Data": "local t = {} for i = 1, 50000 do t[i] = i end return {a = t}",
    }


def _only_included(history: History) -> History:
    """Return a template that is empty on its own page, which costs less to import."""
    return f"<includeonly>{history}</includeonly>" if isinstance(history, str) else history


def _templates() -> Iterator[tuple[str, History]]:
    yield "Template:Echo", "{{{1|}}}{{{a|}}}"
    yield "Template:Twice", "{{{1}}}{{{1}}}"
    yield "Template:Wide", "{{Echo|a}}" * 500
    yield "Template:Used", "{{Echo|{{{1|}}}}} [[Category:Used]] [[Main Page]]"
    yield "Template:Large", ",".join(f"a{n}" for n in range(20_000))
    yield "Template:Self", "{{Self}}"
    yield "Template:Ping", "{{Pong}}"
    yield "Template:Pong", "{{Ping}}"
    yield "Template:Switch", "{{#switch:{{{1}}}" + "".join(f"|{n}=v{n}" for n in range(3000)) + "}}"
    yield "Template:Table", "{|\n" + "|-\n| a || {{Echo|b}}\n" * 500 + "|}\n"
    yield "Template:Lists", "".join("*" * (1 + n % 30) + f"a{n}\n" for n in range(500))
    yield "Template:Refs", "".join(f"<ref name=r{n}>x{n}</ref>" for n in range(300))
    rows = "".join(
        f"<data source=d{n}><label>l</label><default>x</default></data>" for n in range(200)
    )
    yield "Template:Boxed", f"<infobox><title source=a/>{rows}</infobox>"
    yield "Template:Styles.css", Edit(".a { color: red }", model="sanitized-css")
    rules = "".join(
        f".a{n} > .b:hover {{ color: red; width: calc(1px + {n}px) }}\n" for n in range(2000)
    )
    yield "Template:Long.css", Edit(rules, model="sanitized-css")
    for n in range(100):
        yield f"Template:Deep {n}", f"{{{{Deep {n + 1}|{{{{{{1|x}}}}}}}}}}"
    yield "Template:Deep 100", "{{{1|}}}"
    yield "Template:Double 0", "{{{1}}}"
    for n in range(1, 22):
        yield f"Template:Double {n}", f"{{{{Double {n - 1}|{{{{{{1}}}}}}{{{{{{1}}}}}}}}}}"


def make_store(path: Path) -> None:
    """Write the store of the wiki to a file."""
    site = make_site(
        pages(),
        users=[
            DeclaredUser(ADMIN, groups=GROUPS),
            *(DeclaredUser(name) for name in (USER, LIGHT, *OTHERS)),
        ],
        interwiki={"de": "https://de.example/$1"},
        namespaces=NAMESPACES,
        path=path,
        writable=True,
    )
    site.db.close()


def settings(store: Path, files: Path, port: int) -> Mapping[str, Any]:
    """Return the settings: all extensions that ship with wikiapi, and uploads."""
    return {
        "site": {"name": "Worst", "writable": True, "main_subpages": True},
        "database": {"url": f"sqlite:///{store}"},
        "http": {"listen": f"127.0.0.1:{port}", "debug_info": "off"},
        "files": {"folder": str(files), "svg_thumbnails": True},
        "editing": {
            "upload_types": ["png", "gif", "jpg", "jpeg", "webp", "svg", "txt"],
            "page_languages": True,
            "watchlist_expiry": True,
            "email": False,
        },
        "extensions.userfunctions": {"namespaces": [0, 4, 10]},
        "extensions.displaytitle": {},
        "extensions.commonsmetadata": {},
    }
