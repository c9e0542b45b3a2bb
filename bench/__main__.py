"""``python -m bench [NAME]...``: run benchmarks; the exit status is 1 if a target is missed.

``--minutes`` is the duration of the benchmarks ``load`` (ten by default) and ``soak`` (thirty),
which run only if they are named. ``--pages`` is the number of pages of the wiki that ``growth`` and
``millions`` generate.
"""

from __future__ import annotations

import argparse
import signal
import sys
from importlib import import_module

from bench import growth

BENCHMARKS = (
    "http", "startup", "modules", "growth", "parsing", "importing", "kills", "hostile", "scribunto",
    "reader", "streaming", "editing",
)  # fmt: skip
ONLY_BY_NAME = (
    "cores", "load", "millions", "parsoid", "scaling", "soak", "steps", "worst", "writers",
    "writekills",
)  # fmt: skip


def main(names: list[str], minutes: float | None = None, pages: int = growth.PAGES) -> int:
    """Run benchmarks, by default all except those that take minutes; return the exit status."""
    unknown = set(names) - {*BENCHMARKS, *ONLY_BY_NAME}
    if unknown:
        print(f"unknown benchmark {min(unknown)!r}: use {', '.join((*BENCHMARKS, *ONLY_BY_NAME))}")
        return 2
    options: dict[str, tuple[float, ...]] = {"growth": (pages,), "millions": (pages,)}
    if minutes is not None:
        options |= {"load": (minutes,), "soak": (minutes,)}
    met = [
        import_module(f"bench.{name}").run(*options.get(name, ())) for name in names or BENCHMARKS
    ]
    return 0 if all(met) else 1


def _parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--pages", type=int, default=growth.PAGES)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    # As Ctrl-C does, so that servers are stopped; a job in the background ignores SIGINT otherwise.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    arguments = _parse_arguments(sys.argv[1:])
    sys.exit(main(arguments.names, arguments.minutes, arguments.pages))
