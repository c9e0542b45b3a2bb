"""``python -m tests.reference.run``: replay the recorded answers against the reference wikis."""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, nullcontext, suppress
from typing import NamedTuple

from tests.reference import langwikis, material, parsoid, ratchet, rest, settingwikis, writing
from tests.reference.replay import WILD, Score, Serving, replay, replay_wikis, run_program
from tests.reference.wikis import serving
from tests.servers import SERVERS, Server, running


class Variations(NamedTuple):
    """The first wiki in several forms, each with recorded answers of its own.

    ``kind`` and ``key`` are those of :func:`replay_wikis`.
    """

    kind: str
    key: str
    names: Callable[[], Iterable[str]]
    serving: Serving


_VARIATIONS = (
    Variations(langwikis.KIND, langwikis.KEY, langwikis.languages, langwikis.serving),
    Variations(settingwikis.KIND, settingwikis.KEY, settingwikis.variants, settingwikis.serving),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run check.py with the options given, or serve, or raise the ratchet."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Other options go to check.py.")
    parser.add_argument("--serve", action="store_true", help="serve the wikis until interrupted")
    parser.add_argument("--update-ratchet", action="store_true", help="record what passes now")
    parser.add_argument("--only", help="kinds of recorded answers, separated by commas")
    parser.add_argument("--lang", help="languages for --only lang, separated by commas")
    parser.add_argument("--variant", help="settings for --only settings, separated by commas")
    parser.add_argument("--server", choices=sorted(SERVERS), help="serve copies on such a server")
    options, others = parser.parse_known_args(arguments)
    if not material.available():
        print(material.MISSING, file=sys.stderr)
        return 2
    for each in _VARIATIONS:
        names = vars(options)[each.key]
        if options.only == each.kind and not options.serve:
            chosen = names.split(",") if names else each.names()
            return run_program(each.kind, each.key, chosen, each.serving, others)
    with running(options.server) if options.server else nullcontext() as server:
        if options.serve:
            return serve(options.only, server)
        return update_ratchet() if options.update_ratchet else check(options.only, others, server)


def serve(only: str | None = None, server: Server | None = None) -> int:
    """Serve the wikis until interrupted; in other languages unless ``only`` is ``settings``."""
    with ExitStack() as stack:
        wikis = stack.enter_context(serving(server))
        written, _ = stack.enter_context(writing.served())
        print(f"RefWiki     {wikis.refwiki}\nRefCommons  {wikis.commonswiki}")
        print(f"WildWiki    {wikis.wildwiki}\nWriteWiki   {written}")
        variations = _VARIATIONS[only == settingwikis.KIND]
        for name in variations.names():
            print(f"{name:<11} {stack.enter_context(variations.serving(name))}")
        print(f"A request for {writing.RESET} of the last resets it. Ctrl-C stops.")
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


def check(only: str | None, options: Sequence[str], server: Server | None = None) -> int:
    """Run check.py against the wikis, with its own options, and play the sessions of writing."""
    kinds = only.split(",") if only else []
    apart = {writing.KIND, *(each.kind for each in _VARIATIONS)}
    others = [kind for kind in kinds if kind not in {WILD, rest.KIND, parsoid.KIND, *apart}]
    status = 0
    if not apart.issuperset(kinds) or not kinds:
        with serving(server) as wikis:
            if others or not kinds:
                some = ["--only", ",".join(others)] if others else []
                status = _compare(wikis.refwiki, [*some, *options])
            if rest.KIND in kinds or not (kinds or "--group" in options):
                rest.run(wikis.refwiki, options)
            if parsoid.KIND in kinds or not (kinds or "--group" in options):
                parsoid.run(wikis.refwiki, options)
            if WILD in kinds or not kinds:
                status = _compare(wikis.wildwiki, ["--only", WILD, *options]) or status
    if not kinds or writing.KIND in kinds:
        score = writing.play_all()
        print(writing.report(score))
        status = status or int(bool(score.failures))
    for each in _VARIATIONS:
        if each.kind in kinds or not (kinds or "--group" in options):
            run_program(each.kind, each.key, each.names(), each.serving, options)
    return status


def _compare(base: str, options: Sequence[str]) -> int:
    """Run check.py against a wiki, and return its exit status."""
    program = [sys.executable, str(material.RECORDED / "check.py"), "--base", base]
    return subprocess.run([*program, *options], check=False).returncode


def replay_variations() -> Score:
    """Replay the answers of the first wiki in other languages and with other settings."""
    score = Score()
    for each in _VARIATIONS:
        score += replay_wikis(each.kind, each.key, each.names(), each.serving)
    return score


def update_ratchet() -> int:
    """Replay everything and raise the ratchet to what passes now."""
    with serving() as wikis:
        score = replay(wikis.refwiki)
        score += replay(wikis.wildwiki, WILD)
        score += rest.replay_rest(wikis.refwiki)
        score += parsoid.replay_parsoid(wikis.refwiki)
    score += writing.play_all()
    score += replay_variations()
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
