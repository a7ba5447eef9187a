"""An attempt is checked for idle GPUs once it is old enough."""

from datetime import timedelta

import pytest

from scheduler.core.idle_gpus.idle_check import GpuUse, UseReading, gpu_use_of
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.idle_gpus.watch import is_in_grace_period
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt

RULE = IdleRule(minutes=15, grace_minutes=30, exempt_minutes=120)
FREE_FROM = timedelta(minutes=45)


def test_the_grace_period_begins_with_the_training_and_not_with_the_download() -> None:
    observation = a_sighting(training_started_at=NOON - timedelta(hours=1), training_since=NOON)
    attempt = an_attempt(a_job(), observation=observation)
    assert is_in_grace_period(attempt, RULE, NOON + FREE_FROM - timedelta(minutes=5), is_exempt=False)
    assert not is_in_grace_period(attempt, RULE, NOON + FREE_FROM, is_exempt=False)


def test_an_event_without_a_start_of_training_does_not_shorten_the_grace_period() -> None:
    told = a_sighting(training_started_at=NOON - timedelta(hours=1), training_since=None, modified_at=NOON)
    attempt = an_attempt(a_job(), observation=told)
    assert is_in_grace_period(attempt, RULE, NOON + FREE_FROM - timedelta(minutes=5), is_exempt=False)
    assert not is_in_grace_period(attempt, RULE, NOON + FREE_FROM, is_exempt=False)


def test_an_attempt_without_an_observation_is_in_its_grace_period() -> None:
    assert is_in_grace_period(an_attempt(a_job()), RULE, NOON + timedelta(days=1), is_exempt=False)


def test_the_exemption_of_a_job_ends() -> None:
    attempt = an_attempt(a_job(), observation=a_sighting(training_since=NOON))
    end = timedelta(hours=2) + RULE.window
    assert is_in_grace_period(attempt, RULE, NOON + end - timedelta(minutes=5), is_exempt=True)
    assert not is_in_grace_period(attempt, RULE, NOON + end, is_exempt=True)


@pytest.mark.parametrize(
    ("percent", "use"), [(0.0, GpuUse.UNDERUSED), (15.0, GpuUse.UNDERUSED), (25.0, GpuUse.BUSY), (90.0, GpuUse.BUSY)]
)
def test_if_the_rule_ignores_idle_gpus_their_average_use_counts(percent: float, use: GpuUse) -> None:
    rule = IdleRule(minutes=2, percent=30, minimum_utilisation=20)
    readings = [UseReading("algo-1", NOON + timedelta(minutes=number), percent, percent) for number in range(2)]
    assert gpu_use_of(an_attempt(a_job()), readings, rule) is use
    assert gpu_use_of(an_attempt(a_job()), [], rule) is GpuUse.UNKNOWN
