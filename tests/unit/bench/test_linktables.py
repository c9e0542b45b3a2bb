"""The benchmark compares links by title, in databases with and without normalised targets."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bench.peer.linktables import agreement, links

PAGES = """
CREATE TABLE page (page_id, page_namespace, page_title);
CREATE TABLE linktarget (lt_id, lt_namespace, lt_title);
CREATE TABLE templatelinks (tl_from, tl_target_id);
INSERT INTO linktarget VALUES (1, 10, 'Box'), (2, 0, 'Beta'), (3, 14, 'Greek');
"""
OLDER = """
INSERT INTO page VALUES (7, 0, 'Alpha');
CREATE TABLE pagelinks (pl_from, pl_namespace, pl_title);
CREATE TABLE categorylinks (cl_from, cl_to);
CREATE TABLE imagelinks (il_from, il_to);
INSERT INTO templatelinks VALUES (7, 1);
INSERT INTO pagelinks VALUES (7, 0, 'Beta');
INSERT INTO categorylinks VALUES (7, 'Greek');
INSERT INTO imagelinks VALUES (7, 'A.png');
"""
NEWER = """
INSERT INTO page VALUES (1, 0, 'Alpha');
CREATE TABLE pagelinks (pl_from, pl_target_id);
CREATE TABLE categorylinks (cl_from, cl_target_id);
CREATE TABLE imagelinks (il_from, il_to);
INSERT INTO templatelinks VALUES (1, 1);
INSERT INTO pagelinks VALUES (1, 2);
INSERT INTO categorylinks VALUES (1, 3);
"""


def database(path: Path, content: str) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(PAGES + content)
    return path


@pytest.mark.parametrize("content", [OLDER, NEWER])
def test_links_are_listed_by_title(tmp_path: Path, content: str) -> None:
    rows = links(database(tmp_path / "wiki.sqlite", content))
    assert rows >= {
        ("templatelinks", 0, "Alpha", 10, "Box"),
        ("pagelinks", 0, "Alpha", 0, "Beta"),
        ("categorylinks", 0, "Alpha", 14, "Greek"),
    }


def test_a_missing_link_lowers_the_agreement(tmp_path: Path) -> None:
    older = database(tmp_path / "older.sqlite", OLDER)
    newer = database(tmp_path / "newer.sqlite", NEWER)
    assert agreement(older, newer) == agreement(newer, older) == 75
    assert agreement(older, older) == 100
