"""Replays the recorded answers of ``action=parse`` with ``parser=parsoid``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.reference.material import RECORDED, load_check
from tests.reference.replay import Score, recorded_rows

KIND = "parsoid"


def run(api: str, options: Sequence[str]) -> int:
    """Run ``check_parsoid.py`` against a wiki, and return its exit status."""
    program = [sys.executable, str(RECORDED / "check_parsoid.py"), "--base", api]
    return subprocess.run([*program, *options], check=False).returncode


def replay_parsoid(api: str) -> Score:
    """Replay all requests against a wiki. A row passes if all facts about the HTML agree."""
    check, score = load_check("check_parsoid"), Score()
    client = load_check("check").Client(api)
    try:
        for row in recorded_rows(KIND):
            answer = client.get(row["params"])["json"]
            text = answer.get("parse", {}).get("text", "")
            recorded, facts = check.facts(row["text"]), check.facts(text)
            differences = [name for name, fact in recorded.items() if facts[name] != fact]
            group = f"{KIND}/{row['group']}"
            score.total[group] += 1
            score.passed[group] += not differences
            if differences:
                score.failures[row["id"]] = differences
    finally:
        client.conn.close()
    return score
