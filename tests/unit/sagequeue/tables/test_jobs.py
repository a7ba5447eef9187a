"""The tables of jobs."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rich.console import Console, RenderableType

from sagequeue.contract.jobs import Action, Choice, Job
from sagequeue.tables.jobs import connect_command, job_view, queue_view
from unit.sagequeue.builders.costs import a_cost, a_job_cost, a_range
from unit.sagequeue.builders.jobs import a_job, a_whole_life, an_attempt

NOW = datetime(2026, 11, 21, 10, 5, tzinfo=UTC)


def text(view: RenderableType) -> str:
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


def listing(*jobs: Job) -> str:
    return text(queue_view({"jobs": list(jobs), "next": None, "budget": {}}, NOW))


def test_jobs_are_shown_in_the_order_of_the_list_with_their_places() -> None:
    output = listing(
        a_job("running", name="runs"),
        a_job("preempted", name="first", position=1),
        a_job("pending", name="second", position=2),
        a_job("completed", name="done"),
    )
    assert [line.split()[0] for line in output.splitlines()[2:]] == ["runs", "1", "2", "done"]


@pytest.mark.parametrize(
    ("age", "shown"),
    [
        (timedelta(seconds=-3), "0s"),
        (timedelta(seconds=41), "41s"),
        (timedelta(minutes=12, seconds=5), "12m 5s"),
        (timedelta(hours=2, seconds=7), "2h 7s"),
        (timedelta(days=3, hours=4, minutes=5), "3d 4h"),
    ],
)
def test_ages_are_short(age: timedelta, shown: str) -> None:
    job = a_job(submitted_at=(NOW - age).isoformat())
    assert f" {shown} " in listing(job)


def test_markup_in_a_reason_is_shown_as_it_is() -> None:
    assert "[bold]x[/bold]" in listing(a_job(message="[bold]x[/bold]"))


def test_a_list_has_one_line_for_each_job() -> None:
    output = listing(a_job("failed", message="AlgorithmError:\nExitCode 3\nErrorMessage"))
    assert output.splitlines()[-1].rstrip().endswith("AlgorithmError: ExitCode 3 ErrorMessage")


def test_a_job_is_shown_with_every_attempt_and_how_long_it_ran() -> None:
    lines = text(job_view(a_whole_life()[7], NOW)).splitlines()
    assert any(line.split()[:2] == ["resnet-sq-1", "preempted"] and "20s  for urgent" in line for line in lines)
    assert any(line.split()[:2] == ["resnet-sq-2", "Training"] and "2m 40s" in line for line in lines)


def test_a_job_and_its_attempts_show_their_cost() -> None:
    ended = an_attempt(1, "completed", cost=a_cost(12.3))
    unknown = an_attempt(2, cost=None)
    output = text(job_view(a_job("running", attempts=[ended, unknown], cost=a_job_cost(12.3)), NOW))
    assert "cost         $12.30, at prices of 2026-09-25" in output
    first, second = output.splitlines()[-2:]
    assert ("$12.30  Training" in first, "not known  Training" in second) == (True, True)


def test_the_current_choice_is_marked_without_colours() -> None:
    choices: list[Choice] = [
        {"instances": {"ml.g5.xlarge": count}, "spot": False, "max_runtime": 3600, "wait_for_better": 0}
        for count in (4, 2)
    ]
    lines = text(job_view(a_job("running", choices=choices, choice=1), NOW)).splitlines()
    [current] = [line for line in lines if "(current)" in line]
    assert current.startswith("choice 1")
    assert "2 × ml.g5.xlarge" in current


def test_a_submission_shows_its_range_of_costs() -> None:
    assert "$0.50 to $2.00 per attempt" in text(job_view(a_job(cost_range=a_range()), NOW))


def test_a_job_without_checkpoints_warns_of_the_loss() -> None:
    assert "a preemption loses the work" in text(job_view(a_job(has_checkpoints=False), NOW))


@pytest.mark.parametrize(
    ("reported", "shown"),
    [
        (
            {"takes_notice": True, "listens": True, "saved": {"step": 1200, "saved_at": "2026-11-21T10:01:00Z"}},
            "last saved 4 min ago (step 1,200); the program reads stop notices",
        ),
        ({"takes_notice": True, "listens": True}, "none reported; the program reads stop notices"),
        ({"takes_notice": True}, "none reported; the program has not reported that it reads stop notices"),
        ({}, "none reported; this attempt gets no stop notice"),
    ],
)
def test_a_live_job_shows_its_last_save_and_whether_notices_reach_it(reported: dict[str, Any], shown: str) -> None:
    assert shown in " ".join(text(job_view(a_job("running", attempts=[an_attempt(**reported)]), NOW)).split())


def test_a_job_shows_the_jobs_after_which_it_starts() -> None:
    job = a_job()
    job["options"] |= {"after_ok": ["prep", "fetch"], "after_not_ok": ["lint"]}
    shown = text(job_view(job, NOW))
    assert "prep, fetch completed" in shown
    assert "lint failed or stopped" in shown


def test_an_ended_job_shows_no_saves() -> None:
    assert "none reported" not in text(job_view(a_job("completed", attempts=[an_attempt(1, "completed")]), NOW))


def test_an_attempt_that_never_started_shows_the_reason() -> None:
    refused = an_attempt(1, "never_started", training_started_at=None, failure_reason="No such role")
    assert "No such role" in text(job_view(a_job("failed", attempts=[refused]), NOW))


def test_a_job_shows_reactions_to_failures_and_broken_rules() -> None:
    failed = an_attempt(1, "failed", failure_reason="InternalServerError: oh", action="retried after 60 seconds")
    warning = {"rule": "vpc", "field": "VpcConfig", "message": "It does not run in a VPC", "remedy": "Give VpcConfig."}
    output = text(job_view(a_job("running", attempts=[failed, an_attempt(2)], warnings=[warning]), NOW))
    assert "retried after 60 seconds: InternalServerError: oh" in output
    assert "vpc: It does not run in a VPC. Give VpcConfig." in output


def test_a_job_shows_the_actions_on_it_and_their_callers() -> None:
    actions: list[Action] = [
        {"at": "2026-11-21T10:00:00Z", "kind": "updated", "by": "[ada]", "message": "priority from 0 to 5"},
        {"at": "2026-11-21T10:01:00Z", "kind": "warned_idle", "by": "queue", "message": ""},
    ]
    first, second = text(job_view(a_job("running", actions=actions), NOW)).splitlines()[-2:]
    assert first.startswith("updated  ")
    assert first.rstrip().endswith("[ada]  priority from 0 to 5")
    assert second.startswith("warned idle  ")


def test_a_job_behind_the_places_that_are_counted_has_none() -> None:
    output = listing(a_job("pending", position=1000), a_job("pending", name="far-behind"))
    assert [line.split()[0] for line in output.splitlines()[2:]] == ["1000", "…"]


def test_a_job_with_the_ssh_helper_shows_how_to_connect() -> None:
    request = {"Environment": {"START_SSH": "true", "SSH_SSM_ROLE": "service-role/SSHHelper"}}
    running = a_job("running", attempts=[an_attempt()], request=request)
    assert connect_command(running) == "sm-ssh connect resnet-sq-1.training.sagemaker"


def test_a_job_that_people_may_debug_shows_how_to_connect() -> None:
    request = {"RemoteDebugConfig": {"EnableRemoteDebug": True}}
    running = a_job("running", attempts=[an_attempt()], request=request)
    assert connect_command(running) == "aws ssm start-session --target sagemaker-training-job:resnet-sq-1_algo-1"
    assert "start-session" in text(job_view(running, NOW))
    for other in (
        a_job("running", attempts=[an_attempt()]),
        a_job("running", attempts=[an_attempt(training_started_at=None)], request=request),
        a_job("completed", attempts=[an_attempt(1, "completed")], request=request),
        a_job(request=request),
    ):
        assert connect_command(other) == ""
