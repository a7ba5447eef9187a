"""The statistics by which choices are ranked, and the sentences about them."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.capacity.attempt_statistics import AttemptStatistics, statistics_of
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder
from scheduler.core.planner.learned import Learned
from scheduler.core.planner.planning import plan
from scheduler.core.spending.prices.choice_costs import ChoiceCosts
from scheduler.core.spending.prices.price import Price, PriceList
from support.builders.jobs import GPU, NOON, Choice, a_job
from support.builders.snapshots import a_snapshot, gpus

HOUR, DAY = 3600, timedelta(days=1)
SPOT, ON_DEMAND = Location(GPU, spot=True), Location(GPU)
PRICES = PriceList({GPU: Price(Decimal("1.5"), date(2026, 9, 25), "a list")}, "us-east-1")


def ranked(*choices: Choice) -> Job:
    return a_job("ranked", demand=choices[0].demand, choices=choices, order=ChoiceOrder.BEST).as_choice(0)


def known(billed_share: float, attempts: float = 20.0) -> AttemptStatistics:
    return AttemptStatistics(attempts, useful=100 * HOUR, billed=billed_share * 100 * HOUR, as_of=NOON)


def costs(**shares: float) -> ChoiceCosts:
    locations = {"spot": SPOT, "on_demand": ON_DEMAND}
    return ChoiceCosts({locations[name]: known(share) for name, share in shares.items()}, PRICES)


SPOT_FIRST = (Choice(gpus(1), HOUR, spot=True), Choice(gpus(1), HOUR))


def test_the_choice_whose_useful_hour_costs_least_comes_first() -> None:
    job = ranked(*SPOT_FIRST)
    assert costs(spot=0.3, on_demand=1.0).numbers_in_order(job) == [0, 1]
    assert costs(spot=1.2, on_demand=1.0).numbers_in_order(job) == [1, 0]  # so many interruptions


def test_a_choice_that_may_run_longer_costs_more() -> None:
    job = ranked(Choice(gpus(1), 4 * HOUR, spot=True), Choice(gpus(1), HOUR))
    assert costs(spot=0.3, on_demand=1.0).numbers_in_order(job) == [1, 0]


@pytest.mark.parametrize("recorded", [costs(), costs(on_demand=1.0)])
def test_a_choice_without_statistics_keeps_its_place(recorded: ChoiceCosts) -> None:
    assert recorded.numbers_in_order(ranked(*SPOT_FIRST)) == [0, 1]


def test_the_plan_starts_the_best_choice_and_says_why() -> None:
    snapshot = replace(a_snapshot(1, ranked(*SPOT_FIRST)), choice_costs=costs(spot=1.2, on_demand=1.0))
    (launch,) = plan(snapshot, NOON).launches
    assert launch.job.spec.choice == 1
    assert launch.reason.message.endswith(
        "; choice 1 (1 × ml.g5.xlarge): $1.50 at its time limit, $1.50 per useful hour, over 20 recent attempts"
    )


def test_a_sentence_describes_each_choice_best_first() -> None:
    both = costs(spot=0.3)
    assert [*both.sentences(ranked(*SPOT_FIRST))] == [
        "choice 0 (1 × ml.g5.xlarge spot): $0.45 at its time limit, $0.45 per useful hour, over 20 recent attempts",
        "choice 1 (1 × ml.g5.xlarge): too few recent attempts (0 of 5)",
    ]
    without_prices = replace(both, prices=PriceList({}, ""))
    assert without_prices.sentence(ranked(*SPOT_FIRST)) == "choice 0 (1 × ml.g5.xlarge spot): its price is unknown"
    assert not [*both.sentences(a_job())]


def test_sentences_show_the_cost_by_which_the_choices_are_sorted() -> None:
    job = ranked(Choice(gpus(4), HOUR), Choice(gpus(1), HOUR), Choice(gpus(1), 2 * HOUR))
    shown = [sentence.partition(" at ")[0] for sentence in costs(on_demand=1.0).sentences(job)]
    assert shown == [
        "choice 1 (1 × ml.g5.xlarge): $1.50",
        "choice 2 (1 × ml.g5.xlarge): $3.00",
        "choice 0 (4 × ml.g5.xlarge): $6.00",
    ]


def test_a_choice_whose_training_was_never_useful_comes_last() -> None:
    never = AttemptStatistics(7, useful=0, billed=HOUR, as_of=NOON)
    both = ChoiceCosts({SPOT: never, ON_DEMAND: known(1.0)}, PRICES)
    assert both.numbers_in_order(ranked(*SPOT_FIRST)) == [1, 0]
    worst = [*both.sentences(ranked(*SPOT_FIRST))][-1]
    assert worst == "choice 0 (1 × ml.g5.xlarge spot): no training was useful, over 7 recent attempts"


def ended(**values: Any) -> EndedAttempt:
    given = {"training_started_at": NOON, "billable_seconds": 600, "spot": True, **values}
    return EndedAttempt("a-sq-1", 1, Outcome.PREEMPTED, NOON, NOON + timedelta(hours=1), **given)


def test_an_attempt_adds_its_useful_and_billed_time() -> None:
    added = statistics_of(a_job(demand=gpus(2)), ended(interrupted_seconds=1200))
    assert added == (SPOT, AttemptStatistics(1, 2 * 2400, 2 * 600, NOON + timedelta(hours=1)))


@pytest.mark.parametrize(
    ("demand", "values"),
    [
        (gpus(1), {"training_started_at": None}),
        (gpus(1), {"billable_seconds": None}),
        (gpus(1), {"interrupted_seconds": None}),
        (Demand.of({GPU: 1, "ml.m5.large": 1}), {}),
        (Demand.of({f"{GPU}@winter": 1}), {}),
    ],
)
def test_an_attempt_without_a_price_of_its_own_adds_nothing(demand: Demand, values: dict[str, Any]) -> None:
    assert statistics_of(a_job(demand=demand), ended(**values)) is None


def test_attempts_count_less_with_time_whatever_order_they_are_settled_in() -> None:
    old, new = known(0.5), replace(known(1.0), as_of=NOON + 14 * DAY)
    for one, two in ((old, new), (new, old)):
        both = Learned().with_statistics(SPOT, one).with_statistics(SPOT, two).statistics[SPOT]
        assert (both.attempts, both.as_of) == (30, NOON + 14 * DAY)
        assert both.billed_share == pytest.approx((0.5 * 50 + 100) / 150)
