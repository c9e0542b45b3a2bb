"""``python -m bench.worst --replay FILE``: send a request of an earlier search again."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from pathlib import Path

from bench.report import RESULTS
from bench.worst import search
from bench.worst.inputs import Request
from bench.worst.measuring import Measured


def main(file: str, times: int) -> int:
    """Send the request of a file to a new server; return 1 if it fails."""
    path = Path(file) if Path(file).exists() else RESULTS / "worst" / f"{file}.json"
    request = Request(**json.loads(path.read_text(encoding="utf-8"))["request"])
    print(request.describe(2000))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        server = Measured(Path(folder))
        try:
            for _ in range(times):
                server.start()
                cost = server.measure(request)
                failed = failed or bool(cost.failure)
                print(search.line("", cost), cost.failure)
        finally:
            server.stop()
    return int(failed)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="python -m bench.worst")
    parser.add_argument("--replay", required=True, metavar="FILE", help="or a name such as read-01")
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    sys.exit(main(arguments.replay, arguments.times))
