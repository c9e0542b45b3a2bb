from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from wikiapi_plugins.editing.files.verification import HostileSvg, check_svg


@pytest.mark.parametrize("case", cases("editing/svg.json"))
def test_drawings(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    svg = case["svg"].replace("{padding}", case.get("padding", "") * 70_000)
    path.write_text(svg, case.get("encoding", "utf-8"))
    if "refused" not in case:
        check_svg(path)
        return
    with pytest.raises(HostileSvg) as caught:
        check_svg(path)
    assert list(caught.value.args) == case["refused"]


def test_a_drawing_with_very_long_styles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "styles.svg"
    style = f"<style>{'a{b:url(#c)}' * 1000}</style>"
    svg = "<svg xmlns='http://www.w3.org/2000/svg'>"
    path.write_text(f"{svg}{style * 2}</svg>")
    check_svg(path)
    path.write_text(f"{svg}{style * 100}</svg>")
    with pytest.raises(HostileSvg):
        check_svg(path)


def test_a_deep_drawing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text("<svg xmlns='http://www.w3.org/2000/svg'>" + "<g>" * 10_000)
    with pytest.raises(HostileSvg):
        check_svg(path)
