"""Runs of libFuzzer, which lets coverage lead (https://llvm.org/docs/LibFuzzer.html).

What it finds worth keeping is collected in ``.state/fuzz/TARGET``, from where ``--merge`` takes
what reaches something new into the corpus.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import atheris
from hypothesis import HealthCheck, given, settings

from tests.fuzz import corpus
from tests.fuzz.target import Opened

WORK = Path(".state") / "fuzz"
LONGEST = 600
"""Bytes of an input: what is found is to be read by people."""
_STUCK = 60
"""Seconds after which an input counts as endless."""
_MEGABYTES = 2048


def run(name: str, opened: Opened, seconds: float, seed: int | None) -> None:
    """Fuzz for a time; ends the process, with a status other than 0 if something was found."""
    limits = [f"-timeout={_STUCK}", f"-rss_limit_mb={_MEGABYTES}", f"-max_len={LONGEST}"]
    options = [f"-max_total_time={int(seconds)}", "-print_final_stats=1", *limits]
    options += [f"-seed={seed}"] if seed is not None else []
    start(name, opened, [*options, *_folders(name)] if opened.read else options)


def start(name: str, opened: Opened, options: Sequence[str]) -> None:
    """Let libFuzzer do what options of its own say; never returns."""
    WORK.mkdir(parents=True, exist_ok=True)
    words = WORK / f"{name}.dict"
    words.write_text("".join(map(_quoted, dict.fromkeys(opened.words))), encoding="ascii")
    # Where it needs processes of its own, libFuzzer has the shell run its own name with options.
    again = f"{sys.executable} -m tests.fuzz {name} --atheris --"
    atheris.Setup([again, f"-artifact_prefix={WORK}/", f"-dict={words}", *options], _test(opened))
    atheris.Fuzz()


def merge(name: str) -> None:
    """Add to the corpus the smallest of the collected inputs that reach more lines than it does."""
    (corpus.FOLDER / name).mkdir(parents=True, exist_ok=True)
    options = ["-set_cover_merge=1", "-use_counters=0", *reversed(_folders(name))]
    command = [sys.executable, "-m", "tests.fuzz", name, "--atheris", "--", *options]
    subprocess.run(command, check=True)


def _folders(name: str) -> list[str]:
    """Create and return the folder for new inputs, and return the corpus if there is one."""
    (WORK / name).mkdir(parents=True, exist_ok=True)
    return [str(folder / name) for folder in (WORK, corpus.FOLDER) if (folder / name).is_dir()]


def _test(opened: Opened) -> object:
    read, check = opened.read, opened.check
    if read is not None:
        return lambda data: check(read(data))

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(opened.inputs)
    def chosen(value: object) -> None:
        check(value)

    return chosen.hypothesis.fuzz_one_input  # type: ignore[attr-defined]


def _quoted(word: str) -> str:
    data = word.encode("utf-8", "surrogatepass")
    return '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"\n' if data else ""
