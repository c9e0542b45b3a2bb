"""The XML of the dumps that are generated for benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

START = datetime(2020, 1, 1, tzinfo=UTC)
END = "</mediawiki>\n"

_HEADER = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>{name}</sitename>
    <dbname>{dbname}</dbname>
    <base>http://localhost/wiki/Main_Page</base>
    <generator>MediaWiki 1.45.0</generator>
    <case>first-letter</case>
{namespaces}  </siteinfo>
"""
_NAMESPACE = '      <namespace key="{id}" case="first-letter"{name}\n'
_PAGE = """\
  <page>
    <title>{title}</title>
    <ns>{ns}</ns>
    <id>{id}</id>
    <revision>
      <id>{revision}</id>
      <timestamp>{timestamp}</timestamp>
      <contributor>
        <username>Editor {user}</username>
        <id>{user}</id>
      </contributor>
      <comment>written for a benchmark</comment>
      <origin>{revision}</origin>
      <model>{model}</model>
      <format>{form}</format>
      <text bytes="{size}" xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


def header(name: str, dbname: str, namespaces: Mapping[int, str]) -> str:
    """Return the beginning of a dump; without namespaces, the importer uses its own."""
    listed = "".join(
        _NAMESPACE.format(id=key, name=f">{escape(text)}</namespace>" if text else " />")
        for key, text in namespaces.items()
    )
    if listed:
        listed = f"    <namespaces>\n{listed}    </namespaces>\n"
    return _HEADER.format(name=escape(name), dbname=dbname, namespaces=listed)


def page(
    number: int,
    ns: int,
    title: str,
    text: str,
    *,
    model: str = "wikitext",
    form: str = "text/x-wiki",
    user: int = 1,
    revision: int = 0,
) -> str:
    """Return a page with one revision.

    The id of the revision is that of the page by default, and determines its time in minutes.
    """
    revision = revision or number
    moment = START + timedelta(minutes=revision)
    return _PAGE.format(
        title=escape(title),
        ns=ns,
        id=number,
        revision=revision,
        timestamp=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        user=user,
        model=model,
        form=form,
        size=len(text.encode()),
        text=escape(text),
    )
