"""The times of a watch depend on the last start of the program."""

from datetime import timedelta

from scheduler.core.idle_gpus.watch import warning_of_run
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt

SECOND = timedelta(seconds=1)


def test_a_warning_counts_only_if_the_program_has_not_started_again_since() -> None:
    attempt = an_attempt(a_job("resnet"), created=True, observation=a_sighting(training_since=NOON))
    assert warning_of_run(attempt, NOON) == NOON
    assert warning_of_run(attempt, NOON - SECOND) is None
    assert warning_of_run(attempt, None) is None
