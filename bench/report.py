"""What a benchmark found: printed as a table, and kept as JSON in bench/results/."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Figure:
    """One measured value. ``ratio`` is to the bare program; ``target`` bounds it from above."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    target: float | None = None
    of: str = "ratio"

    @property
    def met(self) -> bool | None:
        """Whether the target is met; ``None`` where there is none."""
        measured = self.ratio if self.of == "ratio" else self.value
        return None if self.target is None or measured is None else measured <= self.target


def publish(benchmark: str, figures: Sequence[Figure]) -> bool:
    """Print the figures and write them to a file; says whether all targets are met."""
    print(f"\n{benchmark} (Python {platform.python_version()}, {platform.machine()})")
    print(f"  {'':32}{'value':>12}{'ratio':>9}{'target':>9}")
    for figure in figures:
        print(_line(figure))
    RESULTS.mkdir(exist_ok=True)
    rows = [{**asdict(figure), "met": figure.met} for figure in figures]
    text = json.dumps({"benchmark": benchmark, "figures": rows}, indent=1)
    (RESULTS / f"{benchmark}.json").write_text(text + "\n", encoding="utf-8")
    return all(figure.met is not False for figure in figures)


def _line(figure: Figure) -> str:
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    target = "" if figure.target is None else f"<= {figure.target:g}"
    verdict = {None: "", True: "  met", False: "  MISSED"}[figure.met]
    value = f"{figure.value:.3f} {figure.unit}"
    return f"  {figure.name:32}{value:>12}{ratio:>9}{target:>9}{verdict}"
