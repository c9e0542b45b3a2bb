from __future__ import annotations

import io
from pathlib import Path
from typing import TypeVar

import pytest

from tests.unit.importing.xmldump import dump, page, redirect, revision
from wikiapi.errors import DumpError
from wikiapi.importing.source import DumpLimits
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.records import (
    Contributor,
    DumpRevision,
    DumpSlot,
    Hidden,
    LogItem,
    PageEnd,
    PageHead,
    Record,
    SiteInfo,
    Upload,
)

T = TypeVar("T")
HOSTILE = Path(__file__).parents[3] / "fixtures" / "hostile_dumps"
SMALL = DumpLimits(text_chars=1000, field_chars=100, token_bytes=5000, depth=8, entries=50)


def read(
    data: bytes, limits: DumpLimits | None = None, *, piece: int = 65536, skip: int = 0
) -> list[Record]:
    stream = io.BytesIO(data)
    chunks = iter(lambda: stream.read(piece), b"")
    return list(read_records(chunks, limits, skip))


def only(records: list[Record], kind: type[T]) -> T:
    (single,) = [record for record in records if isinstance(record, kind)]
    return single


def test_siteinfo() -> None:
    info = only(read(dump()), SiteInfo)
    assert (info.name, info.wiki_id, info.language) == ("Tests", "testwiki", "en")
    assert info.first_letter
    assert [(entry.id, entry.name) for entry in info.namespaces][:2] == [(-1, "Special"), (0, "")]


def test_page_with_revision() -> None:
    records = read(dump(page("A & B", 3, revision(9, "x < y\n", parent=8, day=2))))
    assert records[1:] == [
        PageHead(3, 0, "A & B"),
        DumpRevision(
            9, 8, "20240102000009", Contributor("Ada", 7), "", False, 0,
            (DumpSlot("main", "wikitext", "x < y\n", origin=9),),
        ),
        PageEnd(7),
    ]  # fmt: skip


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_size_of_the_pieces_does_not_matter(piece: int) -> None:
    data = dump(page("Ünïcødé 図", 1, revision(1, "é" * 300)), page("B", 2))
    assert read(data, piece=piece) == read(data)


def test_minor_comment_and_address() -> None:
    text = revision(1, "", who="<ip>192.0.2.1</ip>", more="<minor/><comment>why</comment>")
    record = only(read(dump(page("A", 1, text))), DumpRevision)
    assert record.minor
    assert record.comment == "why"
    assert record.contributor == Contributor("192.0.2.1")


def test_suppressed_parts() -> None:
    text = (
        "<revision><id>1</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
        '<contributor deleted="deleted" /><comment deleted="deleted" />'
        "<model>wikitext</model><format>text/x-wiki</format>"
        '<text bytes="9" deleted="deleted" xml:space="preserve" /></revision>'
    )
    record = only(read(dump(page("A", 1, text))), DumpRevision)
    assert record.hidden == Hidden.TEXT | Hidden.COMMENT | Hidden.USER
    assert record.main.absent
    assert record.main.size == 9


def test_further_slots_come_after_the_main_one() -> None:
    content = (
        "<content><role>mediainfo</role><origin>4</origin><model>wikibase-mediainfo</model>"
        "<format>application/json</format><text>{}</text></content>"
    )
    record = only(read(dump(page("A", 1, revision(5, "main", more=content)))), DumpRevision)
    assert [(slot.role, slot.text, slot.origin) for slot in record.slots] == [
        ("main", "main", 5),
        ("mediainfo", "{}", 4),
    ]


def test_redirect_and_restrictions() -> None:
    more = redirect("Talk:B") + "<restrictions>edit=sysop</restrictions>"
    head = only(read(dump(page("A", 1, more=more))), PageHead)
    assert (head.redirect, head.restrictions) == ("Talk:B", "edit=sysop")


def test_format_0_10() -> None:
    old = revision(1, "text").replace("<origin>1</origin>", "")
    record = only(read(dump(page("A", 1, old), version="0.10")), DumpRevision)
    assert record.main == DumpSlot("main", "wikitext", "text", origin=1)


def test_log_entry() -> None:
    item = (
        "<logitem><id>3</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
        "<contributor><username>Ada</username><id>7</id></contributor><comment>c</comment>"
        "<type>move</type><action>move_redir</action><logtitle>A</logtitle>"
        '<params xml:space="preserve">a:0:{}</params></logitem>'
    )
    record = only(read(dump(item)), LogItem)
    assert (record.id, record.type, record.action, record.title) == (3, "move", "move_redir", "A")
    assert record.params == "a:0:{}"


def test_upload_belongs_to_its_page() -> None:
    upload = (
        "<upload><timestamp>2024-01-01T00:00:00Z</timestamp>"
        "<contributor><username>Ada</username><id>7</id></contributor>"
        "<filename>A.png</filename><src>http://x/</src><size>12</size></upload>"
    )
    record = only(read(dump(page("File:A.png", 1, revision(1, ""), upload, ns=6))), Upload)
    assert (record.file_name, record.size, record.archive_name) == ("A.png", 12, "")


def test_unknown_elements_are_passed_over_with_all_they_hold() -> None:
    foreign = "<future><title>no</title><revision><id>x</id></revision></future>"
    plain = read(dump(page("A", 1)))
    assert read(dump(page("A", 1, more=foreign))) == plain
    inside = page("A<future>no</future>", 1).replace("&lt;", "<").replace("&gt;", ">")
    assert only(read(dump(inside)), PageHead).title == "A"


def test_skipped_items_leave_the_rest() -> None:
    data = dump(page("A", 1), page("B", 2), page("C", 3))
    heads = [record.title for record in read(data, skip=2) if isinstance(record, PageHead)]
    assert heads == ["C"]
    assert isinstance(read(data, skip=2)[0], SiteInfo)


@pytest.mark.parametrize("path", sorted(HOSTILE.glob("*.xml")), ids=lambda path: path.stem)
def test_hostile_dump_is_refused_with_its_line(path: Path) -> None:
    """The first line of each file is ``<!-- LINE TEXT -->``: where and why it is refused."""
    data = path.read_bytes()
    line, _, text = data.partition(b"-->")[0].removeprefix(b"<!--").decode().strip().partition(" ")
    with pytest.raises(DumpError, match=text) as caught:
        read(data, SMALL)
    assert caught.value.line == int(line)


def test_depth_of_200_000_is_refused() -> None:
    with pytest.raises(DumpError, match="nested elements"):
        read(dump(page("A", 1, more="<d>" * 200_000)))


def test_text_of_any_size_beyond_the_limit_is_refused() -> None:
    data = dump(page("A", 1, revision(1, "x" * 2000)))
    with pytest.raises(DumpError, match="too long") as caught:
        read(data, SMALL)
    assert caught.value.line == 5


def test_slots_share_the_limit_of_texts() -> None:
    slots = "".join(
        f"<content><role>r{n}</role><model>text</model><text>{'x' * 300}</text></content>"
        for n in range(5)
    )
    with pytest.raises(DumpError, match="too long"):
        read(dump(page("A", 1, revision(1, "x", more=slots))), SMALL)


@pytest.mark.parametrize(
    "begin", ['<page a="', "<page ", "<" + "n" * 10, "<!--", "<?pi "], ids=lambda text: text[:5]
)
def test_token_that_does_not_end_is_refused(begin: str) -> None:
    data = dump(begin + "x" * 20_000)
    with pytest.raises(DumpError, match="without an end"):
        read(data, SMALL, piece=1000)


def test_truncated_dump_is_refused() -> None:
    data = dump(page("A", 1))
    for size in (0, 1, 40, len(data) // 2, len(data) - 14):
        with pytest.raises(DumpError, match="ends too early"):
            read(data[:size])


def test_declared_encoding_is_not_believed() -> None:
    data = b'<?xml version="1.0" encoding="utf-7"?>' + dump(page("é", 1))
    assert only(read(data), PageHead).title == "é"
