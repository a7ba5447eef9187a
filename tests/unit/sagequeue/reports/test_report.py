"""Reports count each attempt once, in its group, and count gaps of the history."""

from collections.abc import Iterator
from datetime import datetime
from time import tzset
from typing import Any

import pytest

from sagequeue.contract.history import Change
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import Report, report, reports
from sagequeue.tables.reports import report_notes
from unit.sagequeue.builders.history import GPU, a_change, a_run, at

HOUR = 3600
PRICES = {GPU: 1.5}


@pytest.fixture(autouse=True)
def _in_utc() -> Iterator[None]:
    """Sets a time zone, so that results do not depend on the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        tzset()
        yield
    tzset()


def _report(*changes: Change, by: str = "team", since: float = 0, until: float = 23) -> Report:
    return report(changes, by, datetime.fromisoformat(at(since)), datetime.fromisoformat(at(until)), PRICES)


def test_a_run_counts_once_however_many_changes_carry_it() -> None:
    total = _report(a_change(version=0, run=a_run()), a_change(version=1, run=a_run())).total
    assert (total.runs, total.trained, total.billable) == (1, HOUR, HOUR)


def test_the_latest_change_of_a_run_counts() -> None:
    told_twice = [a_change(version=1, run=a_run(billable_seconds=7)), a_change(run=a_run(billable_seconds=None))]
    assert _report(*told_twice).total.billable == 7


def test_each_of_several_instances_counts() -> None:
    assert _report(a_change(run=a_run(begin=1, end=3, instances={GPU: 3}))).total.trained == 3 * 2 * HOUR


def test_a_run_counts_with_its_own_instances_though_the_job_has_another_choice_now() -> None:
    assert _report(a_change(instances={GPU: 8}, run=a_run())).total.trained == HOUR


def test_waiting_times_are_summed_up_with_the_longest() -> None:
    total = _report(a_change("one", run=a_run(begin=1, end=5)), a_change("two", run=a_run(begin=3, end=5))).total
    assert (total.waited, total.longest_wait) == (4 * HOUR, 3 * HOUR)


def test_a_run_that_never_came_to_train_used_nothing_but_waited() -> None:
    total = _report(a_change(run=a_run(training_started_at=None, billable_seconds=None))).total
    assert (total.waited, total.trained, total.unbilled_runs) == (HOUR, 0, 0)


def test_a_run_counts_where_it_ended() -> None:
    changes = [a_change(run=a_run(begin=1, end=10))]
    assert _report(*changes, since=9, until=11).total.runs == 1
    assert _report(*changes, since=11, until=23).total.runs == 0
    assert _report(*changes, since=0, until=10).total.runs == 0


@pytest.mark.parametrize("is_measured", [False, True])
def test_a_preemption_loses_at_most_what_no_checkpoint_has(*, is_measured: bool) -> None:
    instances, lost = {GPU: 2}, 600.0
    run = a_run(1, 1, 3, "preempted", instances=instances, lost_seconds_at_most=lost, lost_is_measured=is_measured)
    total = _report(a_change(run=run)).total
    assert (total.preemptions, total.preempted, total.lost_at_most) == (1, 4 * HOUR, 1200)
    assert total.measured_losses == is_measured


def test_a_report_says_how_many_losses_are_measured() -> None:
    runs = [a_run(outcome="preempted", lost_is_measured=measured) for measured in (True, False)]
    found = _report(*(a_change(f"job{number}", run=run) for number, run in enumerate(runs)))
    assert "Lost work is measured for 1 of 2 preemptions; for the rest, it is an upper bound." in report_notes(found)


@pytest.mark.parametrize("outcome", ["completed", "preempted", "failed", "idle", "cancelled", "time_limit"])
def test_all_that_is_held_goes_into_one_thing(outcome: str) -> None:
    run = a_run(begin=1, end=4, outcome=outcome, training_started_at=at(2), instances={GPU: 2}, retained_seconds=60)
    told = _report(a_change(run=run)).total.as_dict()
    uses = {use: told[f"{use}_instance_seconds"] for use in ("completed", "preempted", "failed", "idle", "stopped")}
    assert [use for use in uses if uses[use]] == [outcome if outcome in uses else "stopped"]
    assert sum(uses.values()) == told["instance_seconds"] == 2 * 2 * HOUR
    assert (told["starting_instance_seconds"], told["retained_instance_seconds"]) == (2 * HOUR, 120)


def test_what_never_came_to_train_was_starting_up_until_its_end() -> None:
    total = _report(a_change(run=a_run(begin=1, end=2, outcome="failed", training_started_at=None))).total
    assert (total.starting, total.failed) == (HOUR, 0)


def test_several_reports_are_of_the_same_attempts() -> None:
    changes = [a_change("one", team="vision", run=a_run()), a_change("two", tags={"project": "moon"}, run=a_run())]
    since, until = datetime.fromisoformat(at(0)), datetime.fromisoformat(at(23))
    found = reports(iter(changes), ["team", "tag:project"], since, until, PRICES)
    assert {by: list(one.lines) for by, one in found.items()} == {
        "team": ["(none)", "vision"],
        "tag:project": ["(none)", "moon"],
    }
    assert [one.total.runs for one in found.values()] == [2, 2]


def test_what_failed_is_waste_and_no_preemption() -> None:
    total = _report(a_change(run=a_run(outcome="failed"))).total
    assert (total.failures, total.failed, total.preempted) == (1, HOUR, 0)


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("team", ["(none)", "vision"]),
        ("owner", ["ada", "bob"]),
        ("job", ["one", "two"]),
        ("day", ["2026-11-21"]),
        ("tag:project", ["(none)", "x"]),
    ],
)
def test_a_run_belongs_to_one_group(by: str, groups: list[str]) -> None:
    changes = [
        a_change("one", owner="ada", team="vision", tags={"project": "x"}, run=a_run()),
        a_change("two", owner="bob", run=a_run()),
    ]
    assert list(_report(*changes, by=by).lines) == groups


def test_a_day_is_one_of_the_reader_s_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    tzset()
    assert list(_report(a_change(run=a_run(end=12)), by="day").lines) == ["2026-11-22"]


def test_by_type_a_cluster_of_two_types_is_shared_out_and_counted_once_in_all() -> None:
    found = _report(a_change(run=a_run(instances={GPU: 2, "ml.m5.large": 1})), by="type")
    assert {kind: line.trained for kind, line in found.lines.items()} == {GPU: 2 * HOUR, "ml.m5.large": HOUR}
    assert (found.total.runs, found.total.trained) == (1, 3 * HOUR)


def test_changes_without_a_gap_are_no_gap() -> None:
    assert _report(a_change(version=1), a_change(version=0), a_change(version=1)).missing == 0


def test_a_missing_change_is_counted() -> None:
    found = _report(a_change(version=0), a_change(version=3))
    assert (found.missing, found.jobs_with_gaps) == (2, ("resnet",))


def test_a_missing_beginning_counts_for_jobs_submitted_in_that_time() -> None:
    assert _report(a_change(version=2, submitted_at=at(1))).missing == 2


def test_what_was_before_that_time_is_not_missing() -> None:
    assert _report(a_change(version=2, submitted_at=at(1)), since=2).missing == 0


def test_what_was_recorded_just_before_that_time_by_another_clock_is_not_missing() -> None:
    assert _report(a_change(version=1, submitted_at="2026-11-21T01:00:00.200000Z"), since=1).missing == 0


def test_different_clocks_never_give_a_negative_wait() -> None:
    assert _report(a_change(run=a_run(begin=3, end=2))).total.trained == 0


def test_a_run_costs_what_is_billed_for_each_instance_and_for_the_pool_that_it_left() -> None:
    run = a_run(begin=1, end=3, instances={GPU: 2}, billable_seconds=HOUR, retained_seconds=600)
    total = _report(a_change(run=run)).total
    assert total.cost == pytest.approx(2 * 1.5 * (1 + 1 / 6))
    assert total.saved == pytest.approx(2 * 1.5 * 1)  # the hour that it trained and that was not billed


def test_without_billed_seconds_the_whole_training_time_counts() -> None:
    assert _report(a_change(run=a_run(begin=1, end=3, billable_seconds=None))).total.cost == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("outcome", "lost", "wasted"),
    [("failed", 0, 3.0), ("preempted", 7200, 3.0), ("preempted", 1800, 0.75), ("completed", 0, 0.0)],
)
def test_losses_are_shown_in_dollars_too(outcome: str, lost: float, wasted: float) -> None:
    run = a_run(begin=1, end=3, outcome=outcome, lost_seconds_at_most=lost)
    assert _report(a_change(run=run)).total.wasted_at_most == pytest.approx(wasted)


def test_a_run_without_a_known_price_is_left_out_of_costs_and_counted() -> None:
    unknown = a_change("new", run=a_run(instances={GPU: 1, "ml.new.xlarge": 1}))
    total = _report(a_change(run=a_run()), unknown).total
    assert (total.cost, total.unpriced_runs) == (1.5, 1)


def test_only_types_with_a_price_are_priced() -> None:
    price = {"as_of": None, "source": None, "spot_share": None, "gpus": 1}
    prices: Any = {"prices": {GPU: {**price, "dollars_per_hour": 1.5}, "ml.x.y": {**price, "dollars_per_hour": None}}}
    assert hourly(prices) == {GPU: 1.5}


def test_spot_is_compared_with_on_demand_by_the_price_of_a_useful_hour() -> None:
    spot = a_run(begin=1, end=5, spot=True, billable_seconds=HOUR, interruptions=1, interrupted_seconds=2 * HOUR)
    found = _report(a_change("one", run=a_run()), a_change("two", run=spot), by="purchase").lines
    line = found[f"{GPU} spot"]
    assert (line.interruptions_per_100_hours, line.useful_share, line.dollars_per_useful_hour) == (25, 0.5, 0.75)
    assert found[f"{GPU} on demand"].dollars_per_useful_hour == 1.5


def test_runs_of_which_nobody_knows_the_useful_time_count_as_neither_useful_nor_lost() -> None:
    known = a_run(begin=1, end=3, spot=True, billable_seconds=HOUR, interrupted_seconds=HOUR)
    unknown = a_run(begin=1, end=9, spot=True, interruptions=1, interrupted_seconds=None)
    found = _report(a_change("one", run=known), a_change("two", run=unknown), by="purchase")
    assert (found.total.useful_share, found.total.dollars_per_useful_hour, found.total.unjudged_runs) == (0.5, 1.5, 1)
    assert found.total.training_cost == 9 * 1.5


def test_a_line_of_a_plan_or_of_processing_is_not_on_demand() -> None:
    lines = {f"{GPU}@winter": 1, "ml.m5.large@processing": 1, GPU: 1}
    found = _report(a_change(run=a_run(instances=lines)), by="purchase").lines
    assert {*found} == {f"{GPU}@winter", "ml.m5.large@processing", f"{GPU} on demand"}


def test_a_purchase_that_never_trained_has_no_rates() -> None:
    line = _report(a_change(run=a_run(training_started_at=None, billable_seconds=None)), by="purchase").total
    assert (line.interruptions_per_100_hours, line.useful_share, line.dollars_per_useful_hour) == (None, None, None)
