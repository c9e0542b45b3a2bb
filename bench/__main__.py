"""``python -m bench [NAME]...``: run the benchmarks; status 1 when a target is missed."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = ("http", "modules", "importing", "kills", "hostile", "scribunto", "reader")


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all."""
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        print(f"no benchmark {min(unknown)!r}; there are {', '.join(BENCHMARKS)}")
        return 2
    met = [import_module(f"bench.{name}").run() for name in names or BENCHMARKS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
