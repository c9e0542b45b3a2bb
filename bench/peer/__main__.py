"""``python -m bench.peer [ROUNDS]``: measure beside MediaWiki; status 1 when a target is missed."""

from __future__ import annotations

import sys

from bench.peer.run import run

if __name__ == "__main__":
    sys.exit(0 if run(int(sys.argv[1]) if sys.argv[1:] else 5) else 1)
