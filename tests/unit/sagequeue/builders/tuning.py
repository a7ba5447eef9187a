"""Builds tuning jobs as in API answers, for tests of the client."""

from typing import Any

from sagequeue.contract.jobs import Job
from support.builders.tuning_requests import a_tuning_request
from unit.sagequeue.builders.jobs import a_job, an_attempt


def a_preempted_tuning_job(**changes: Any) -> Job:
    """Returns the job `sweep` of 6 trials, which was preempted after two of them, and runs again."""
    attempts = [
        an_attempt(number, outcome, name=f"sweep-sq-{number}") for number, outcome in ((1, "preempted"), (2, None))
    ]
    tuning = {"parallel": 2, "most_trials": 6, "ended_trials": 2, "parents": ["sweep-sq-1"], "continues": True}
    request = a_tuning_request(trials=6)
    objective = {"Type": "Maximize", "MetricName": "accuracy"}
    request["HyperParameterTuningJobConfig"]["HyperParameterTuningJobObjective"] = objective
    given = {"kind": "tuning", "attempts": attempts, "tuning": tuning, "request": request, **changes}
    return a_job("running", "running", name="sweep", **given)
