"""``python -m bench.peer [ROUNDS]``: compare with MediaWiki; exit with 1 if a target is missed.

``--only`` measures a part: the ``import`` of the dump, or with the store of the last import,
``requests`` that read, or ``writing``. ``--lua-pages N`` imports a generated dump of pages that
call modules.
"""

from __future__ import annotations

import argparse
import sys

from bench.peer.run import PARTS, run


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.peer")
    parser.add_argument("rounds", nargs="?", type=int, default=5)
    parser.add_argument("--only", choices=PARTS, default="")
    parser.add_argument("--lua-pages", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    arguments = _parse_arguments()
    sys.exit(0 if run(arguments.rounds, arguments.only, arguments.lua_pages) else 1)
