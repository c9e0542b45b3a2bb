"""Small dumps for tests."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

NAMESPACES = {
    -1: "Special",
    0: "",
    1: "Talk",
    4: "Tests",
    6: "File",
    10: "Template",
    14: "Category",
}


def dump(*items: str, version: str = "0.11", wiki_id: str = "testwiki") -> bytes:
    """Return a whole export of pages and log entries."""
    entries = "".join(
        f'<namespace key="{number}" case="first-letter">{name}</namespace>'
        for number, name in NAMESPACES.items()
    )
    return (
        f'<mediawiki version="{version}" xml:lang="en">\n<siteinfo><sitename>Tests</sitename>'
        f"<dbname>{wiki_id}</dbname><base>https://tests.example/wiki/Main_Page</base>"
        "<generator>MediaWiki 1.45.0</generator><case>first-letter</case>"
        f"<namespaces>{entries}</namespaces></siteinfo>\n{''.join(items)}</mediawiki>\n"
    ).encode()


def page(title: str, page_id: int, *revisions: str, ns: int = 0, more: str = "") -> str:
    """Return a page; without revisions it gets one with its own id."""
    body = "".join(revisions or (revision(page_id, f"Text of {title}"),))
    head = f"<title>{escape(title)}</title><ns>{ns}</ns><id>{page_id}</id>"
    return f"<page>\n{head}{more}\n{body}</page>\n"


def revision(
    number: int,
    text: str,
    *,
    parent: int = 0,
    day: int = 1,
    who: str = "<username>Ada</username><id>7</id>",
    more: str = "",
    model: str = "wikitext",
    attributes: str = "",
) -> str:
    """Return a revision of the given day of January 2024."""
    parent_id = f"<parentid>{parent}</parentid>" if parent else ""
    return (
        f"<revision><id>{number}</id>{parent_id}"
        f"<timestamp>2024-01-{day:02}T00:00:{number % 60:02}Z</timestamp>"
        f"<contributor>{who}</contributor>{more}<origin>{number}</origin>"
        f"<model>{model}</model><format>text/x-wiki</format>"
        f'<text xml:space="preserve"{attributes}>{escape(text)}</text></revision>\n'
    )


def redirect(target: str) -> str:
    """Return the element that marks a redirect."""
    return f"<redirect title={quoteattr(target)} />"
