"""Plays 30 random worlds, or WORLDS of them; of 100 it also checks what they used, and of 2,000 what they met."""

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from scheduler.wiring import shared
from support.account import account
from support.faults.call_faults import Fate, NoEvents, NoFaults
from support.faults.random_faults import FATES
from support.simulation.runs.parallel_runs import run_many
from support.simulation.runs.random_world import Report, run
from support.stack.environment import roles

#: The first test plays so many worlds, for all tests.
RUNS = int(os.environ.get("WORLDS", "30"))
STOPS_OF_WATCHES = ("idle_gpu", "underused", "hung", "nan_loss")
#: In this world clocks differ by up to ten seconds.
WITH_SKEW = 3
#: Fewer worlds meet rare faults by chance only, so nothing can be said of their counts.
of_many_worlds = pytest.mark.skipif(RUNS < 2000, reason="counts need 2,000 worlds: make test-worlds WORLDS=2000")
of_some_worlds = pytest.mark.skipif(RUNS < 100, reason="few worlds do without whole kinds of jobs: make test-worlds")
#: The least count of each fault and each check in 2,000 worlds; notices are few, and so are new roles.
OFTEN, ENOUGH, CHECKED = 100, {"sns": 25, f"sagemaker: {Fate.IS_REFUSED}": 30}, 500
#: Permissions that no call of ours needs, and the service that does.
FOR_OTHERS = {
    **{
        f"{function}: dynamodb:{action} on table/Queue/stream/*": "Lambda, which reads the stream"
        for function in ("history", "schedule")
        for action in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
    },
    **{
        f"{function}: s3:ListBucket on Bodies": "S3, which reports a missing body only to roles that may list"
        for function in ("api", "schedule")
    },
    **{
        f"configuration: dynamodb:{action} on table/Queue": "CloudFormation, whose deployments no world plays"
        for action in ("GetItem", "PutItem", "Query")
    },
    "configuration: cloudformation:DescribeStacks on StackId": "CloudFormation, same",
    "history: sqs:SendMessage on DeadLetters": "Lambda, which sends failed batches there",
    **{
        f"{function}: logs:DescribeLogStreams on *": "AWS, where a log group's ARN ends with :* or not"
        for function in ("idle_alarm", "schedule")
    },
    "schedule: sagemaker:CreateTrainingJob on reserved-capacity/*": "AWS, for plans (aws-facts 2.58)",
}
#: Permissions that few worlds use: fewer than 2,000 may do without them.
SELDOM = {
    "idle_alarm: dynamodb:UpdateItem on table/Queue",
    "idle_alarm: sns:Publish on MailedNotices",
    "idle_alarm: sns:Publish on Notices",
    "schedule: sns:Publish on MailedNotices",
    "schedule: sns:Publish on Notices",
    "idle_alarm: logs:DescribeLogStreams on /aws/sagemaker/TrainingJobs",
    "idle_alarm: logs:GetLogEvents on *-sq-*",
    "schedule: sagemaker:CreateTrainingJob on training-plan/*",
    "schedule: sagemaker:ListTags on processing-job/*-sq-*",
    "schedule: sagemaker:StopProcessingJob on processing-job/*-sq-*",
    "schedule: sagemaker:ListTags on hyper-parameter-tuning-job/*-sq-*",
    "schedule: sagemaker:DescribeAutoMLJobV2 on automl-job/*",
    "schedule: sagemaker:ListTags on automl-job/*",
    "schedule: sagemaker:StopAutoMLJob on automl-job/*",
}
#: Checks that happen only at the end of a world, or in few worlds.
RARE = {"guard": 200, "calendar": 80, "S5": 250, "S17": 200, "growth": 80}
INVARIANTS = {
    "C1",
    "C2",
    "S1",
    "S2",
    "S3",
    "S5",
    "S6",
    "S7",
    "S8",
    "S9",
    "S10",
    "S11",
    "S12",
    "S13",
    "S14",
    "S16",
    "S17",
    "calendar",
    "dependencies",
    "growth",
    "guard",
    "lease",
    "no crash",
    "shares",
    "spending",
}


@pytest.fixture(scope="module")
def report() -> Report:
    return run_many(range(RUNS))


def test_no_invariant_is_violated(report: Report) -> None:
    assert report.runs == RUNS
    assert report.steps >= 500 * RUNS


@of_many_worlds
def test_every_fault_was_met_often(report: Report) -> None:
    fates = {f"{service}: {fate}": service for service, fates in FATES.items() for fate in fates}
    enough = {fate: ENOUGH.get(fate, ENOUGH.get(service, OFTEN)) for fate, service in fates.items()}
    assert not {fate for fate, least in enough.items() if report.met[fate] < least}


@of_many_worlds
def test_every_invariant_was_checked_often(report: Report) -> None:
    assert {name for name, count in report.checked.items() if count >= RARE.get(name, CHECKED)} >= INVARIANTS


def test_jobs_came_to_every_kind_of_end(report: Report) -> None:
    assert {end.split(" ")[0] for end in report.ends} >= {"completed", "failed", "stopped", "parked"}


@of_some_worlds
@pytest.mark.parametrize("mode", ["off", "warn", "stop"])
def test_no_function_has_a_permission_that_it_never_uses(report: Report, mode: str) -> None:
    granted = {str(grant) for grant in roles(GuardUnmanagedJobs=mode).grants}
    seldom = SELDOM if RUNS < 2000 else set()
    assert granted - report.used.keys() - seldom == FOR_OTHERS.keys()


@pytest.mark.parametrize("seed", range(min(40, RUNS // 5)))
def test_the_same_end_with_events_and_without(seed: int) -> None:
    with_events, without = run(seed, NoFaults()), run(seed, NoEvents())
    # A watch finds a job later without events: the job may complete, or be requeued, before the watch stops it.
    stopped, later = (
        Counter({code: report.ends[f"stopped ({code})"] for code in STOPS_OF_WATCHES})
        for report in (with_events, without)
    )
    assert stopped != later or with_events.states == without.states


def test_the_same_seed_is_the_same_world() -> None:
    assert run(7) == run(7)


def test_a_function_that_builds_one_more_clock_leaves_the_world_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    known = run(WITH_SKEW)

    def with_another_clock(handle: Callable[[Any, Any], Any], event: Any, context: Any) -> Any:
        assert vars(shared)["SystemClock"]().now() == shared.clock().now()
        return handle(event, context)

    functions = {name: partial(with_another_clock, handle) for name, handle in account.FUNCTIONS.items()}
    monkeypatch.setattr(account, "FUNCTIONS", functions)
    assert run(WITH_SKEW) == known
