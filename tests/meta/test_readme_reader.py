from __future__ import annotations

import pytest

from tests.meta.readme import examples, mismatches

TEXT = """\
Ask:

```sh
curl -s -G http://127.0.0.1:8080/w/api.php -d action=parse \\
    --data-urlencode 'text=a & b'
```

```json
{"parse": 1}
```

```sh
curl -s 'http://127.0.0.1:8080/w/api.php?action=query&titles=A+B'
```

```json
{}
```
"""


def test_examples_are_found_with_their_answers() -> None:
    first, second = examples(TEXT)
    assert first.target() == "/w/api.php?action=parse&text=a+%26+b"
    assert first.answer == '{"parse": 1}\n'
    assert second.target() == "/w/api.php?action=query&titles=A+B"


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="--head"):
        list(examples("```sh\ncurl --head http://x/\n```\n"))


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ([1], [1, 2]),
        ("a…c", "abd"),
        (True, 1),
        ("…", 1),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}),
    ],
)
def test_a_difference_is_found(expected: object, actual: object) -> None:
    assert len(list(mismatches(expected, actual))) == 1


@pytest.mark.parametrize(
    ("expected", "actual"), [({"a": "…"}, {"a": "any"}), ("a…c", "a\nb\nc"), ([1, "x"], [1, "x"])]
)
def test_equal_answers_agree(expected: object, actual: object) -> None:
    assert list(mismatches(expected, actual)) == []
