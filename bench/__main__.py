"""``python -m bench [NAME]...``: run the benchmarks; status 1 when a target is missed.

``--minutes`` is for the benchmark ``load``, which takes ten of them and so runs only when named.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from bench import load

BENCHMARKS = ("http", "modules", "importing", "kills", "hostile", "scribunto", "reader")
ON_REQUEST = ("load",)


def main(names: list[str], minutes: float = load.MINUTES) -> int:
    """Run the benchmarks named, or all that are not for minutes."""
    unknown = set(names) - {*BENCHMARKS, *ON_REQUEST}
    if unknown:
        print(f"no benchmark {min(unknown)!r}; there are {', '.join((*BENCHMARKS, *ON_REQUEST))}")
        return 2
    met = [
        load.run(minutes) if name == "load" else import_module(f"bench.{name}").run()
        for name in names or BENCHMARKS
    ]
    return 0 if all(met) else 1


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=load.MINUTES)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    given = _parsed(sys.argv[1:])
    sys.exit(main(given.names, given.minutes))
