"""`sagequeue show` of a tuning job."""

import pytest

from integration.sagequeue.fakes.aws import FakeAws, a_trial
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.tuning import a_preempted_tuning_job


@pytest.fixture(autouse=True)
def sweep(client: QueueClient, queue: FakeQueue) -> None:
    job = a_preempted_tuning_job()
    queue.life = [job]
    client.submit(job["request"])


def test_show_lists_the_trials_with_a_chart_the_best_one_and_the_rest(aws: FakeAws) -> None:
    aws.trials = {
        "sweep-sq-1": [
            a_trial(f"sweep-sq-1-{number}", value=value, rate="0.1") for number, value in ((1, 0.5), (2, 0.9))
        ],
        "sweep-sq-2": [a_trial("sweep-sq-2-1", "InProgress", rate="0.3")],
    }
    shown = run("show", "sweep").stdout
    assert "2 of 6 ended, 2 at a time" in shown
    assert "best trial  sweep-sq-1-2: accuracy 0.9, rate=0.1" in shown
    assert "▁█ from 0.5 to 0.9" in shown
    assert "remaining   4 trials" in shown
    assert "sweep-sq-2-1  InProgress" in shown


def test_show_names_the_fewest_trials_at_a_time(client: QueueClient, queue: FakeQueue) -> None:
    job = a_preempted_tuning_job()
    job["options"]["min_parallel"] = 1
    queue.life = [job]
    client.submit(job["request"])
    assert "2 of 6 ended, 2 at a time (at least 1)" in run("show", "sweep").stdout


def test_only_the_newest_trials_are_listed(aws: FakeAws) -> None:
    trials = [a_trial(f"sweep-sq-1-{number}", value=float(number)) for number in range(1, 31)]
    aws.trials = {"sweep-sq-1": trials, "sweep-sq-2": []}
    shown = run("show", "sweep").stdout
    assert "sweep-sq-1-30" in shown
    assert "sweep-sq-1-5 " not in shown
    assert "10 earlier trials are on the page" in shown


def test_the_job_is_shown_even_if_sagemaker_lists_no_trials(aws: FakeAws) -> None:
    aws.may_describe = False
    shown = run("show", "sweep")
    assert (shown.exit_code, "2 of 6 ended" in shown.stdout) == (0, True)
    assert "SageMaker does not list the trials" in shown.stderr
    assert "DescribeTuningJobs" in shown.stderr
