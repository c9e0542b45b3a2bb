"""``python -m tests.reference.run``: replay the recorded answers against the reference wikis."""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import nullcontext, suppress

from tests.reference import material, ratchet, writing
from tests.reference.replay import WILD, replay
from tests.reference.wikis import serving
from tests.servers import SERVERS, Server, running


def main(arguments: Sequence[str] | None = None) -> int:
    """Run check.py with the options given, or serve, or raise the ratchet."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Other options go to check.py.")
    parser.add_argument("--serve", action="store_true", help="serve the wikis until interrupted")
    parser.add_argument("--update-ratchet", action="store_true", help="record what passes now")
    parser.add_argument("--only", help="kinds of recorded answers, separated by commas")
    parser.add_argument("--server", choices=sorted(SERVERS), help="serve copies on such a server")
    options, rest = parser.parse_known_args(arguments)
    if not material.available():
        print(material.MISSING, file=sys.stderr)
        return 2
    with running(options.server) if options.server else nullcontext() as server:
        if options.serve:
            return serve(server)
        return update_ratchet() if options.update_ratchet else check(options.only, rest, server)


def serve(server: Server | None = None) -> int:
    """Serve the wikis until interrupted."""
    with serving(server) as wikis, writing.served() as (written, _):
        print(f"RefWiki     {wikis.refwiki}\nRefCommons  {wikis.commonswiki}")
        print(f"WildWiki    {wikis.wildwiki}\nWriteWiki   {written}")
        print(f"A request for {writing.RESET} of the last resets it. Ctrl-C stops.")
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


def check(only: str | None, options: Sequence[str], server: Server | None = None) -> int:
    """Run check.py against the wikis, with its own options, and play the sessions of writing."""
    kinds = only.split(",") if only else []
    others = [kind for kind in kinds if kind not in {WILD, writing.KIND}]
    status = 0
    if kinds != [writing.KIND]:
        with serving(server) as wikis:
            if others or not kinds:
                some = ["--only", ",".join(others)] if others else []
                status = _compare(wikis.refwiki, [*some, *options])
            if WILD in kinds or not kinds:
                status = _compare(wikis.wildwiki, ["--only", WILD, *options]) or status
    if not kinds or writing.KIND in kinds:
        score = writing.play_all()
        print(writing.report(score))
        status = status or int(bool(score.failures))
    return status


def _compare(base: str, options: Sequence[str]) -> int:
    """Run check.py against a wiki, and return its exit status."""
    program = [sys.executable, str(material.RECORDED / "check.py"), "--base", base]
    return subprocess.run([*program, *options], check=False).returncode


def update_ratchet() -> int:
    """Replay everything and raise the ratchet to what passes now."""
    with serving() as wikis:
        score = replay(wikis.refwiki)
        score += replay(wikis.wildwiki, WILD)
    score += writing.play_all()
    recorded = ratchet.load()
    for drop in ratchet.drops(recorded, score.passed):
        print(f"not lowered: {drop}")
    passes = {group: count for group, count in score.passed.items() if count}
    ratchet.save(ratchet.raised(recorded, passes))
    ratchet.save(ratchet.by_kind(score.total), ratchet.CASES)
    print(f"{sum(score.passed.values())} of {sum(score.total.values())} cases pass")
    return 0


if __name__ == "__main__":
    sys.exit(main())
