"""The program among others: a pipe that closes, Ctrl-C, no terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from wikiapi.cli.support.group import CommandGroup

PROGRAM = (sys.executable, "-m", "wikiapi")
_PATIENCE = 15.0
"""Seconds in which a program that is interrupted ends."""
_ATTEMPTS = 8


def test_a_closed_pipe_is_no_error(on_store: Callable[..., Result], tmp_path: Path) -> None:
    assert on_store("db", "check").exit_code == 0
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*PROGRAM, "get", "action=help", "recursivesubmodules=1"],
            cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_without_a_traceback(on_store: Callable[..., Result], tmp_path: Path) -> None:
    assert on_store("db", "check").exit_code == 0
    program = subprocess.Popen(
        [*PROGRAM, "import", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_accept_interrupts,
    )
    assert program.stdin
    # More than the first read asks for: the program has begun, and waits for what is to follow.
    program.stdin.write(b"<mediawiki version='0.11'>" + b" " * (1 << 21))
    program.stdin.flush()
    _press_ctrl_c(program)
    _, stderr = program.communicate()
    assert (program.returncode, stderr.decode().splitlines()[-2:-1]) == (
        130,
        ["Error: interrupted"],
    )


def _accept_interrupts() -> None:
    """Handle SIGINT, which shells let programs in the background ignore, such as these tests."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _press_ctrl_c(program: subprocess.Popen[bytes]) -> None:
    """Interrupt a program until it ends.

    Python may notice a signal only after its next read, if it comes just before that begins.
    """
    for _ in range(_ATTEMPTS):
        program.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            program.wait(_PATIENCE)
            return


def test_interruption_of_any_command() -> None:
    @click.command()
    def wait() -> None:
        raise KeyboardInterrupt

    group = CommandGroup(name="x", commands={"wait": wait})
    result = CliRunner().invoke(group, ["wait"])
    assert result.exit_code == 130
    assert result.output == "\nError: interrupted\n"
