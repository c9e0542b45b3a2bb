"""``python -m bench.peer [ROUNDS]``: measure beside MediaWiki; status 1 when a target is missed.

``--only import`` measures nothing but the import of the dump, ``--only requests`` all else, with
the store that the last import has left.
"""

from __future__ import annotations

import argparse
import sys

from bench.peer.run import IMPORT, REQUESTS, run


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.peer")
    parser.add_argument("rounds", nargs="?", type=int, default=5)
    parser.add_argument("--only", choices=(IMPORT, REQUESTS), default="")
    return parser.parse_args()


if __name__ == "__main__":
    given = _parsed()
    sys.exit(0 if run(given.rounds, given.only) else 1)
