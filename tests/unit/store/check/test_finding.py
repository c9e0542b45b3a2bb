from __future__ import annotations

from wikiapi.store.check import Finding, limited


def findings(count: int, advice: str = "Do.", times: int = 1) -> list[Finding]:
    return [Finding("c", f"p{n}", advice, place=f"r{n}", times=times) for n in range(count)]


def test_few_are_all_listed() -> None:
    assert list(limited(findings(3), 3)) == findings(3)


def test_many_are_counted() -> None:
    report = list(limited(findings(5), 2))
    assert report[:2] == findings(2)
    assert report[2:] == [Finding("c", "3 more findings about c", "Do.", times=3)]


def test_each_kind_has_its_own_limit() -> None:
    report = list(limited([*findings(3), *findings(2, "Else.")], 2))
    assert [finding.advice for finding in report] == ["Do.", "Do.", "Else.", "Else.", "Do."]


def test_a_finding_that_represents_many_counts_as_many() -> None:
    report = list(limited([*findings(2), *findings(1, times=40)], 1))
    assert report[-1].times == 41
    assert report[-1].problem == "41 more findings about c"
