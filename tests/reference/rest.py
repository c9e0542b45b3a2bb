"""Replays the recorded requests to ``rest.php``."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from tests.reference.material import RECORDED, load_check
from tests.reference.replay import Score, recorded_rows

KIND = "rest"
_PARTS = ("status", "type", "location", "cache", "etag", "modified")
_SECONDS = 60


def address(api: str) -> str:
    """Return the address of ``rest.php`` beside an ``api.php``."""
    return f"{api.removesuffix('api.php')}rest.php"


def run(api: str, options: Sequence[str]) -> int:
    """Run ``check_rest.py`` against a wiki, and return its exit status."""
    program = [sys.executable, str(RECORDED / "check_rest.py"), "--base", address(api)]
    return subprocess.run([*program, *options], check=False).returncode


def replay_rest(api: str) -> Score:
    """Replay all requests against a wiki."""
    check, score = load_check("check_rest"), Score()
    for row in recorded_rows(KIND):
        recorded = row["expect"]
        answer = _ask(address(api), row.get("method", "GET"), row["path"])
        differences = [part for part in _PARTS if recorded[part] != answer[part]]
        if "__raw__" not in recorded["json"]:
            data = check.plain(recorded["json"]), check.plain(answer["json"])
            differences += map(str, check.differences(*data))
        group = f"{KIND}/{row['group']}"
        score.total[group] += 1
        score.passed[group] += not differences
        if differences:
            score.failures[row["id"]] = differences
    return score


def _ask(base: str, method: str, path: str) -> Mapping[str, Any]:
    """Return what ``check_rest.ask`` returns, but close the connection, as tests expect."""
    parts = urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_SECONDS)
    with closing(connection):
        connection.request(method, parts.path + path)
        response = connection.getresponse()
        body = response.read()
    try:
        data = json.loads(body)
    except ValueError:
        data = {"__raw__": body.decode("utf-8", "replace")}
    return {
        "status": response.status,
        "type": response.getheader("content-type"),
        "location": response.getheader("location"),
        "cache": response.getheader("cache-control"),
        "etag": bool(response.getheader("etag")),
        "modified": response.getheader("last-modified"),
        "json": data,
    }
