"""The cost of attempts and jobs."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.history.runtime_stats import RuntimeStats, SimilarRuns
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.spending.prices.cost import cost_of_job, cost_range
from scheduler.core.spending.prices.price import Price, PriceList
from support.builders.jobs import GPU, NOON, Choice, a_job

HOUR = 3600
PRICES = PriceList(
    {
        GPU: Price(Decimal("1.5"), date(2026, 9, 25), "a list"),
        "ml.m5.large": Price(Decimal("0.5"), date(2026, 8, 1), ""),
    },
    "us-east-1",
)
TWO = Demand.of({GPU: 2})


def past(number: int = 1, hours: float = 2, outcome: Outcome = Outcome.COMPLETED, **more: Any) -> EndedAttempt:
    more = {"billable_seconds": round(hours * HOUR), **more}
    return EndedAttempt(
        f"job-sq-{number}", number, outcome, NOON, NOON + timedelta(hours=hours), training_started_at=NOON, **more
    )


def totals_with(job: Job, live: Attempt | None = None) -> Any:
    return cost_of_job(job, live, PRICES, NOON + timedelta(hours=1)).total


def test_an_attempt_costs_its_billable_seconds_on_each_instance() -> None:
    total = totals_with(a_job(demand=TWO, history=(past(hours=2),)))
    assert (total.training, total.saved, total.is_final) == (Decimal(6), 0, True)


def test_the_saving_of_spot_is_training_that_was_not_billed() -> None:
    total = totals_with(a_job(demand=TWO, history=(past(hours=2, billable_seconds=HOUR),)))
    assert (total.training, total.saved) == (Decimal(3), Decimal(3))


def test_the_warm_pool_of_an_attempt_costs_too() -> None:
    total = totals_with(a_job(demand=TWO, history=(past(hours=2, retained_seconds=1800),)))
    assert (total.retained, total.total) == (Decimal("1.5"), Decimal("7.5"))


@pytest.mark.parametrize(
    ("outcome", "interval", "wasted"),
    [
        (Outcome.FAILED, 600, "3"),
        (Outcome.PREEMPTED, None, "3"),
        (Outcome.PREEMPTED, 1800, "0.75"),
        (Outcome.PREEMPTED, 9000, "3"),
        (Outcome.COMPLETED, None, "0"),
        (Outcome.CANCELLED, None, "0"),
    ],
)
def test_the_loss_of_a_preemption_or_failure_is_reported(outcome: Outcome, interval: int | None, wasted: str) -> None:
    job = a_job(
        demand=Demand.of({GPU: 1}),
        checkpoint_uri="s3://bucket/checkpoints",
        checkpoint_interval=interval,
        history=(past(outcome=outcome),),
    )
    assert totals_with(job).wasted_at_most == Decimal(wasted)


def test_a_reported_save_measures_the_loss() -> None:
    preempted = past(outcome=Outcome.PREEMPTED, saved=Save(7, NOON + timedelta(hours=1.5)))
    job = a_job(demand=Demand.of({GPU: 1}), checkpoint_uri="s3://b/c", checkpoint_interval=60, history=(preempted,))
    assert totals_with(job).wasted_at_most == totals_with(job).training / 4


def test_without_checkpoints_a_preemption_loses_everything() -> None:
    job = a_job(checkpoint_uri=None, checkpoint_interval=60, history=(past(outcome=Outcome.PREEMPTED),))
    assert totals_with(job).wasted_at_most == totals_with(job).training > 0


def test_until_sagemaker_reports_billed_seconds_the_cost_is_the_most() -> None:
    total = totals_with(a_job(demand=TWO, history=(past(hours=2, billable_seconds=None),)))
    assert (total.training, total.is_final) == (Decimal(6), False)


def test_a_live_attempt_counts_up_to_now() -> None:
    started = Observation("InProgress", "Training", NOON, training_started_at=NOON)
    live = Attempt("job-sq-2", "job", 2, TWO, NOON, observation=started)
    cost = cost_of_job(a_job(demand=TWO, history=(past(hours=2),)), live, PRICES, NOON + timedelta(hours=1))
    assert [one.training for one in cost.attempts if one] == [Decimal(6), Decimal(3)]
    assert not cost.total.is_final


def test_an_unknown_price_is_never_zero() -> None:
    job = a_job(demand=Demand.of({"ml.new.xlarge": 1}), history=(past(),))
    cost = cost_of_job(job, None, PRICES, NOON)
    assert (cost.attempts, cost.unknown, cost.as_of) == ((None,), ("ml.new.xlarge",), None)


def test_each_attempt_costs_the_instances_of_its_own_choice() -> None:
    choices = (Choice(Demand.of({GPU: 1}), 100), Choice(Demand.of({"ml.m5.large": 1}), 100))
    job = a_job(choices=choices, history=(past(hours=1), past(2, hours=1, choice=1)))
    cost = cost_of_job(job, None, PRICES, NOON)
    assert [one.training for one in cost.attempts if one] == [Decimal("1.5"), Decimal("0.5")]
    assert cost.as_of == date(2026, 8, 1)


def test_the_least_cost_is_that_of_similar_jobs() -> None:
    job = a_job(demand=Demand.of({GPU: 1}), max_runtime=4 * HOUR)
    found = cost_range(job, RuntimeStats({(4 * HOUR,): SimilarRuns(5, 0.25)}), PRICES)
    assert (found.least, found.most, found.expected_run_time) == (Decimal("1.5"), Decimal(6), HOUR)


def test_without_similar_jobs_only_the_most_is_known() -> None:
    found = cost_range(a_job(demand=Demand.of({GPU: 1}), max_runtime=2 * HOUR), RuntimeStats(), PRICES)
    assert found.least == found.most == Decimal(3)


def test_the_saving_of_spot_counts_only_with_an_operators_spot_share() -> None:
    job = a_job(demand=Demand.of({GPU: 1}), max_runtime=2 * HOUR, spot=True)
    said = PriceList(PRICES.known, PRICES.region, spot_shares={GPU: Decimal("0.3")})
    assert (cost_range(job, RuntimeStats(), PRICES).least, cost_range(job, RuntimeStats(), said).least) == (
        Decimal(3),
        Decimal("0.9"),
    )
    assert cost_range(job, RuntimeStats(), said).most == 3


def test_of_several_choices_the_cheapest_and_the_dearest_count() -> None:
    choices = (Choice(Demand.of({GPU: 1}), HOUR), Choice(Demand.of({"ml.m5.large": 1}), HOUR))
    found = cost_range(a_job(choices=choices), RuntimeStats(), PRICES)
    assert (found.least, found.most) == (Decimal("0.5"), Decimal("1.5"))


def test_of_preferences_the_cheapest_and_the_dearest_count_and_not_all_together() -> None:
    job = a_job(demand=Demand.of({GPU: 1, "ml.m5.large": 1}), max_runtime=HOUR, has_preferences=True)
    found = cost_range(job, RuntimeStats(), PRICES)
    assert (found.least, found.most) == (Decimal("0.5"), Decimal("1.5"))


def test_a_choice_without_a_price_leaves_the_range_unknown() -> None:
    choices = (Choice(Demand.of({GPU: 1}), HOUR), Choice(Demand.of({"ml.new.xlarge": 1}), HOUR))
    found = cost_range(a_job(choices=choices), RuntimeStats(), PRICES)
    assert (found.least, found.most, found.unknown) == (None, None, ("ml.new.xlarge",))


def test_an_unbilled_part_of_a_second_is_no_saving() -> None:
    assert totals_with(a_job(demand=TWO, history=(past(hours=1.0002, billable_seconds=HOUR),))).saved == 0
