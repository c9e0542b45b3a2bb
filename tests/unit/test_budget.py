from __future__ import annotations

import threading

import pytest

from tests.faults.watch import Watch
from wikiapi.budget import Allowance, Budget, Budgets
from wikiapi.errors import BudgetExceeded, DeadlineExceeded


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_the_time_is_up_once_it_has_passed(watch: Watch) -> None:
    budget = Budget(Allowance(seconds=5), watch)
    watch.now += 5
    budget.check()
    assert budget.left == 0
    watch.now += 0.1
    for use in (budget.check, budget.step, budget.may_fetch):
        with pytest.raises(DeadlineExceeded, match="the 5 seconds"):
            use()
    assert budget.left == 0


def test_steps_are_counted(watch: Watch) -> None:
    budget = Budget(Allowance(steps=10), watch)
    budget.step(9)
    budget.step()
    with pytest.raises(BudgetExceeded, match="the 10 steps"):
        budget.step()


def test_memory_is_counted_by_the_size_of_values_or_in_bytes(watch: Watch) -> None:
    budget = Budget(Allowance(kept_bytes=1000), watch)
    budget.keep("ж" * 300)
    budget.keep(100)
    with pytest.raises(BudgetExceeded, match="the 1000 bytes") as caught:
        budget.keep("ж" * 300)
    assert (caught.value.resource, caught.value.limit) == ("bytes", 1000)


def test_memory_of_a_scope_is_given_back_at_its_end(watch: Watch) -> None:
    budget = Budget(Allowance(kept_bytes=1000), watch)
    budget.keep(100)
    for _ in range(9):
        with budget.scope():
            budget.keep(900)
    with pytest.raises(BudgetExceeded):
        budget.keep(901)


def test_requests_to_other_servers_are_counted(watch: Watch) -> None:
    budget = Budget(Allowance(fetches=2), watch)
    assert [budget.may_fetch() for _ in range(4)] == [True, True, False, False]


def test_nothing_is_bounded_outside_of_a_request(watch: Watch) -> None:
    budgets = Budgets(watch)
    with budgets.begin(Allowance(1, 1, 1, 1)):
        pass
    watch.now += 1e9
    budget = budgets.current
    budget.check()
    budget.step(10**12)
    budget.keep(10**12)
    assert budget.may_fetch()


def test_zero_does_not_bound(watch: Watch) -> None:
    budget = Budget(Allowance(steps=1), watch)
    watch.now += 1e9
    budget.step()
    budget.keep(10**12)


def test_a_request_within_a_request_draws_on_the_budget_of_the_outer_one(watch: Watch) -> None:
    budgets = Budgets(watch)
    with budgets.begin(Allowance(steps=5)) as outer, budgets.begin(Allowance(steps=9)) as inner:
        assert inner is outer
    with budgets.begin(Allowance(steps=9)) as after:
        assert after is not outer


def test_each_thread_has_its_own(watch: Watch) -> None:
    budgets, seen = Budgets(watch), list[float]()
    with budgets.begin(Allowance(seconds=5)):
        other = threading.Thread(target=lambda: seen.append(budgets.current.left))
        other.start()
        other.join()
    assert seen == [float("inf")]


def test_the_most_memory_that_was_kept_at_any_time(watch: Watch) -> None:
    budget = Budget(Allowance(kept_bytes=1000), watch)
    budget.keep(100)
    with budget.scope():
        budget.keep(700)
    budget.keep(300)
    assert budget.most_kept == 800
    budget.keep(500)
    assert budget.most_kept == 900
    unlimited = Budget(Allowance(), watch)
    unlimited.keep(100)
    assert unlimited.most_kept == 0


def test_borrowed_memory_is_given_back_besides_what_is_kept(watch: Watch) -> None:
    budget = Budget(Allowance(kept_bytes=1000), watch)
    with budget.borrow(700):
        budget.keep(200)
        with pytest.raises(BudgetExceeded), budget.borrow(101):
            pytest.fail("the block is not run")
    assert budget.shares_left()["bytes"] < 0.8
    assert budget.most_kept >= 900


def test_what_is_left_of_each_limited_resource(watch: Watch) -> None:
    budget = Budget(Allowance(seconds=10, steps=100), watch)
    assert budget.limits == {"seconds": 10, "steps": 100}
    watch.now += 5
    budget.step(75)
    assert budget.shares_left() == {"seconds": 0.5, "steps": 0.25}


def test_a_batch_has_no_limits_and_a_budget_of_its_own(watch: Watch) -> None:
    budgets = Budgets(watch)
    with budgets.batch() as first:
        assert first is not budgets.outside
        assert first.limits == {}
        with budgets.batch() as inner:
            assert inner is first
        with budgets.begin(Allowance(seconds=5)) as request:
            assert request.limits == {"seconds": 5}
            with budgets.batch() as inner:
                assert inner is request
    assert budgets.current is budgets.outside
    with budgets.batch() as second:
        assert second is not first
