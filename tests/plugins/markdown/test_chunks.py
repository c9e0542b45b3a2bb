from __future__ import annotations

from wikiapi_plugins.markdown.chunks import to_chunks
from wikiapi_plugins.markdown.document import to_blocks


def chunks(html: str, size: int = 100) -> list[tuple[tuple[str, ...], str, int, str]]:
    return [(c.path, c.anchor, c.number, c.text) for c in to_chunks(to_blocks(html), size)]


def test_sections_have_paths() -> None:
    html = "<p>i</p><h2 id=A>A</h2><p>a</p><h3 id=B>B</h3><p>b</p><h2 id=C>C</h2><p>c</p>"
    assert chunks(html) == [
        ((), "", 0, "i"),
        (("A",), "A", 0, "a"),
        (("A", "B"), "B", 0, "b"),
        (("C",), "C", 0, "c"),
    ]


def test_parts_are_of_bounded_size() -> None:
    words = " ".join(["word"] * 100)
    parts = chunks(f"<p>{words}</p>" + "<p>short</p>" * 30 + f"<p>{'x' * 350}</p>")
    assert [number for *_, number, _ in parts] == list(range(len(parts)))
    assert all(len(text) <= 100 for *_, text in parts)
    joined = "".join(text for *_, text in parts).replace("\n", "").replace(" ", "")
    assert joined == "word" * 100 + "short" * 30 + "x" * 350


def test_cut_tables_repeat_their_header() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>row</td></tr>" for n in range(30))
    parts = chunks(f"<table><tr><th>n</th><th>what</th></tr>{rows}</table>")
    assert len(parts) > 3
    assert all(text.startswith("| n | what |\n| --- | --- |\n| ") for *_, text in parts)
