from __future__ import annotations

from bench.steps import steps_of
from wikiapi.texts import counted
from wikiapi.title.namespaces import NamespaceTable


def test_counts_each_function_once() -> None:
    def count_twice() -> None:
        counted(1, "page")
        counted(2, "page")

    steps = steps_of(count_twice)
    names = [code.co_name for code in steps.functions]
    assert "counted" in names
    assert len(names) == len(set(names))
    assert "count_twice" not in names


def test_functions_of_one_file_are_no_switch() -> None:
    assert steps_of(lambda: counted(1, "page")).switches == 0


def test_counts_changes_of_the_file() -> None:
    namespaces = NamespaceTable([])

    def alternate() -> None:
        counted(1, "page")
        namespaces.find("Help")
        counted(1, "page")

    assert steps_of(alternate).switches >= 2


def test_library_functions_are_not_counted() -> None:
    assert steps_of(lambda: sorted("ba", key=str.upper)).functions == set()
