"""A job whose choices are ranked starts with the cheapest of those that can start, by the recorded statistics."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.capacity.attempt_statistics import AttemptStatistics
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ChoiceOrder
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.prices.choice_costs import MIN_ATTEMPTS, ChoiceCosts
from scheduler.core.spending.prices.price import Price, PriceList
from support.builders.jobs import Choice, changed_job
from support.builders.random_snapshots import NOW, TYPES, odd_snapshots, queued_jobs

PRICES = PriceList({kind: Price(Decimal(10), date(2026, 11, 1), "a list") for kind in TYPES}, "us-east-1")
_locations = st.builds(Location, st.sampled_from(TYPES), st.booleans())
_statistics = st.builds(
    AttemptStatistics,
    attempts=st.sampled_from([0.5, MIN_ATTEMPTS, 40.0]),
    useful=st.sampled_from([0.0, 1800.0, 3600.0]),
    billed=st.sampled_from([300.0, 1800.0, 7200.0]),
    as_of=st.just(NOW),
)
costs = st.builds(ChoiceCosts, st.dictionaries(_locations, _statistics), st.just(PRICES))
_demands = st.builds(lambda kind, count: Demand.of({kind: count}), st.sampled_from(TYPES), st.integers(1, 4))
_choices = st.builds(Choice, _demands, st.sampled_from([600, 86_400]), spot=st.booleans())


@st.composite
def snapshots_with_a_ranked_job(draw: st.DrawFn) -> Snapshot:
    """Draws a snapshot in which only a job with ranked choices waits."""
    choices = draw(st.lists(_choices, min_size=2, max_size=4))
    job = changed_job(draw(queued_jobs("ranked")), choices=choices, order=ChoiceOrder.BEST).as_choice(0)
    return replace(draw(odd_snapshots()), queued=(job,), choice_costs=draw(costs))


@given(snapshots_with_a_ranked_job())
def test_a_job_starts_with_no_choice_that_costs_more_than_another_that_could_start(snapshot: Snapshot) -> None:
    for launch in plan(snapshot, NOW).launches:
        cost = snapshot.choice_costs.cost_of(launch.job)
        for other in launch.job.each_choice:
            other_cost = snapshot.choice_costs.cost_of(other)
            if cost is not None and other_cost is not None and other_cost < cost:
                assert not plan(replace(snapshot, queued=(only(other),)), NOW).launches


@given(snapshots_with_a_ranked_job())
def test_without_enough_attempts_the_order_is_the_users(snapshot: Snapshot) -> None:
    (job,) = snapshot.queued
    order, costs = snapshot.choice_costs.numbers_in_order(job), snapshot.choice_costs
    assert sorted(order) == [*range(len(job.choices))]
    for place, number in enumerate(order):
        if costs.cost_of(job.as_choice(number)) is None:
            assert place == number
    as_given = changed_job(job, order=ChoiceOrder.GIVEN)
    few = {location: replace(known, attempts=MIN_ATTEMPTS / 2) for location, known in costs.statistics.items()}
    assert ChoiceCosts(few, PRICES).numbers_in_order(job) == costs.numbers_in_order(as_given) == sorted(order)


def only(option: Job) -> Job:
    return changed_job(option, choices=())
