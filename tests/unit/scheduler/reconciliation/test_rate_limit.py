"""Rate limits: when the next call of an operation may be sent."""

from datetime import timedelta

from scheduler.core.reconciliation.rate_limit import INTERVALS, MOST_SLOWDOWN, ApiCall, Bucket
from support.builders.jobs import NOON


def test_a_bucket_is_free_again_after_its_interval() -> None:
    assert Bucket(NOON).after_call(ApiCall.CREATE, NOON).free_at == NOON + timedelta(seconds=INTERVALS[ApiCall.CREATE])


def test_each_throttling_slows_a_bucket_down_to_a_bound() -> None:
    bucket = Bucket(NOON)
    slowdowns = []
    for _ in range(4):
        bucket = bucket.after_throttling(ApiCall.STOP, NOON)
        slowdowns.append(bucket.slowdown)
    assert slowdowns == [2, 4, MOST_SLOWDOWN, MOST_SLOWDOWN]


def test_a_throttled_call_waits_longer_than_usual_but_not_for_a_round_time() -> None:
    usual = timedelta(seconds=INTERVALS[ApiCall.CREATE])
    waits = {
        Bucket(NOON).after_throttling(ApiCall.CREATE, NOON + timedelta(seconds=second)).free_at
        - NOON
        - timedelta(seconds=second)
        for second in range(5)
    }
    assert len(waits) == 5
    assert all(usual <= wait <= 2 * usual for wait in waits)


def test_calls_that_pass_bring_the_old_pace_back() -> None:
    bucket = Bucket(NOON, slowdown=3)
    assert bucket.after_success().after_success().after_success().slowdown == 1


def test_every_call_keeps_a_margin_to_the_rates_of_the_account() -> None:
    per_second = {
        ApiCall.CREATE: 1,
        ApiCall.STOP: 1,
        ApiCall.UPDATE: 1,
        ApiCall.DESCRIBE: 5,
        ApiCall.LIST: 2,
        ApiCall.LIST_TRIALS: 2,  # not documented: that of LIST
    }  # aws-facts 2.1
    assert all(1 / INTERVALS[call] < rate for call, rate in per_second.items())
