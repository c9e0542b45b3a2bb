from __future__ import annotations

from pathlib import Path

import pytest

from wikiapi.importing.files.picturefile import BadPicture, gif_bits, pixel_size, read_svg

NAMESPACE = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


@pytest.mark.parametrize(("flags", "bits"), [(0x80, 1), (0x91, 2), (0xF7, 8), (0x77, 1)])
def test_bits_of_gif(flags: int, bits: int) -> None:
    assert gif_bits(flags) == bits


@pytest.mark.parametrize(
    ("width", "height", "box", "size"),
    [
        ("240", "180", "", (240, 180)),
        ("240px", "180.4", "0 0 1 1", (240, 180)),
        ("", "", "", (512, 512)),
        ("", "", "0 0 200 100", (512, 256)),
        ("", "", "0,0,200,100", (512, 256)),
        ("100", "", "0 0 200 100", (100, 50)),
        ("", "100", "0 0 200 100", (200, 100)),
        ("100%", "100%", "0 0 200 100", (512, 256)),
        ("1in", "10mm", "", (90, 35)),
        ("2em", "2ex", "", (32, 24)),
        ("auto", "none", "0 0 2 1", (512, 256)),
        ("1e400", "5", "", (0, 5)),
        ("-5", "5", "", (0, 5)),
        ("", "", "0 0 0 0", (512, 512)),
        ("", "", "0 0 1e999 1", (512, 512)),
        ("٥", "5", "", (5, 5)),
    ],
)
def test_size_of_svg(width: str, height: str, box: str, size: tuple[int, int]) -> None:
    assert pixel_size(width, height, box) == size


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.svg"
    path.write_text(text, encoding="utf-8")
    return path


def test_metadata_of_svg(tmp_path: Path) -> None:
    svg = (
        f'<svg {NAMESPACE} width="10" height="20"><title>A &amp; B</title><desc>D</desc>'
        "<g><title>not this</title></g></svg>"
    )
    width, height, _, metadata = read_svg(write(tmp_path, svg))
    assert (width, height, metadata["originalWidth"]) == (10, 20, "10")
    assert (metadata["title"], metadata["description"]) == ("A & B", "D")


def test_usual_doctype_of_svg_is_allowed(tmp_path: Path) -> None:
    doctype = (
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"'
        ' "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    )
    assert read_svg(write(tmp_path, f'{doctype}<svg {NAMESPACE} width="5"/>'))[0] == 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "declares entities"),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg/>', "declares entities"),
        ("<html/>", "its root is <html>"),
        ("<svg><script>alert(1)</script></svg>", "contains <script>"),
        ('<svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></svg>', "contains <script>"),
        ("<svg><foreignObject/></svg>", "contains <foreignObject>"),
        ('<svg onload="alert(1)"/>', "attribute onload"),
        ('<svg><a href=" javascript:alert(1)"/></svg>', "links to a script"),
        (f'<svg {NAMESPACE}><a xlink:href="JaVaScRiPt:x"/></svg>', "links to a script"),
        ('<svg><use href="data:text/html,x"/></svg>', "links to a script"),
        ("<svg>" + "<g>" * 600, "nested too deeply"),
        ("<svg", "not well-formed"),
        ("", "not well-formed"),
        ("no xml", "not well-formed"),
    ],
)
def test_unsafe_svg(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(BadPicture, match=reason):
        read_svg(write(tmp_path, text))
