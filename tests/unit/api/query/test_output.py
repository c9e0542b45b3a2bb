from __future__ import annotations

import pytest

from wikiapi.api.query.output import stored_title, stored_titles
from wikiapi.testing import make_site


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(0, "A_b_c")],
        [(0, "A_b"), (1, "B"), (4, "C_d"), (0, "")],
        [(2, "A_line\nend"), (0, "B_b")],
        [(987, "In_a_namespace_that_is_gone")],
    ],
)
def test_titles_of_many_rows_are_those_of_each(rows: list[tuple[int, str]]) -> None:
    site = make_site()
    titles = stored_titles(site, [row[0] for row in rows], (row[1] for row in rows))
    assert titles == [stored_title(site, *row)["title"] for row in rows]
