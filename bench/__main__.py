"""``python -m bench [NAME]...``: run the benchmarks; status 1 when a target is missed.

``--minutes`` is for the benchmark ``load``, which takes ten of them and so runs only when named;
``--pages`` for ``growth``, which makes a wiki of so many.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from bench import growth, load

BENCHMARKS = (
    "http", "startup", "modules", "growth", "parsing", "importing", "kills", "hostile", "scribunto",
    "reader", "streaming",
)  # fmt: skip
ON_REQUEST = ("load",)


def main(names: list[str], minutes: float = load.MINUTES, pages: int = growth.PAGES) -> int:
    """Run the benchmarks named, or all that are not for minutes."""
    unknown = set(names) - {*BENCHMARKS, *ON_REQUEST}
    if unknown:
        print(f"no benchmark {min(unknown)!r}; there are {', '.join((*BENCHMARKS, *ON_REQUEST))}")
        return 2
    options: dict[str, tuple[float, ...]] = {"load": (minutes,), "growth": (pages,)}
    met = [
        import_module(f"bench.{name}").run(*options.get(name, ())) for name in names or BENCHMARKS
    ]
    return 0 if all(met) else 1


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=load.MINUTES)
    parser.add_argument("--pages", type=int, default=growth.PAGES)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    given = _parsed(sys.argv[1:])
    sys.exit(main(given.names, given.minutes, given.pages))
