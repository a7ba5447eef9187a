"""The main task: four jobs for two instances, with the real script, SDK, template and functions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.estimators import digits_estimator, printed
from support.deployed.rest_api import RestApi, parsed
from support.deployed.sagemaker_jobs import most_instances_at_once, training_jobs
from support.deployed.waiting import eventually

if TYPE_CHECKING:
    from sagequeue import QueueSession

Jobs = dict[str, dict[str, Any]]
NAMES = ("job1", "job2", "job3", "job4")
EPOCHS = 25  # of a second each: job4 comes long before job1 is done, and outlasts job2


@dataclass(frozen=True)
class Story:
    """The queue's answers at the turning points."""

    full: Jobs  # job1 and job2 run, job3 waits
    preempted: Jobs  # job4 has taken job1's place
    resumed: Jobs  # job2 is done, job1 is back
    end: Jobs


@pytest.fixture(scope="module")
def story(queue_session: "QueueSession", rest_api: RestApi, logs: CloudWatchLogsClient) -> Story:
    submitted: set[str] = set()

    def submit(name: str, priority: int, epochs: int) -> None:
        estimator = digits_estimator(queue_session, name, priority=priority, epochs=epochs)
        estimator.fit(wait=False, job_name=name)
        submitted.add(name)

    def once(*conditions: Callable[[Jobs], bool]) -> Jobs:
        def jobs() -> Jobs:
            return {job["name"]: job for job in rest_api.jobs() if job["name"] in submitted}

        # A list may miss a job that changes its state meanwhile.
        return eventually(jobs, lambda seen: seen.keys() == submitted and all(holds(seen) for holds in conditions))

    # A function's first call starts a process, which a busy machine may take as long for as job1 trains.
    rest_api.submit(body("before-the-story"))
    eventually(lambda: rest_api.job("before-the-story"), lambda job: job["state"] == "completed")
    submit("job1", priority=1, epochs=EPOCHS)
    submit("job2", priority=2, epochs=EPOCHS)
    once(trains("job1"), trains("job2"))
    submit("job3", priority=1, epochs=3)
    full = once(trains("job1"), trains("job2"), waits("job3"))
    eventually(lambda: printed(logs, "job1-sq-1"), lambda lines: len(lines) >= 3)
    submit("job4", priority=3, epochs=EPOCHS + 5)
    preempted = once(is_in("job1", "preempted"), trains("job4"))
    resumed = once(is_in("job2", "completed"), trains("job1"))
    return Story(full, preempted, resumed, once(*(is_in(name, "completed") for name in NAMES)))


def test_the_first_two_run_and_the_third_waits_for_the_budget(story: Story) -> None:
    assert states(story.full) == {"job1": "running", "job2": "running", "job3": "pending"}
    assert (story.full["job3"]["position"], story.full["job3"]["reason"]["code"]) == (1, "waits_for_budget")


def test_the_urgent_job_takes_the_place_of_the_lowest_and_youngest(story: Story) -> None:
    assert states(story.preempted) == {"job1": "preempted", "job2": "running", "job3": "pending", "job4": "running"}
    (attempt,) = story.preempted["job1"]["attempts"]
    assert (attempt["outcome"], attempt["beneficiary"]) == ("preempted", "job4")


def test_the_preempted_job_keeps_its_age_and_comes_back_before_the_younger_one(story: Story) -> None:
    assert [story.preempted[name]["position"] for name in ("job1", "job3")] == [1, 2]
    assert states(story.resumed) == {"job1": "running", "job2": "completed", "job3": "pending", "job4": "running"}
    came_back, ended = attempts(story, "job1")[1]["reserved_at"], attempts(story, "job2")[0]["ended_at"]
    assert moment(came_back) >= moment(ended)
    assert moment(attempts(story, "job3")[0]["reserved_at"]) > moment(came_back)


def test_the_preempted_job_goes_on_after_the_last_epoch_it_saved(story: Story, logs: CloudWatchLogsClient) -> None:
    before, after = printed(logs, "job1-sq-1"), printed(logs, "job1-sq-2")
    next_epoch = epochs(before)[-1] + 1
    assert after[0] == f"resumed from checkpoint: continuing at epoch {next_epoch}"
    assert epochs(after) == list(range(next_epoch, EPOCHS + 1))


def test_every_job_completes_with_as_few_attempts_as_possible(story: Story) -> None:
    outcomes = {name: [attempt["outcome"] for attempt in attempts(story, name)] for name in NAMES}
    assert outcomes == {
        "job1": ["preempted", "completed"],
        "job2": ["completed"],
        "job3": ["completed"],
        "job4": ["completed"],
    }
    assert [story.end[name]["priority"] for name in NAMES] == [1, 2, 1, 3]


def test_sagemaker_never_held_more_than_the_budget(story: Story, sagemaker: SageMakerClient) -> None:
    jobs = [job for name in NAMES for job in training_jobs(sagemaker, f"{name}-sq-")]
    assert len(jobs) == 5
    assert most_instances_at_once(jobs) == 2


def test_the_queue_ends_empty(story: Story, rest_api: RestApi) -> None:
    assert {job["position"] for job in story.end.values()} == {None}
    assert parsed(rest_api.get("/jobs"))["budget"]["ml.m5.large"] == {"limit": 2, "held": 0}


def trains(name: str) -> Callable[[Jobs], bool]:
    return lambda jobs: jobs[name]["state"] == "running" and bool(jobs[name]["attempts"][-1]["training_started_at"])


def waits(name: str) -> Callable[[Jobs], bool]:
    return lambda jobs: jobs[name]["state"] == "pending" and jobs[name]["reason"]["code"] == "waits_for_budget"


def is_in(name: str, state: str) -> Callable[[Jobs], bool]:
    return lambda jobs: jobs[name]["state"] == state


def states(jobs: Jobs) -> dict[str, str]:
    return {name: job["state"] for name, job in jobs.items()}


def attempts(story: Story, name: str) -> list[dict[str, Any]]:
    history: list[dict[str, Any]] = story.end[name]["attempts"]
    return history


def epochs(lines: Sequence[str]) -> list[int]:
    return [int(match[1]) for line in lines if (match := re.match(r"epoch (\d+)/", line))]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
