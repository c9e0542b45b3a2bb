"""The results of a benchmark: printed as a table, and written to bench/results/.

``NAME.json`` holds the last run; every run adds a line to ``NAME.history.jsonl``.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Figure:
    """A measured value.

    ``ratio`` compares it with the minimal program. ``target`` is an upper bound of the ratio or of
    the value, whichever ``target_of`` names.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None
    target: float | None = None
    target_of: str = "ratio"

    @property
    def met(self) -> bool | None:
        """Whether the target is met; ``None`` if there is none."""
        measured = self.ratio if self.target_of == "ratio" else self.value
        return None if self.target is None or measured is None else measured <= self.target


def publish(benchmark: str, figures: Sequence[Figure]) -> bool:
    """Print the figures and write them to files; return whether all targets are met.

    The column ``before`` compares the value, or the ratio if there is one, with that of the
    previous run: 0.90 is ten per cent less.
    """
    before = _last(benchmark)
    print(f"\n{benchmark} ({_machine()})")
    print(f"  {'':32}{'value':>12}{'ratio':>9}{'before':>9}{'target':>9}")
    for figure in figures:
        print(_line(figure, before.get(figure.name, {})))
    _write_results(benchmark, [{**asdict(figure), "met": figure.met} for figure in figures])
    return all(figure.met is not False for figure in figures)


def _machine() -> str:
    load = f"{os.getloadavg()[0]:.1f} running processes on {os.cpu_count()} cores"
    return f"Python {platform.python_version()}, {platform.machine()}, {load}"


def _last(benchmark: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the figures of the last run by name; empty if there was no run."""
    file = RESULTS / f"{benchmark}.json"
    if not file.is_file():
        return {}
    return {row["name"]: row for row in json.loads(file.read_text(encoding="utf-8"))["figures"]}


def _write_results(benchmark: str, rows: Sequence[Mapping[str, Any]]) -> None:
    RESULTS.mkdir(exist_ok=True)
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    results = {"benchmark": benchmark, "when": when, "machine": _machine(), "figures": rows}
    (RESULTS / f"{benchmark}.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    with (RESULTS / f"{benchmark}.history.jsonl").open("a", encoding="utf-8") as history:
        history.write(json.dumps(results) + "\n")


def _line(figure: Figure, before: Mapping[str, Any]) -> str:
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    target = "" if figure.target is None else f"<= {figure.target:g}"
    verdict = {None: "", True: "  met", False: "  MISSED"}[figure.met]
    value = f"{figure.value:.3f} {figure.unit}"
    change = _change(figure, before)
    return f"  {figure.name:32}{value:>12}{ratio:>9}{change:>9}{target:>9}{verdict}"


def _change(figure: Figure, before: Mapping[str, Any]) -> str:
    by_ratio = figure.ratio is not None and figure.ratio != 1.0
    now, then = (
        (figure.ratio if by_ratio else figure.value),
        before.get("ratio" if by_ratio else "value"),
    )
    return f"x{now / then:.2f}" if now and then else ""
